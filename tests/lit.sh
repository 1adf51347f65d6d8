#!/usr/bin/env bash
# Runs one golden test: every line `// RUN: command` of a .mg or .mk file must exit 0.
#   lit.sh FILE.mg MGC FILECHECK
# In a command, %s is the file, %S its folder, %t a fresh temporary name, %mgc the compiler, and %FileCheck LLVM's tool.
# After %not, the command must exit with 1: an error of the input, not a crash or wrong usage. A command that ends with a
# backslash continues in the next RUN line.
set -u
printf -v file %q "$1" # quoted as shell words, whatever they contain
printf -v here %q "$(dirname "$1")"
printf -v mgc %q "$2"
printf -v filecheck %q "$3"
printf -v not %q "$(dirname "$0")/not.sh"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
printf -v temporary %q "$dir/t"
runs=0 command=
export NO_COLOR=1
while IFS= read -r line; do
    command+=$line
    if [[ $command == *\\ ]]; then
        command=${command%\\}
        continue
    fi
    command=${command//%FileCheck/$filecheck}
    command=${command//%not/$not}
    command=${command//%mgc/$mgc}
    command=${command//%s/$file}
    command=${command//%S/$here}
    command=${command//%t/$temporary}
    runs=$((runs + 1))
    if ! (set -o pipefail; eval "$command") >"$dir/log" 2>&1; then
        echo "$file: failed: $command"
        cat "$dir/log"
        exit 1
    fi
    command=
done < <(sed -n 's|^ *// *RUN: *||p' "$1")
if [ -e "${1%.mg}.mgb" ]; then
    echo "$file: a command without -o left a file beside it: ${1%.mg}.mgb"
    exit 1
fi
if [ "$runs" = 0 ]; then
    echo "$file: no RUN line"
    exit 1
fi
