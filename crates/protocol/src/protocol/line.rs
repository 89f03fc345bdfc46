//! Reads one line of the protocol: JSON with the name of a request and its fields.
//!
//! It takes bytes and returns a request, or a failure that names the wrong field. It carries out nothing.

use super::Request;
use super::host::refusal;
use super::policy::Policy;
use alphorn_lang::lang::near::nearest;
use alphorn_session::session::Failure;
use schemars::generate::SchemaSettings;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::LazyLock;

/// The id of a request: any JSON value, repeated as it was written.
pub(super) type Id = Box<RawValue>;

/// The failure for a line that the JSON parser does not take.
fn unread(error: &serde_json::Error) -> Failure {
    let said = error.to_string();
    let column = error.column();
    // The parser has limits of its own, which JSON has not.
    if is_out_of_range(error) {
        let message = format!("a number before column {column} is too large for a 64-bit float");
        return refusal(message, "in a term, write an integer as {\"integer\": \"DIGITS\"}");
    }
    if said.starts_with("recursion limit exceeded") {
        let message = format!("arrays and objects are nested too deeply at column {column}");
        return refusal(message, "a line may have 127 levels; write a deep term as text, such as \"f(g(h(a)))\"");
    }
    let said = said.split(" at line ").next().unwrap_or_default();
    let said = match said.strip_prefix("EOF ") {
        Some(rest) => format!("the line ends {rest}"),
        None => format!("{} at column {column}", said.replace("expected ident", "expected true, false or null")),
    };
    refusal(format!("the line is not JSON: {said}"), EXAMPLE)
}

/// Whether a number in the JSON is too large for a float.
pub(super) fn is_out_of_range(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("number out of range")
}

/// The fields of a JSON object, in their order.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = entries.next_entry()? {
                    fields.push(entry);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// Reads the fields of a line. Each field stands in it once.
fn read_fields(line: &[u8]) -> Result<Map<String, Value>, Failure> {
    let fields = match serde_json::from_slice(line) {
        Ok(Fields(fields)) => fields,
        Err(error) if error.is_data() => return Err(refusal("a request is a JSON object", EXAMPLE)),
        Err(error) => return Err(unread(&error)),
    };
    let mut found = Map::new();
    for (key, value) in fields {
        if found.contains_key(&key) {
            return Err(refusal(format!("the field \"{key}\" stands twice in the line"), "leave out one of the two"));
        }
        found.insert(key, value);
    }
    Ok(found)
}

/// Parses a line with these ids, which may be any JSON, to a request and its name.
pub(super) fn parsed<'a>(
    line: &[u8],
    ids: impl Iterator<Item = &'a Id>,
    policy: &Policy,
) -> Result<(String, Box<Request>), Failure> {
    let mut fields = read_fields(line)?;
    fields.shift_remove("id");
    let mut in_ids: Vec<&str> = ids.flat_map(|id| large_integers(id.get())).collect();
    let is_rounded = |digits: &&str| match in_ids.iter().position(|in_id| in_id == digits) {
        Some(at) => {
            in_ids.swap_remove(at);
            false
        }
        None => true,
    };
    let line = std::str::from_utf8(line).unwrap_or_default();
    if let Some(digits) = large_integers(line).into_iter().find(is_rounded) {
        let shown: String = digits.chars().take(LONGEST_SHOWN).collect();
        let message = format!(
            "the integer {shown}{} has more than 64 bits",
            if digits.len() > LONGEST_SHOWN { "..." } else { "" }
        );
        return Err(refusal(message, "in a term, write it as {\"integer\": \"DIGITS\"}"));
    }
    policy.check(&fields)?;
    let name = fields.get("request").and_then(Value::as_str).unwrap_or_default().to_string();
    Ok((name, request_of(fields)?))
}

/// The most digits of a number that a message repeats.
const LONGEST_SHOWN: usize = 40;

/// The integers outside of strings that a reader of JSON would round, because they have more than 64 bits.
fn large_integers(json: &str) -> Vec<&str> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let (bytes, mut at, mut found) = (json.as_bytes(), 0, Vec::new());
    while let Some(byte) = bytes.get(at) {
        let from = at;
        at += match byte {
            b'"' => {
                let mut end = 1;
                while let Some(byte) = bytes.get(from + end).filter(|byte| **byte != b'"') {
                    end += if *byte == b'\\' { 2 } else { 1 };
                }
                end + 1
            }
            byte if is_part(byte) => bytes[from..].iter().take_while(|byte| is_part(byte)).count(),
            _ => 1,
        };
        let number = json.get(from..at).unwrap_or_default();
        let is_integer = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_integer && number.len() > 18 && number.parse::<i64>().is_err() && number.parse::<u64>().is_err() {
            found.push(number);
        }
    }
    found
}

const EXAMPLE: &str = "such as {\"id\": 1, \"request\": \"load\", \"files\": [\"game.pl\"]}";

/// Makes a request of its fields. `"request"` is the name of the request.
///
/// # Errors
///
/// There is no such request or field, or a field has a wrong value. The help names the nearest name.
pub fn request_of(fields: Map<String, Value>) -> Result<Box<Request>, Failure> {
    let name = match fields.get("request") {
        Some(Value::String(name)) => name.clone(),
        Some(_) => return Err(refusal("\"request\" is a string", EXAMPLE)),
        None => return Err(refusal("\"request\" is missing", EXAMPLE)),
    };
    let known = &*REQUESTS;
    let Some((_, named)) = known.iter().find(|(other, _)| *other == name) else {
        let help = match nearest(&name, known.iter().map(|(name, _)| name.as_str())) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => {
                let names = known.iter().map(|(name, _)| name.as_str());
                let longer: Vec<&str> = names.clone().filter(|known| is_short_for(&name, known)).collect();
                match longer.is_empty() {
                    true => format!("there are {}", names.collect::<Vec<_>>().join(", ")),
                    false => format!("did you mean \"{}\"?", longer.join("\", \"")),
                }
            }
        };
        return Err(refusal(format!("there is no request \"{name}\""), help));
    };
    if let Some(other) = fields.keys().find(|key| !named.contains(key)) {
        let names: Vec<&str> = ["id"].into_iter().chain(named.iter().map(String::as_str)).collect();
        let help = match nearest(other, names.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("its fields are {}", names.join(", ")),
        };
        return Err(refusal(format!("\"{name}\" has no field \"{other}\""), help));
    }
    match read_request(&fields) {
        Ok(request) => Ok(Box::new(request)),
        Err(error) => {
            let wrong = faulty_field(&fields, &error)
                .filter(|_| !error.starts_with("missing field"))
                .map(|key| format!("\"{key}\": "))
                .unwrap_or_default();
            let (message, help) = match error.split_once("; did you mean ") {
                Some((message, near)) => (message, format!("did you mean {near}")),
                None => (error.as_str(), FIELDS.to_string()),
            };
            Err(refusal(format!("{wrong}{}", plain(message)), help))
        }
    }
}

/// Whether a name begins with the first letter of another and has its other letters in their order, as `format`
/// has those of `fmt`.
fn is_short_for(short: &str, name: &str) -> bool {
    let mut letters = name.chars();
    short.len() > 1
        && name.chars().next() == short.chars().next()
        && short.chars().all(|c| letters.any(|letter| letter == c))
}

/// Rewrites an error of serde_json with the type names of JSON.
fn plain(error: &str) -> String {
    let words = [
        ("invalid type: ", ""),
        ("invalid value: ", ""),
        ("a sequence", "an array"),
        ("sequence", "an array"),
        ("a map", "an object"),
        ("map", "an object"),
        ("u16", "a whole number from 0 to 65535"),
        ("u32", "a whole number from 0 to 4294967295"),
        ("u64", "a whole number from 0"),
        ("usize", "a whole number from 0"),
        ("i64", "a whole number"),
        ("f64", "a number"),
        ("boolean", "the truth value"),
        ("a boolean", "true or false"),
    ];
    if let Some(name) = error.strip_prefix("missing field ") {
        return format!("{} is missing", name.replace('`', "\""));
    }
    if let Some((name, wanted)) = error.strip_prefix("unknown field ").and_then(|rest| rest.split_once(", expected ")) {
        return format!("there is no field {name}; write {wanted}").replace('`', "\"");
    }
    let Some((found, wanted)) = error.split_once(", expected ") else {
        return words.iter().fold(error.to_string(), |text, (word, plain)| match text.strip_prefix(word) {
            Some(rest) => format!("{plain}{rest}"),
            None => text,
        });
    };
    let found = found.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
    let named = |text: &str| {
        let whole = words.iter().find(|(word, _)| *word == text).map(|(_, plain)| (*plain).to_string());
        let object = || text.starts_with("struct ").then(|| "an object".to_string());
        whole.or_else(object).unwrap_or_else(|| text.to_string())
    };
    let head = found.split(' ').next().unwrap_or_default();
    let rest = found.strip_prefix(head).unwrap_or_default();
    format!("{}{rest} is not {}", named(head), named(wanted))
}

fn read_request(fields: &Map<String, Value>) -> Result<Request, String> {
    serde_json::from_value(Value::Object(fields.clone())).map_err(|error| error.to_string())
}

/// The field whose removal changes or removes the error.
fn faulty_field<'f>(fields: &'f Map<String, Value>, error: &str) -> Option<&'f String> {
    fields.keys().filter(|key| *key != "request").find(|key| {
        let mut others = fields.clone();
        others.shift_remove(*key);
        read_request(&others).err().is_none_or(|other| other != error)
    })
}

const FIELDS: &str = "docs/schema/protocol-request.json describes the fields of every request";

/// All request names with the names of their fields.
pub(super) static REQUESTS: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(requests);

fn requests() -> Vec<(String, Vec<String>)> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<Request>();
    let variants = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    let named = |variant: &Value| {
        let name = variant.pointer("/properties/request/const")?.as_str()?.to_string();
        let mut fields = Vec::new();
        gather(variant, &mut fields);
        Some((name, fields))
    };
    variants.iter().filter_map(named).collect()
}

/// Collects the field names of an object schema, including those of its parts.
fn gather(schema: &Value, found: &mut Vec<String>) {
    found.extend(schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys().cloned()));
    for parts in ["allOf", "anyOf", "oneOf"] {
        schema[parts].as_array().into_iter().flatten().for_each(|part| gather(part, found));
    }
}
