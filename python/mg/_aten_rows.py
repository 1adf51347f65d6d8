"""The operators of ATen in MG: a table, as frontend/onnx/ops_*.def is for ONNX.

A row is an MG expression in which `$x` is ATen's argument x:

- `$x` is a tensor, or a number, word or list as MG writes it. `$x?` is `none` if x is absent. `$x:number` is a tensor of one number.
- `{...}` vanishes if an argument in it is absent, or has the value after `!=`: `{ * $alpha!=1}`.
- `$x:each` is a list of equal numbers, written as that number. `$x:axes` is a list, even of one number. `$x:all` is a list of tensors
  with commas between them.
- `$x:stored` is a tensor with its axes in the order of memory. `$x:in_order` is one whose axes lie in their own order; others have no
  row. `$x:plain` is a tensor that is not converted. `$x:never` is nothing; there is no row if x is given and not 0. `$shape` and `$out`
  are the result's shape and element type.

Results and operands may differ in type in ATen. The table that has the row gives the type to which operands are converted: that of
the result (RESULT), the one that PyTorch finds for all operands (COMMON), bool (BOOL), or none (PLAIN). ON_BOOLS has the rows that
differ for bools. EACH has one expression for each result, whose number is `$nth`. MORE has the row for a node that uses more than
its first result. A name without an overload stands for all overloads that have no row of their own.

The operators `aten.NAME` are in lang/std/aten.mg.
"""

from dataclasses import dataclass
from typing import Dict, Sequence


@dataclass(frozen=True)
class Row:
    template: str
    rule: str = ""
    on_bools: str = ""
    more: str = ""
    each: Sequence[str] = ()


RESULT = {
    **{f: f + "($self)" for f in (
        "abs acos acosh asin asinh atan atanh cos cosh erf erfc exp exp2 expm1 floor ceil trunc log log1p log2 neg reciprocal "
        "relu round rsqrt sigmoid silu sin sinh sqrt tan tanh mish").split()},
    "add": "$self + $other{ * $alpha!=1}",
    "sub": "$self - $other{ * $alpha!=1}",
    "rsub": "$other - $self{ * $alpha!=1}",
    "mul": "$self * $other",
    "div": "div($self, $other)",
    "div.Tensor_mode": "aten.div($self, $other{, rounding = $rounding_mode})",
    "div.Scalar_mode": "aten.div($self, $other{, rounding = $rounding_mode})",
    "floor_divide": 'aten.div($self, $other, rounding = "floor")',
    "remainder": "mod($self, $other)",
    "fmod": "rem($self, $other)",
    "pow": "aten.pow($self, $exponent)",
    "maximum": "maximum($self, $other)",
    "minimum": "minimum($self, $other)",
    "atan2": "aten.atan2($self, $other)",
    "copysign": "aten.copysign($self, $other)",
    "fmax": "aten.fmax($self, $other)",
    "fmin": "aten.fmin($self, $other)",
    "hypot": "aten.hypot($self, $other)",
    "log10": "aten.log10($self)",
    **dict.fromkeys(("sgn", "sign"), "aten.sgn($self)"),
    "round.decimals": "aten.round($self, decimals = $decimals)",
    "gelu": "aten.gelu($self{, approximate = $approximate!=none})",
    "leaky_relu": "leaky_relu($self, slope = $negative_slope)",
    "elu": "aten.elu($self, alpha = $alpha, scale = $scale, input_scale = $input_scale)",
    "celu": "celu($self, alpha = $alpha)",
    "softplus": "aten.softplus($self, beta = $beta, threshold = $threshold)",
    "hardtanh": "hard_tanh($self, lo = $min_val, hi = $max_val)",
    "hardswish": "hard_swish($self)",
    "hardsigmoid": "hard_sigmoid($self)",
    "log_sigmoid_forward": "log_sigmoid($self)",
    "clamp": "aten.clamp($self, $min?, $max?)",
    "clamp_min": "maximum($self, $min)",
    "clamp_max": "minimum($self, $max)",
    "bitwise_and": "bit_and($self, $other)",
    "bitwise_or": "bit_or($self, $other)",
    "bitwise_xor": "bit_xor($self, $other)",
    "bitwise_not": "bit_not($self)",
    **dict.fromkeys(("bitwise_left_shift", "__lshift__"), "shift_left($self, $other)"),
    **dict.fromkeys(("bitwise_right_shift", "__rshift__"), "shift_right($self, $other)"),
    "erfinv": "stablehlo.erf_inv($self)",
    "lgamma": "stablehlo.log_gamma($self)",
    "where.self": "where($condition:plain, $self, $other)",
    "where.ScalarSelf": "where($condition:plain, $self:number, $other)",
    "where.ScalarOther": "where($condition:plain, $self, $other:number)",
    "where.Scalar": "where($condition:plain, $self:number, $other:number)",
    "masked_fill": "where($mask:plain, $value:number, $self)",
    "cat": "concat($tensors:all, axis = $dim)",
    "sum": "sum($self{, axes = $dim:axes}{, keepdims = $keepdim!=False})",
    "sum.default": "sum($self)",
    "mean": "mean($self{, axes = $dim:axes}{, keepdims = $keepdim!=False})",
    "mean.default": "mean($self)",
    "prod": "prod($self, axes = $dim:axes{, keepdims = $keepdim!=False})",
    "prod.default": "prod($self)",
    "cumsum": "cumsum($self, axis = $dim)",
    "cumprod": "cumprod($self, axis = $dim)",
    "scatter_add": 'scatter_elements($self, $index:plain, $src, axis = $dim, reduction = "add")',
    "_softmax": "softmax($self, axis = $dim)",
    "_log_softmax": "log_softmax($self, axis = $dim)",
    "arange.start_step": "range($start:number, $step:number, n = $shape:only)",
}
COMMON = {
    "eq": "equal($self, $other)",
    "ne": "not_equal($self, $other)",
    "lt": "less($self, $other)",
    "le": "less_equal($self, $other)",
    "gt": "greater($self, $other)",
    "ge": "greater_equal($self, $other)",
}
BOOL = {
    "logical_and": "$self and $other",
    "logical_or": "$self or $other",
    "logical_xor": "$self != $other",
    "logical_not": "not $self",
    "any": "any($self)",
    "any.dim": "any($self, axes = $dim:axes{, keepdims = $keepdim!=False})",
    "any.dims": "any($self{, axes = $dim:axes}{, keepdims = $keepdim!=False})",
    "all": "all($self)",
    "all.dim": "all($self, axes = $dim:axes{, keepdims = $keepdim!=False})",
    "all.dims": "all($self{, axes = $dim:axes}{, keepdims = $keepdim!=False})",
}
PLAIN = {
    # types and copies
    "_to_copy": "aten.to($self, type = $out)",
    "prims.convert_element_type.default": "aten.to($a, type = $out)",
    "clone": "identity($self)",
    "resolve_conj": "identity($self)",
    "resolve_neg": "identity($self)",
    "_neg_view": "neg($self)",
    "alias": "identity($self)",
    "detach": "identity($self)",
    "lift_fresh_copy": "identity($self)",
    "copy": "expand(aten.to($src, type = $out), shape = $shape)",
    "isnan": "is_nan($self)",
    "isinf": "is_inf($self)",
    # new tensors
    "full": "full($fill_value:number, shape = $shape)",
    "full_like": "full($fill_value:number, shape = $shape)",
    "new_full": "full($fill_value:number, shape = $shape)",
    **dict.fromkeys(("scalar_tensor", "prims.scalar_tensor"), "full($s:number, shape = [])"),
    "zeros": "zeros(shape = $shape, type = $out)",
    "zeros_like": "zeros(shape = $shape, type = $out)",
    "new_zeros": "zeros(shape = $shape, type = $out)",
    "ones": "ones(shape = $shape, type = $out)",
    "ones_like": "ones(shape = $shape, type = $out)",
    "new_ones": "ones(shape = $shape, type = $out)",
    "empty": "zeros(shape = $shape, type = $out)",
    "empty_like": "zeros(shape = $shape, type = $out)",
    "empty_permuted": "zeros(shape = $shape, type = $out)",
    "new_empty": "zeros(shape = $shape, type = $out)",
    "new_empty_strided": "zeros(shape = $shape, type = $out)",
    "empty_strided": "zeros(shape = $shape, type = $out)",
    "eye": "eye(rows = $n, type = $out)",
    "eye.m": "eye(rows = $n, columns = $m, type = $out)",
    "prims.iota.default": "aten.iota($length, start = $start, step = $step, type = $out)",
    # moves
    "view": "reshape($self, shape = $shape)",
    "_unsafe_view": "reshape($self, shape = $shape)",
    "reshape": "reshape($self, shape = $shape)",
    "permute": "transpose($self, perm = $dims)",
    "unsqueeze": "unsqueeze($self, axes = [$dim])",
    "squeeze": "reshape($self, shape = $shape)",
    "expand": "expand($self, shape = $shape)",
    "slice": "slice($self, axis = $dim{, start = $start!=0}{, stop = $end!=9223372036854775807}{, step = $step!=1})",
    "select": "select($self, index = $index, axis = $dim)",
    "as_strided": "aten.as_strided($self:stored, sizes = $shape, strides = $stride{, offset = $storage_offset})",
    "as_strided_scatter": "aten.as_strided_scatter($self:in_order, $src, sizes = $size, strides = $stride{, offset = $storage_offset})",
    "flip": "flip($self, axes = $dims)",
    "roll": "aten.roll($self, shifts = $shifts, axes = $dims)",
    "repeat": "aten.repeat($self, times = $repeats)",
    "tril": "tril($self{, k = $diagonal!=0})",
    "triu": "triu($self{, k = $diagonal!=0})",
    "diagonal": "aten.diagonal($self, offset = $offset, a = $dim1, b = $dim2)",
    "constant_pad_nd": "aten.constant_pad($self, $value:number, widths = $pad)",
    "reflection_pad1d": 'aten.mirror_pad($self, widths = $padding, mode = "reflect")',
    "reflection_pad2d": 'aten.mirror_pad($self, widths = $padding, mode = "reflect")',
    "reflection_pad3d": 'aten.mirror_pad($self, widths = $padding, mode = "reflect")',
    "replication_pad1d": 'aten.mirror_pad($self, widths = $padding, mode = "edge")',
    "replication_pad2d": 'aten.mirror_pad($self, widths = $padding, mode = "edge")',
    "replication_pad3d": 'aten.mirror_pad($self, widths = $padding, mode = "edge")',
    "pixel_shuffle": 'depth_to_space($self, block = $upscale_factor, mode = "crd")',
    "slice_scatter": "aten.slice_scatter($self, $src{, start = $start}{, stop = $end}, step = $step, axis = $dim)",
    "select_scatter": "aten.select_scatter($self, $src, index = $index, axis = $dim)",
    # places that data decide
    "embedding": "embedding($indices, $weight)",
    "index_select": "gather($self, $index, axis = $dim)",
    "gather": "gather_elements($self, $index, axis = $dim)",
    "scatter.src": "scatter_elements($self, $index, $src, axis = $dim)",
    "scatter.value": "aten.scatter_value($self, $index, $value:number, axis = $dim)",
    "topk": "aten.topk($self, k = $k, axis = $dim, largest = $largest)",
    "index.Tensor": "aten.index$indices:number_of($self, $indices:those, axes = $indices:places)",
    "_unsafe_index.Tensor": "aten.index$indices:number_of($self, $indices:those, axes = $indices:places)",
    "sort": "aten.sorted($self, axis = $dim{, descending = $descending!=False})",
    "sort.stable": "aten.sorted($self, axis = $dim{, descending = $descending!=False})",
    "argsort": "aten.order($self, axis = $dim{, descending = $descending!=False})",
    # reductions
    "amax": "aten.amax($self{, axes = $dim:axes}{, keepdims = $keepdim!=False})",
    "amin": "aten.amin($self{, axes = $dim:axes}{, keepdims = $keepdim!=False})",
    "max": "aten.amax($self)",
    "min": "aten.amin($self)",
    "max.dim": "aten.amax($self, axes = [$dim]{, keepdims = $keepdim!=False})",
    "min.dim": "aten.amin($self, axes = [$dim]{, keepdims = $keepdim!=False})",
    "argmax": "argmax($self, axis = $dim{, keepdims = $keepdim!=False}) || aten.argmax_all($self{, keepdims = $keepdim!=False})",
    "argmin": "argmin($self, axis = $dim{, keepdims = $keepdim!=False}) || aten.argmin_all($self{, keepdims = $keepdim!=False})",
    "logsumexp": "log_sum_exp($self, axes = $dim:axes{, keepdims = $keepdim!=False})",
    "var.correction": "aten.variance($self{, axes = $dim:axes}{, correction = $correction}{, keepdims = $keepdim!=False})",
    "var_mean.correction": "aten.variance($self{, axes = $dim:axes}{, correction = $correction}{, keepdims = $keepdim!=False})",
    # products
    "mm": "matmul($self, $mat2)",
    "bmm": "matmul($self, $mat2)",
    "mv": "matvec($self, $vec)",
    "dot": "dot($self, $tensor)",
    "linear": "linear($input, $weight{, $bias})",
    "addmm": "aten.addmm($self, $mat1, $mat2{, beta = $beta!=1}{, alpha = $alpha!=1})",
    "baddbmm": "aten.addmm($self, $batch1, $batch2{, beta = $beta!=1}{, alpha = $alpha!=1})",
    "convolution": "aten.convolution($input, $weight, $bias?{, stride = $stride:each!=1}{, padding = $padding:each!=0}"
                   "{, dilation = $dilation:each!=1}{, transposed = $transposed!=False}{, output_padding = $output_padding:each!=0}"
                   "{, groups = $groups!=1})",
    # normalisation and attention
    "native_layer_norm": "aten.layer_norm($input, $weight?, $bias?, axes = $normalized_shape:count, eps = $eps)",
    "native_group_norm": "group_norm($input, $weight?, $bias?, groups = $group, eps = $eps)",
    "_native_batch_norm_legit_no_training":
        "batch_norm($input, $running_mean, $running_var, $weight?, $bias?{, eps = $eps})",
    "_fused_rms_norm": "rms_norm($input, $weight?, axis = -$normalized_shape:count, eps = $eps)",
    "_scaled_dot_product_flash_attention_for_cpu":
        "aten.attention($query, $key, $value, $attn_mask?{, causal = $is_causal!=False}{, scale = $scale})",
    **{f"_scaled_dot_product_{f}_attention":
        f"aten.attention($query, $key, $value{bias}$dropout_p:never{{, causal = $is_causal!=False}}{{, scale = $scale}})"
       for f, bias in (("flash", ", none"), ("efficient", ", $attn_bias?"), ("cudnn", ", $attn_bias?"))},
    "_weight_norm_interface_backward": "aten.weight_norm_backward($grad_w, $saved_v, $saved_g, $saved_norms, axis = $dim)",
    "_transformer_encoder_layer_fwd":
        "aten.encoder_layer($src, $qkv_weight, $qkv_bias, $proj_weight, $proj_bias, $norm_weight_1, $norm_bias_1, $norm_weight_2, "
        "$norm_bias_2, $ffn_weight_1, $ffn_bias_1, $ffn_weight_2, $ffn_bias_2$mask:never, heads = $num_heads, "
        "gelu = $use_gelu, norm_first = $norm_first, eps = $eps)",
    # windows
    "max_pool2d_with_indices": "aten.max_pool($self, kernel = $kernel_size{, stride = $stride}{, padding = $padding:each!=0}"
                               "{, dilation = $dilation:each!=1}{, ceil_mode = $ceil_mode!=False})",
    "avg_pool1d": "aten.avg_pool($self, kernel = $kernel_size{, stride = $stride}{, padding = $padding:each!=0}"
                  "{, ceil_mode = $ceil_mode!=False}, count_pad = $count_include_pad)",
    "avg_pool2d": "aten.avg_pool($self, kernel = $kernel_size{, stride = $stride}{, padding = $padding:each!=0}"
                  "{, ceil_mode = $ceil_mode!=False}, count_pad = $count_include_pad$divisor_override:never)",
    "max_pool2d_with_indices_backward": "aten.max_pool_to_input($grad_output, $self, $indices, dims = $kernel_size:count)",
    "avg_pool2d_backward":
        "aten.avg_pool_to_input($grad_output, $self, kernel = $kernel_size{, stride = $stride}{, padding = $padding:each!=0}"
        "{, ceil_mode = $ceil_mode!=False}, count_pad = $count_include_pad$divisor_override:never)",
    "_adaptive_avg_pool2d_backward": "aten.adaptive_avg_pool_to_input($grad_output, $self, to = $grad_output:last2)",
    "_scaled_dot_product_flash_attention_for_cpu_backward":
        "aten.attention_backward($grad_out, $query, $key, $value, $attn_mask?{, causal = $is_causal!=False}{, scale = $scale})",
    "index_put": "aten.index_put$indices:number_of($self, $values, $indices:those, axes = $indices:places"
                 "{, accumulate = $accumulate!=False})",
    "_unsafe_index_put": "aten.index_put$indices:number_of($self, $values, $indices:those, axes = $indices:places"
                         "{, accumulate = $accumulate!=False})",
    "_adaptive_avg_pool2d": "aten.adaptive_avg_pool($self, to = $output_size)",
}
PLAIN["max_pool3d_with_indices"] = PLAIN["max_pool2d_with_indices"]
PLAIN["avg_pool3d"] = PLAIN["avg_pool2d"]
PLAIN["_adaptive_avg_pool3d"] = PLAIN["_adaptive_avg_pool2d"]
PLAIN["adaptive_avg_pool1d"] = PLAIN["_adaptive_avg_pool2d"]

# Several results, each with an expression of its own.
_CONVOLUTION = ("($grad_output, $input, $weight{, stride = $stride:each!=1}{, padding = $padding:each!=0}{, dilation = $dilation:each!=1}"
                "{, transposed = $transposed!=False}{, output_padding = $output_padding:each!=0}{, groups = $groups!=1})")
ONE_BY_ONE = {
    "convolution_backward": ["aten.convolution_to_input" + _CONVOLUTION, "aten.convolution_to_weight" + _CONVOLUTION,
                             "aten.convolution_to_bias($grad_output)"],
}
EACH = {
    "split": "slice($self, axis = $dim, start = $nth * $split_size, stop = ($nth + 1) * $split_size)",
    "split_with_sizes": "part($self, start = $split_sizes:before, length = $split_sizes:at, axis = $dim)",
    "unbind": "select($self, index = $nth, axis = $dim)",
}
ON_BOOLS = {
    "add": "$self or $other", "mul": "$self and $other", "bitwise_and": "$self and $other", "bitwise_or": "$self or $other",
    "bitwise_xor": "$self != $other", "bitwise_not": "not $self", "maximum": "$self or $other", "minimum": "$self and $other",
    "eq": "$self == $other", "ne": "$self != $other", "lt": "$other and not $self", "gt": "$self and not $other",
    "le": "$other or not $self", "ge": "$self or not $other",
}
MORE = {
    "_weight_norm_interface_backward": "aten.weight_norm_backward($grad_w, $saved_v, $saved_g, $saved_norms, axis = $dim)",
    "_scaled_dot_product_flash_attention_for_cpu_backward":
        "aten.attention_backward($grad_out, $query, $key, $value, $attn_mask?{, causal = $is_causal!=False}{, scale = $scale})",
    "max.dim": "aten.max_at($self, axis = $dim{, keepdims = $keepdim!=False})",
    "min.dim": "aten.min_at($self, axis = $dim{, keepdims = $keepdim!=False})",
    "var_mean.correction":
        "aten.var_mean($self{, axes = $dim:axes}{, correction = $correction}{, keepdims = $keepdim!=False})",
    "topk": "aten.topk($self, k = $k, axis = $dim, largest = $largest)",
    "sort": "aten.sorted($self, axis = $dim{, descending = $descending!=False})",
    "sort.stable": "aten.sorted($self, axis = $dim{, descending = $descending!=False})",
    "native_layer_norm": "aten.layer_norm_statistics($input, $weight?, $bias?, axes = $normalized_shape:count, eps = $eps)",
    "native_group_norm": "aten.group_norm_statistics($input, $weight?, $bias?, groups = $group, eps = $eps)",
    "max_pool2d_with_indices": "aten.max_pool_index($self, kernel = $kernel_size{, stride = $stride}{, padding = $padding:each!=0}"
                               "{, dilation = $dilation:each!=1}{, ceil_mode = $ceil_mode!=False})",
    "_scaled_dot_product_flash_attention_for_cpu":
        "aten.attention_statistics($query, $key, $value, $attn_mask?{, causal = $is_causal!=False}{, scale = $scale})",
}

# Operators that take or give complex tensors, which are pairs of floats along a last axis. `$x:pair` is x as such a tensor, in the result's
# type. `$x:axis` and `$x:axes` don't count that axis; `$shape` has it, `$plain_shape` is the shape without it,
# `$x:every` are the axes of x without it, and `$out` is the type of a part.
COMPLEX = {
    **dict.fromkeys(("clone", "alias", "detach", "lift_fresh_copy", "_to_copy"), "identity($self:pair)"),
    "view_as_real": "identity($self)",
    "view_as_complex": "identity($self)",
    "complex": "stack(expand($real, shape = $plain_shape), expand($imag, shape = $plain_shape), axis = -1)",
    "polar": "stack($abs * cos($angle), $abs * sin($angle), axis = -1)",
    "add": "$self:pair + $other:pair{ * $alpha!=1}",
    "sub": "$self:pair - $other:pair{ * $alpha!=1}",
    "mul": "aten.complex_mul($self:pair, $other:pair)",
    "rsub": "$other:pair - $self:pair{ * $alpha!=1}",
    "div": "aten.complex_div($self:pair, $other:pair)",
    "reciprocal": "aten.complex_div(aten.as_complex(ones(shape = [], type = $out)), $self:pair)",
    "pow": "aten.complex_pow($self:pair, $exponent:pair)",
    **{f: f"aten.complex_{f}($self:pair)" for f in ("abs", "angle", "exp", "log", "sqrt", "sgn")},
    **dict.fromkeys(("neg", "_neg_view"), "neg($self)"),
    **dict.fromkeys(("_conj", "_conj_physical", "conj_physical"), "aten.conj($self:pair)"),
    **dict.fromkeys(("resolve_conj", "resolve_neg"), "identity($self)"),
    "eq": "all($self:pair == $other:pair, axes = [-1])",
    "ne": "any($self:pair != $other:pair, axes = [-1])",
    "where.self": "where(unsqueeze($condition, axes = [-1]), $self:pair, $other:pair)",
    "mm": "aten.complex_matmul($self:pair, $mat2:pair)",
    "bmm": "aten.complex_matmul($self:pair, $mat2:pair)",
    "mv": "reshape(aten.complex_matmul($self:pair, unsqueeze($vec:pair, axes = [1])), shape = $shape)",
    "dot": "reshape(aten.complex_matmul(unsqueeze($self:pair, axes = [0]), unsqueeze($tensor:pair, axes = [1])), shape = $shape)",
    "addmm": "$self:pair{ * $beta!=1} + aten.complex_matmul($mat1:pair, $mat2:pair){ * $alpha!=1}",
    "sum.dim_IntList": "sum($self, axes = $dim:axes{, keepdims = $keepdim!=False})",
    "mean.dim": "mean($self, axes = $dim:axes{, keepdims = $keepdim!=False})",
    "sum.default": "sum($self, axes = $self:every)",
    "mean.default": "mean($self, axes = $self:every)",
    "cumsum": "cumsum($self, axis = $dim:axis)",
    "full": "expand($fill_value:pair, shape = $shape)",
    **dict.fromkeys(("zeros", "zeros_like", "new_zeros", "empty", "empty_like"), "zeros(shape = $shape, type = $out)"),
    **dict.fromkeys(("ones", "ones_like", "new_ones"), "aten.as_complex(ones(shape = $plain_shape, type = $out))"),
    "flip": "flip($self, axes = $dims:axes)",
    "index.Tensor": "aten.index$indices:number_of($self, $indices:those, axes = $indices:places)",
    "index_select": "gather($self, $index, axis = $dim:axis)",
    **dict.fromkeys(("view", "_unsafe_view", "reshape", "squeeze"), "reshape($self, shape = $shape)"),
    "permute": "transpose($self, perm = $dims:perm)",
    "unsqueeze": "unsqueeze($self, axes = [$dim:axis])",
    "expand": "expand($self, shape = $shape)",
    "slice": "slice($self, axis = $dim:axis{, start = $start!=0}{, stop = $end!=9223372036854775807}{, step = $step!=1})",
    "select": "select($self, index = $index, axis = $dim:axis)",
    "cat": "concat($tensors:pairs, axis = $dim:axis)",
}


def _table() -> Dict[str, Row]:
    table = {}
    for rule, part in (("result", RESULT), ("common", COMMON), ("bool", BOOL), ("", PLAIN)):
        for op, template in part.items():
            table[op] = Row(template, rule, ON_BOOLS.get(op, ""), MORE.get(op, ""))
    table.update({op: Row("", each=[template]) for op, template in EACH.items()})
    table.update({op: Row("", each=templates) for op, templates in ONE_BY_ONE.items()})
    return table


ROWS = _table()
COMPLEX_ROWS = {op: Row(template) for op, template in COMPLEX.items()}
COMPLEX_ROWS.update({op: Row("", each=[template.replace("$dim", "$dim:axis")]) for op, template in EACH.items()})
