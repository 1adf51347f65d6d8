mg 1
// Operations that no equation can express: the data decide the result's size or the order of the
// work. C code defines their meaning; each is a row of lang/ops.def.

// the permutation that sorts an axis; it is stable and puts NaN last
builtin op argsort<T: number>(x: T[..N, D @ axis], axis: int = -1, descending: bool = false)
    -> (p: i64[..N, D @ axis])
// the coordinates of the elements that are not 0, in row-major order
builtin op nonzero<T: any>(x: T[..S]) -> (y: i64[rank(x), some C <= size(S)])
// the boxes that remain if, in order of score, each that overlaps a better one too much is dropped:
// by more than `iou` (0 if it isn't given), in its class. A row of the result is batch, class, box.
builtin op non_max_suppression(boxes: f32[B, N, 4], scores: f32[B, C, N], iou: f32[]?,
        max_output: int, score: float = -inf, center: bool = false)
    -> (y: i64[some K <= B * C * min(max_output, N), 3])
// random bits from a counter: element k of a seed is the same wherever it is computed
builtin op random_bits(seed: u64[], shape: int[]) -> (y: u32[..shape])
// which elements dropout keeps: all but a share of `ratio`, by chance. If `together`, four elements
// have the bits of one counter, which takes less time.
builtin op random_keeps(ratio: f32[], seed: u64[], shape: int[], together: bool = false)
    -> (y: bool[..shape])
// any number of tensors, joined along an axis; their other dimensions must agree
builtin op concat<T: any>(xs: T[..N, D @ axis]..., axis: int) -> (y)
// the derivative of y with respect to x: the dimensions of y, then those of x. With `along`, of y's
// type: the sum over y of along * dy/dx, of x's type. With `towards`, of x's type: the sum over x
// of dy/dx * towards, of y's type. x is independent, whatever it was computed from.
builtin op derivative<T: float, U: float>(y: T[..Y], x: U[..X], along: T[..Y]?, towards: U[..X]?)
    -> (d)
