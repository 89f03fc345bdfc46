#!/bin/sh
# Drives `alphorn lsp` with a client that is not part of Alphorn: pytest-lsp.
#
#     tests/lsp/run.sh [OPTIONS OF PYTEST]    1 if a test fails
#
# ALPHORN names the program (default: target/release/alphorn). The Python packages go to target/lsp-tests.
# As root on Debian the script installs a missing Python by apt-get.

set -eu
cd "$(dirname "$0")/../.."
program=${ALPHORN:-target/release/alphorn}
if [ ! -x "$program" ]; then
    echo "run.sh: $program is missing. Build it: cargo build --release" >&2
    exit 2
fi
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq
        apt-get install -qq -y python3 python3-venv >/dev/null
    else
        echo "run.sh: python3 with venv is missing. Install it: apt-get install python3 python3-venv" >&2
        exit 2
    fi
fi
packages=target/lsp-tests
python=$packages/bin/python
if ! cmp -s tests/lsp/requirements.txt "$packages/installed.txt"; then
    python3 -m venv --clear "$packages"
    "$python" -m pip install --quiet --disable-pip-version-check -r tests/lsp/requirements.txt
    cp tests/lsp/requirements.txt "$packages/installed.txt"
fi
ALPHORN=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
export ALPHORN
exec "$python" -B -m pytest -q -p no:cacheprovider tests/lsp "$@"
