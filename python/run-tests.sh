#!/usr/bin/env bash
# Installs the Python package in a virtual environment under target/, and runs its lints and tests. Needs the Rust
# toolchain and the registries; on Debian it installs Python if Python is missing. Arguments go to pytest.
# ALPHORN_PYTHON_LONG=1 runs the long tests.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! python3 -c 'import venv, ensurepip, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    apt-get update -qq
    apt-get install -y -qq python3 python3-venv
fi
environment=target/python/venv
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
# Not the script pip: it names the folder in which the environment was made.
pip() { "$environment/bin/python" -m pip "$@" --quiet --disable-pip-version-check; }
pip install -r python/requirements-test.txt

# One target directory for all crates, and one set of features (python/features): what the tests of the project
# compiled is not compiled again.
export CARGO_TARGET_DIR="$PWD/target" PYO3_PYTHON="$PWD/$environment/bin/python"
cargo clippy --quiet --locked --package alphorn-python --package alphorn-features --all-targets -- -D warnings
rm -rf target/python/wheels
"$environment/bin/maturin" build --release --locked --quiet --manifest-path python/Cargo.toml \
    --interpreter "$environment/bin/python" --out target/python/wheels
pip install --force-reinstall --no-deps target/python/wheels/*.whl
exec "$environment/bin/python" -m pytest python/tests "$@"
