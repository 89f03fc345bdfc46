#!/usr/bin/env bash
# Tests the extension and packs it to alphorn.vsix. Needs Node 20 or newer and the registry of npm.
set -euo pipefail
cd "$(dirname "$0")"

# The lock file is the truth; the modules are installed again only if it changed.
if ! cmp -s package-lock.json node_modules/.installed-lock.json; then
    npm ci --no-fund --no-audit --loglevel=error
    cp package-lock.json node_modules/.installed-lock.json
fi

npx tsc --noEmit
npm run --silent test:grammar
node esbuild.mjs
npm run --silent test:unit
cp ../../LICENSE-MIT LICENSE.txt
npx vsce package --no-dependencies --allow-missing-repository --out alphorn.vsix

# The package holds the extension and nothing else.
listed=$(npx vsce ls --no-dependencies | sort | tr '\n' ' ')
expected="LICENSE.txt README.md language-configuration.json out/extension.js package.json snippets/alphorn.json syntaxes/alphorn.tmLanguage.json "
if [ "$listed" != "$expected" ]; then
    echo "alphorn.vsix holds: $listed" >&2
    exit 1
fi
