#!/usr/bin/env bash
# Tests the laws of the flat form: the output of --emit-ir is a program; if it is read and printed again, the text is the same;
# and if every annotation is erased, neither kernels nor results change.   annotations.sh MGC
set -eu
mgc=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$here"/examples/digits/digits.{mg,npz,safetensors} "$dir"
cp "$here"/tests/std/{softmaxes,norms,gathering,recurrences}.mg "$dir"
cd "$dir"
annotated=0
for name in digits softmaxes norms gathering recurrences; do
    for level in 0 1 2; do
        "$mgc" --emit-ir -O$level --places $name.mg >with.mg
        "$mgc" --emit-ir -O$level --no-annotations $name.mg >without.mg
        annotated=$((annotated + $(grep -c '#at(' with.mg)))
        if grep -q '#' without.mg; then echo "$name: --no-annotations left some"; exit 1; fi
        # prints, reads, prints again; level 0 has no passes
        "$mgc" --emit-ir -O0 --no-annotations without.mg >again.mg
        cmp without.mg again.mg
        "$mgc" --emit-ir -O0 --no-annotations with.mg >erased.mg
        cmp without.mg erased.mg
        [ $name != digits ] || continue
        "$mgc" --emit-kernels -O2 with.mg | grep -v "^//" >with.kernels
        "$mgc" --emit-kernels -O2 without.mg | grep -v "^//" >without.kernels
        cmp with.kernels without.kernels
    done
done
[ $annotated -gt 100 ] || { echo "only $annotated annotations were erased"; exit 1; }
for form in digits with without; do
    [ $form = digits ] || "$mgc" --emit-ir -O2 $([ $form = with ] && echo --places || echo --no-annotations) digits.mg >$form.mg
    "$mgc" run $form.mg --graph=evaluate --input images=digits.npz:images --input labels=digits.npz:labels >$form.out
    cmp digits.out $form.out
done
echo "$annotated annotations erased, nothing changed"
