#!/usr/bin/env bash
# Tests of the page of `alphorn serve` in a real browser.
# usage: tests/studio/run.sh [WORD...]: only tests whose name contains a word. Set ALPHORN to another program.
# On a bare machine the script installs Chromium and Node with apt-get, as root. It prints `N passed, N failed`.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
command -v chromium >/dev/null || missing+=(chromium)
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" fonts-dejavu-core >/dev/null
fi
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm ci --no-audit --no-fund --silent
fi

if [ -z "${ALPHORN:-}" ]; then
  for built in "$root/target/release/alphorn" "$root/target/debug/alphorn"; do
    if [ -x "$built" ]; then ALPHORN=$built; break; fi
  done
fi
[ -n "${ALPHORN:-}" ] || { echo "there is no built alphorn: run cargo build --release --locked" >&2; exit 2; }
export ALPHORN
exec node main.mjs "$@"
