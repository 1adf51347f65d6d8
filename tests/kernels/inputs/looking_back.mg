mg 1
// Rows in parts, whose groups look back at earlier ones: upwards and downwards, with and without the element itself, of
// whole and unfinished parts, and of types of four and eight bytes.
graph looking_back(p: f32[2, 4200], i: i32[8192], d: f64[4100])
    -> (up: f32[2, 4200], behind: f32[2, 4200], whole: i32[8192], most: f64[4100], after: f64[4100])
{
    up = cumsum(p, axis = 1)
    behind = cumsum(p, axis = 1, exclusive = true, reverse = true)
    whole = cumsum(i)
    most = cummax(d)
    after = cumsum(d, exclusive = true, reverse = true)
}
