#!/usr/bin/env bash
# Checks that the output of `mgc import` runs as the ONNX file does, to the last bit: import.sh MGC FOLDER [FLAG…]
#
# Every model.onnx under FOLDER that has a test_data_set_0 is imported, and both files run on the same inputs. Their
# outputs are compared as they are printed; floats are printed exactly. FOLDER may be zoo:NAME. The exit status is 77
# (skipped) if it does not exist.
set -uo pipefail
mgc=$1 folder=$2
shift 2
case $folder in
zoo:*)
    [ "${MG_ZOO:-}" ] || { echo "skipped: MG_ZOO names no folder of models"; exit 77; }
    folder=$MG_ZOO/${folder#zoo:} ;;
esac
[ -d "$folder" ] || { echo "skipped: there is no folder '$folder'"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MG_CACHE_DIR=$work/cache

# outputs MODEL DATA [FLAG…]: prints the outputs as JSON. An input that mgc asks for gets the next file. Some data sets
# have files of another type or rank; such an input gets random numbers. `given` keeps what the inputs got.
outputs() {
    local model=$1 data=$2 name
    shift 2
    for ((k = ${#given[@]} / 2; ; k++)); do
        "$mgc" run "$model" "${given[@]}" "$@" --format=json > "$work/json" 2> "$work/err" && break
        while name=$(sed -n "s/^mgc: input '\(.*\)' is .* holds .*/\1/p" "$work/err") && [ "$name" ]; do
            for i in "${!given[@]}"; do
                [[ ${given[i]} != "$name="* ]] || given[i]="$name=random:1"
            done
            "$mgc" run "$model" "${given[@]}" "$@" --format=json > "$work/json" 2> "$work/err" && break 2
        done
        name=$(sed -n "s/^mgc: input '\(.*\)' is not given.*/\1/p" "$work/err")
        [ "$name" ] && [ -e "$data/input_$k.pb" ] || { head -3 "$work/err"; return 1; }
        given+=(--input "$name=$data/input_$k.pb")
    done
    jq -c .outputs "$work/json"
}

# The imported text runs first, and the ONNX file gets the same inputs. An input without a rank is a scalar in the text,
# but takes any rank in the ONNX file.
same=0 differ=0
while IFS= read -r model; do
    case=$(dirname "$model")
    rm -f "$work"/net.*
    given=()
    if "$mgc" import "$model" -o "$work/net.mg" > "$work/said" 2>&1 &&
        outputs "$work/net.mg" "$case/test_data_set_0" "$@" > "$work/mg" &&
        outputs "$model" "$case/test_data_set_0" "$@" > "$work/onnx" && cmp -s "$work/onnx" "$work/mg"; then
        same=$((same + 1))
    else
        differ=$((differ + 1))
        echo "DIFFERS $case: $(cat "$work/said" "$work/onnx" "$work/mg" 2> /dev/null | head -c 300 | head -1)"
    fi
    rm -f "$work"/{said,onnx,mg}
done < <(find -L "$folder" -name model.onnx | sort)
echo "$same the same, $differ differ"
[ "$differ" = 0 ] && [ "$same" -gt 0 ]
