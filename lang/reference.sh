#!/usr/bin/env bash
# Generates the parts of lang/reference.md that derive from other files: the grammar, from
# frontend/parser.y (its rules without actions and error recovery), and the tables of element types,
# scalar functions, reducers and builtins, from lang/*.def.
#   reference.sh --write    writes them into the reference
#   reference.sh --check    exits 1 and prints the difference if the reference is out of date
# A part is between the lines `<!-- made: NAME -->` and `<!-- end -->`.
set -eu
cd "$(dirname "$0")/.."
reference=lang/reference.md

# The rules: one alternative on each line, without actions (which begin with `{ ` after a blank).
rules() {
    awk '/^%%$/ { part++; next } part == 1' frontend/parser.y |
        sed -E -e 's|^/\*.*\*/$||' \
            -e "s/ +\{ .*\}( ;)? *$/\1/" \
            -e 's/ %prec [A-Z]+//' -e '/^ *$/d'
}

# Every rule on lines of its own, without rules called broken_… and alternatives that have one of
# them or the word error.
part_grammar() {
    echo '```'
    rules | awk '
        function flush_rule(  i) {
            if (name == "" || name ~ /^broken_/) return
            for (i = 1; i <= n; i++)
                printf "%-16s %s %s\n", i == 1 ? name : "", i == 1 ? "=" : "|", alternative[i]
        }
        {
            line = $0
            sub(/ *;[ ]*$/, "", line)
            if (match(line, /^[a-z_]+:/)) {
                flush_rule()
                name = substr(line, 1, RLENGTH - 1)
                n = 0
                line = substr(line, RLENGTH + 1)
            }
            sub(/^ *\| */, "", line)
            gsub(/^ +| +$/, "", line)
            gsub(/%empty/, "(nothing)", line)
            gsub(/\047/, "\"", line)
            if (line != "" && line !~ /(^| )error( |$)/ && line !~ /broken_/)
                alternative[++n] = line
        }
        END { flush_rule() }'
    echo '```'
}

# The operators, loosest first, from the precedence declarations.
part_operators() {
    echo '```'
    awk '/^%(left|nonassoc|precedence) / {
        how = $1 == "%left" ? "groups to the left" : $1 == "%nonassoc" ? "does not chain" : "prefix"
        $1 = ""; gsub(/[\047"]/, ""); sub(/^ /, "")
        sub(/REDUCTION/, "sum[k] body"); sub(/NEGATION/, "- (negation)")
        printf "%-20s %s\n", $0, how
    }' frontend/parser.y
    echo '```'
}

# The rows of a table file: MG_NAME(a, "b", c) as a|b|c, commas in strings kept.
rows() {
    sed -nE "s/^$2\((.*)\)$/\1/p" "lang/$1" |
        sed -E -e ':a; s/^(([^"]|"[^"]*")*), */\1|/; ta' -e 's/"//g'
}

part_types() {
    echo '| type | bits | computed in |'
    echo '|---|---|---|'
    rows dtypes.def MG_DTYPE | awk -F'|' '{ printf "| `%s` | %s | `%s` |\n", $2, $3, tolower($5) }'
}

# The lines of a list, broken at 120 columns.
wrapped() {
    awk '{ line = ""
           n = split($0, word, " ")
           for (i = 1; i <= n; i++)
               if (i > 1 && length(line) + length(word[i]) >= 120) { print line; line = "  " word[i] }
               else line = line (i > 1 ? " " : "") word[i]
           print line }'
}

part_functions() {
    rows prims.def MG_PRIM | awk -F'|' '
        $2 !~ /^[a-z]/ || $2 ~ /^(and|or|not|neg|floordiv|floormod|cast)$/ { next }
        { kind = $4 == "FLOAT" ? "on floats" : $4 == "INT" ? "on integers" : $4 == "LOGIC" ? "on integers and bool" : $4 == "NUMBER" ? "on numbers" : "on any type"
          list[kind] = list[kind] (list[kind] == "" ? "" : ", ") "`" $2 "`" ($3 > 1 ? " (" $3 ")" : "") }
        END { n = split("on numbers,on floats,on integers,on integers and bool,on any type", order, ",")
              for (i = 1; i <= n; i++) if (list[order[i]] != "") printf "- %s: %s\n", order[i], list[order[i]] }' |
        wrapped
}

part_reducers() {
    echo '| reducer | of | over nothing | order |'
    echo '|---|---|---|---|'
    { rows monoids.def MG_MONOID; rows monoids.def MG_MONOID_PLACE; echo; rows prims.def MG_REDUCER; } | awk -F'|' '
        BEGIN { empty["ZERO"] = "0"; empty["ONE"] = "1"; empty["LOWEST"] = "the lowest value (-inf)"; empty["HIGHEST"] = "the highest value (inf)"
                empty["FALSE"] = "false"; empty["TRUE"] = "true"; empty["NAN"] = "nan"; empty["NONE"] = "an error"
                order["SUM"] = "`-O2` may change it"; order["EXACT"] = "any"; order["FIRST"] = "a tie goes to the first, nan wins"; order["LAST"] = "the last one stays" }
        !NF { reducers = 1; next }
        !reducers { of[$1] = $5; next }
        { printf "| `%s` | %s | %s | %s |\n", $2, $3 == "ANY" ? "anything" : $3 == "BOOL" ? "bool" : tolower($3) "s", empty[$4], order[of[$5]] }'
}

part_builtins() {
    rows ops.def MG_BUILTIN | awk -F'|' '{ printf "- `%s` %s\n", $2, $NF }' | wrapped
}

# The reference, with every part generated again.
made() {
    local line name=
    while IFS= read -r line; do
        if [[ -z $name ]]; then
            printf '%s\n' "$line"
            [[ $line =~ ^\<!--\ made:\ ([a-z]+)\ --\>$ ]] && name=${BASH_REMATCH[1]} && "part_$name"
        elif [[ $line == '<!-- end -->' ]]; then
            printf '%s\n' "$line"
            name=
        fi
    done <"$reference"
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
made >"$new"
case ${1:-} in
--write) cp "$new" "$reference" ;;
--check) diff -u "$reference" "$new" || { echo "run lang/reference.sh --write" >&2; exit 1; } ;;
*)
    echo "usage: lang/reference.sh --write | --check" >&2
    exit 2
    ;;
esac
