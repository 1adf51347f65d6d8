mg 1
// What no equation can say: operations where the data decide the result's size or the order of the
// work. C code defines their meaning; each is a row of lang/ops.def.

// The permutation that sorts an axis. It is stable and puts NaN last.
builtin op argsort<T: number>(x: T[..N, D @ axis], axis: int = -1, descending: bool = false)
    -> (p: i64[..N, D @ axis])
// The coordinates of the elements that are not 0, in row-major order.
builtin op nonzero<T: any>(x: T[..S]) -> (y: i64[rank(x), some C <= size(S)])
// Takes boxes in order of score and drops each that overlaps a better one of its class by more than
// `iou`, which is 0 if it isn't given. A row of the result is batch, class, box.
builtin op non_max_suppression(boxes: f32[B, N, 4], scores: f32[B, C, N], iou: f32[]?,
        max_output: int, score: float = -inf, center: bool = false)
    -> (y: i64[some K <= B * C * min(max_output, N), 3])
// Random bits from a counter: element k of a seed is the same wherever it is computed.
builtin op random_bits(seed: u64[], shape: int[]) -> (y: u32[..shape])
// Joins any number of tensors along an axis. Their other dimensions agree.
builtin op concat<T: any>(xs: T[..N, D @ axis]..., axis: int) -> (y)
// The derivative of y by x: the dimensions of y, then those of x. With `along`, which is like y: the
// sum over y of along * dy/dx, which is like x. With `towards`, which is like x: the sum over x of
// dy/dx * towards, which is like y. x counts as independent, whatever it was made from.
builtin op derivative<T: float, U: float>(y: T[..Y], x: U[..X], along: T[..Y]?, towards: U[..X]?)
    -> (d)
