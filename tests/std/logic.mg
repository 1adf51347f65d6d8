mg 1
// made by make_cases.py
graph logic(x0: bool[2, 1],
    x1: bool[1, 2],
    x2: bool[2, 3, 4],
    x3: f32[2, 3, 4],
    x4: f32[4],
    x5: f32[],
    x6: bool[0, 3],
    x7: f32[],
    x8: f32[])
-> (logical_and: bool[2, 2],
    logical_or: bool[2, 2],
    logical_xor: bool[2, 2],
    logical_not: bool[2, 1],
    equal_bool: bool[2, 2],
    from_bool: f32[2, 1],
    where: f32[2, 3, 4],
    where_outer: f32[2, 4],
    any_: bool[2, 4],
    all_: bool[1, 3, 1],
    any_all_axes: bool[],
    any_of_nothing: bool[3],
    all_of_nothing: bool[3],
    count: i64[],
    count_axis: i64[1, 3, 4],
    clip: f32[2, 3, 4],
    clip_literals: f32[2, 3, 4],
    clip_low: f32[2, 3, 4],
    clip_nothing: f32[2, 3, 4])
{
    logical_and = logical_and(x0, x1)
    logical_or = logical_or(x0, x1)
    logical_xor = logical_xor(x0, x1)
    logical_not = logical_not(x0)
    equal_bool = equal(x0, x1)
    from_bool = cast(x0, to = f32)
    where = where(x2, x3, x4)
    where_outer = where(x0, x4, x5)
    any_ = any(x2, axes = [1])
    all_ = all(x2, axes = [0, -1], keepdims = true)
    any_all_axes = any(x2)
    any_of_nothing = any(x6, axes = [0])
    all_of_nothing = all(x6, axes = [0])
    count = count(x2)
    count_axis = count(x2, axes = [0], keepdims = true)
    clip = clip(x3, x7, x8)
    clip_literals = clip(x3, 0, 1)
    clip_low = clip(x3, 0)
    clip_nothing = clip(x3)
}
