mg 1
// What no equation can say: operations whose result has a size that data decides, or whose order of
// work does. Their meaning is in C, one row each of lang/ops.def.

// the permutation that sorts an axis: stable, NaN last
builtin op argsort<T: number>(x: T[..N, D @ axis], axis: int = -1, descending: bool = false)
    -> (p: i64[..N, D @ axis])
// coordinates of what is not 0, row-major
builtin op nonzero<T: any>(x: T[..S]) -> (y: i64[rank(x), some C <= size(S)])
// boxes in order of score, each dropped that overlaps a better one of its class by more than `iou`:
// rows of batch, class, box
builtin op non_max_suppression(boxes: f32[B, N, 4], scores: f32[B, C, N], max_output: int,
        iou: float = 0.0, score: float = -inf, center: bool = false)
    -> (y: i64[some K <= B * C * min(max_output, N), 3])
// counter-based: element k of a seed is the same wherever it is computed
builtin op random_bits(seed: u64[], shape: int[]) -> (y: u32[..shape])
// any number of tensors one after the other along an axis; their other dimensions agree
builtin op concat<T: any>(xs: T[..N, D @ axis]..., axis: int) -> (y)
