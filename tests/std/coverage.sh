#!/usr/bin/env bash
# Checks that a case uses every operator and layer of the library; prints the missing ones. coverage.sh SOURCE_FOLDER
# The cases of onnx.mg and onnx_axes.mg are ONNX's own (tests/conformance). Those of aten.mg and
# stablehlo.mg are recorded (tests/deploy, tests/stablehlo).
set -eu
cd "$1"
missing=0
for file in lang/std/*.mg; do
    [[ $file != lang/std/onnx*.mg && $file != lang/std/aten.mg && $file != lang/std/stablehlo.mg ]] || continue
    for name in $(sed -nE 's/^(builtin op|op|layer) ([A-Za-z_0-9]+)[<(].*/\2/p' "$file"); do
        case $file in */nn.mg | */optim.mg) used="$(basename "$file" .mg)\.$name" ;; *) used="(^|[^A-Za-z_0-9.]|\.\.)$name" ;; esac
        grep -qE "$used\(" tests/std/*.mg || { echo "$file: no case calls $name"; missing=1; }
    done
done
exit $missing
