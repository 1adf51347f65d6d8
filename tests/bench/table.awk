# The benchmarks' JSON lines as a table: a column a field, whatever fields a line has and whatever stands in its strings. A summary
# (geomean, least) stands in the columns of the ratios that it sums up. `wipe` is printed before each row.
BEGIN {
    n = split("name size threads mg peer peer_name ratio spread floor share streamed predicted", keys)
    split("-15 -22 7 11 11 -32 7 7 11 6 11 11", widths)
}
NR == 1 {
    for (i = 1; i <= n; i++)
        row[keys[i]] = keys[i] == "peer_name" ? "against" : keys[i]
    print_row()
}
{
    split("", row)
    for (rest = $0; match(rest, /"[a-z_]+": *("[^"]*"|[^",}]+)/); rest = substr(rest, RSTART + RLENGTH)) {
        pair = substr(rest, RSTART, RLENGTH)
        key = substr(pair, 2, index(substr(pair, 2), "\"") - 1)
        value = substr(pair, length(key) + 4)
        gsub(/^ *"?|"$/, "", value)
        row[key] = value
    }
    if ("geomean" in row) {
        row["peer_name"] = "geometric mean; least " row["least"]
        row["ratio"] = row["geomean"]
    }
    print_row()
    fflush()
}
function print_row(  i, line) {
    for (i = 1; i <= n; i++)
        line = line sprintf("%" widths[i] "s ", row[keys[i]])
    sub(/ +$/, "", line)
    print wipe line
}
