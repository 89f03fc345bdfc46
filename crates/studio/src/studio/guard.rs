//! Decides which HTTP requests are answered: it checks the address, the origin and the token.
//!
//! A page of another site must reach nothing. Its requests carry the origin of that site, or, after its name
//! was bound to this computer (DNS rebinding), the name of that site as the host. The token keeps away other
//! users of this computer.

use axum::http::header::{COOKIE, HOST, HeaderMap, HeaderName, ORIGIN};
use axum::http::{HeaderValue, Uri};
use std::net::{IpAddr, SocketAddr};

/// Why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The host is not the address of this server.
    Host,
    /// The request comes from a page of another site.
    Origin,
    /// The token is missing or wrong.
    Token,
}

impl Refused {
    /// The text of the answer.
    pub(super) fn text(self) -> &'static str {
        match self {
            Refused::Host => "403: this server has another address\n",
            Refused::Origin => "403: pages of other sites may not use this server\n",
            Refused::Token => "403: open the address that alphorn serve has printed; it ends with a token\n",
        }
    }
}

/// The address and the token of a server.
pub(super) struct Guard {
    address: SocketAddr,
    token: String,
}

impl Guard {
    /// A guard with a new random token.
    pub(super) fn new(address: SocketAddr) -> Guard {
        Guard { address, token: format!("{:032x}", rand::random::<u128>()) }
    }

    /// The address of the page, for a browser on this computer.
    pub(super) fn url(&self) -> String {
        let ip = match self.address.ip() {
            ip if !ip.is_unspecified() => ip,
            IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
            IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
        };
        format!("http://{}/?token={}", SocketAddr::new(ip, self.address.port()), self.token)
    }

    /// Checks a request. The token stands in the address or, for files of the page, in a cookie.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap, cookie_counts: bool) -> Result<(), Refused> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(HOST).filter(|host| self.is_own(host)).ok_or(Refused::Host)?;
        if headers.get_all(HOST).iter().count() != 1 {
            return Err(Refused::Host);
        }
        if let Some(origin) = headers.get(ORIGIN) {
            let own = format!("http://{host}");
            if origin.as_bytes() != own.as_bytes() {
                return Err(Refused::Origin);
            }
        }
        let cookie = format!("{}=", self.cookie_name());
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|value| value.split("; ")).filter_map(|pair| pair.strip_prefix(&*cookie));
        let is_known = self.is_token_of(uri) || (cookie_counts && cookies.any(|given| self.is_token(given)));
        if is_known { Ok(()) } else { Err(Refused::Token) }
    }

    /// Whether the query of an address contains the token.
    pub(super) fn is_token_of(&self, uri: &Uri) -> bool {
        let pairs = uri.query().unwrap_or_default().split('&');
        pairs.filter_map(|pair| pair.strip_prefix("token=")).any(|given| self.is_token(given))
    }

    /// Compares in a time that does not depend on the place of the first difference.
    fn is_token(&self, given: &str) -> bool {
        let (given, own) = (given.as_bytes(), self.token.as_bytes());
        given.len() == own.len() && given.iter().zip(own).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    }

    /// Whether a host header names this server by an IP address or by `localhost`. A name of the domain name
    /// system could be bound to this computer by anybody.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !name.ends_with(':') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        match bare.parse::<IpAddr>() {
            Ok(ip) => ip.is_loopback() || !self.address.ip().is_loopback(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        }
    }

    fn cookie_name(&self) -> String {
        // Cookies do not depend on the port.
        format!("alphorn-{}", self.address.port())
    }

    /// The cookie that the page gets with its first file.
    pub(super) fn cookie(&self) -> HeaderValue {
        let text = format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name(), self.token);
        HeaderValue::from_str(&text).expect("the name and the token are letters and digits")
    }

    /// The headers of every answer: no page of another site, no script inside HTML, no request elsewhere.
    pub(super) fn headers(&self, host: Option<&HeaderValue>) -> [(HeaderName, HeaderValue); 7] {
        let host = host.and_then(|host| host.to_str().ok()).filter(|host| self.is_own(host)).unwrap_or("127.0.0.1");
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
             font-src 'self'; connect-src 'self' ws://{host}; worker-src 'self'; manifest-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        let policy = HeaderValue::from_str(&policy).expect("the host was compared with the own address");
        let fixed = |name: &'static str, value| (HeaderName::from_static(name), HeaderValue::from_static(value));
        [
            (HeaderName::from_static("content-security-policy"), policy),
            fixed("x-content-type-options", "nosniff"),
            fixed("x-frame-options", "DENY"),
            fixed("referrer-policy", "no-referrer"),
            fixed("cross-origin-opener-policy", "same-origin"),
            fixed("cross-origin-resource-policy", "same-origin"),
            fixed("cache-control", "no-store"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::{Guard, Refused};
    use axum::http::{HeaderMap, HeaderValue, Uri};

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().expect("the test gives an address"))
    }

    fn checked(guard: &Guard, path: &str, headers: &[(&'static str, &str)]) -> Result<(), Refused> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).expect("the test gives a header"));
        }
        guard.check(&path.parse::<Uri>().expect("the test gives a path"), &map, true)
    }

    #[test]
    fn only_the_own_host_origin_and_token_pass() {
        let own = guard("127.0.0.1:4100");
        let path = format!("/?token={}", own.token);
        let cookie = format!("a=b; alphorn-4100={}", own.token);
        for (host, expected) in [
            ("127.0.0.1:4100", Ok(())),
            ("localhost:4100", Ok(())),
            ("[::1]:4100", Ok(())),
            ("127.0.0.1", Err(Refused::Host)),
            ("127.0.0.1:4101", Err(Refused::Host)),
            ("192.168.0.7:4100", Err(Refused::Host)),
            ("evil.example:4100", Err(Refused::Host)),
            ("localhost.evil.example:4100", Err(Refused::Host)),
        ] {
            assert_eq!(checked(&own, &path, &[("host", host)]), expected, "{host}");
        }
        let host = ("host", "127.0.0.1:4100");
        assert_eq!(checked(&own, &path, &[]), Err(Refused::Host));
        assert_eq!(checked(&own, &path, &[host, host]), Err(Refused::Host));
        assert_eq!(checked(&own, "/", &[host]), Err(Refused::Token));
        assert_eq!(checked(&own, "/?token=0", &[host]), Err(Refused::Token));
        assert_eq!(checked(&own, "/app.js", &[host, ("cookie", &cookie)]), Ok(()));
        for origin in ["http://evil.example", "null", "https://127.0.0.1:4100", "http://127.0.0.1:4101"] {
            assert_eq!(checked(&own, &path, &[host, ("origin", origin)]), Err(Refused::Origin), "{origin}");
        }
        assert_eq!(checked(&own, &path, &[host, ("origin", "http://127.0.0.1:4100")]), Ok(()));
    }

    #[test]
    fn a_server_for_the_network_is_called_by_any_ip_address() {
        let open = guard("0.0.0.0:4100");
        let path = format!("/?token={}", open.token);
        assert_eq!(checked(&open, &path, &[("host", "192.168.0.7:4100")]), Ok(()));
        assert_eq!(checked(&open, &path, &[("host", "evil.example:4100")]), Err(Refused::Host));
        assert!(open.url().starts_with("http://127.0.0.1:4100/?token="));
    }
}
