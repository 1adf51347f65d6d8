#!/usr/bin/env bash
# Tests what scripts/skipped reports about ctest's results: skipped.sh SOURCE_FOLDER
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# results NAME…: writes the results of a run that skipped these
results() {
    echo '<testsuite><testcase name="ran" status="run"/>'
    for name; do
        echo "<testcase name=\"$name\" status=\"notrun\"><system-out>skipped: there is no device</system-out></testcase>"
    done
    echo '</testsuite>'
}

# says STATUS TEXT NAME…
says() {
    local want=$1 text=$2
    shift 2
    results "$@" >"$work/results.xml"
    "$source/scripts/skipped" "$work/results.xml" >"$work/out"
    local got=$?
    if [ $got != "$want" ] || ! grep -qF "$text" "$work/out"; then
        echo "FAILED: exit status $got, expected $want and '$text':"
        cat "$work/out"
        failed=1
    fi
}
source=$1
unset MG_ZOO MG_TORCH
says 0 "0 of 1 tests were skipped"
says 1 "unit.device: MUST RUN HERE: skipped: there is no device" unit.device
says 0 "conformance.zoo.nets: needs a zoo of models" conformance.zoo.nets
says 1 "conformance.node: MUST RUN HERE" conformance.zoo.nets conformance.node
says 0 "deploy.torch: needs a Python with PyTorch" deploy.torch
MG_TORCH=python3 says 1 "deploy.torch: MUST RUN HERE" deploy.torch
MG_ZOO=/zoo says 1 "conformance.zoo.nets: MUST RUN HERE" conformance.zoo.nets
exit $failed
