#!/usr/bin/env bash
# neovim.sh MGC: headless Neovim drives the language server.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v nvim > /dev/null || { echo "skipped: there is no nvim"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/net.mg" <<'MG'
mg 1
import nn
graph net(x: f32[B, 8]) -> (y: f32[B, 16])
{
    h = nn.linear(x, features = 16)
    y   = rellu(h)
}
MG
export MGC=$1 FILE=$work/net.mg HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_STATE_HOME=$work \
    XDG_CACHE_HOME=$work
timeout 120 nvim --headless -u NONE -n -c "lua local ok, why = pcall(dofile, '$here/neovim.lua')
if not ok then io.stderr:write(why .. '\n') vim.cmd('cquit 1') end"
