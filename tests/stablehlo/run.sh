#!/usr/bin/env bash
# run.sh MGC [-O2]: tests that StableHLO programs that JAX printed (record.py) give JAX's results, at two levels (with -O2
# only at that one) and as the text that `mgc import` writes. A program that is wrong or not supported must be refused with
# its line.
source "$(dirname "$0")/../cli/lib.sh"
cases=$(find "$here/cases" -name model.mlir | wc -l)
[ "$cases" -ge 50 ] || fail "cases are missing"
expect 0 "$cases passed, 0 failed, 0 unsupported" "$mgc" test "$here/cases"
[ -n "${2:-}" ] || expect 0 "$cases passed, 0 failed, 0 unsupported" "$mgc" test -O0 "$here/cases"

# the text, with its weights in a file beside it
mkdir -p text/test_data_set_0
cp "$here/cases/constants/test_data_set_0/data.npz" text/test_data_set_0
expect 0 "" "$mgc" import "$here/cases/constants/model.mlir" -o text/net.mg
[ -e text/net.safetensors ] || fail "no weights"
expect 0 "1 passed, 0 failed" "$mgc" test text
expect 0 "graph model" "$mgc" import "$here/cases/mlp/model.mlir"
expect 0 "" "$mgc" fmt --check text/net.mg

# program TEXT: writes a module with one function, whose argument is %x
program() {
    printf 'module @m {\n  func.func public @main(%%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n%s\n    return %%0 : tensor<2x3xf32>\n  }\n}\n' "$1" > p.mlir
}
program '    %0 = stablehlo.add %x, %x : tensor<2x3xf32>'
expect 0 "[8.0, 10.0, 12.0]" "$mgc" run p.mlir --input x=1,2,3,4,5,6
program '    %0 = "stablehlo.add"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("here")'
expect 0 "[8.0, 10.0, 12.0]" "$mgc" run p.mlir --input x=1,2,3,4,5,6

program '    %0 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.constant dense<2.0> : tensor<f32>
      %2 = stablehlo.multiply %a, %1 : tensor<f32>
      %3 = stablehlo.add %2, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>'
expect 0 "[12.0, 15.0, 18.0]" "$mgc" run p.mlir --input x=1,2,3,4,5,6
program '    %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
    %2 = stablehlo.convert %1 : (tensor<i32>) -> tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %0 = stablehlo.add %x, %3 : tensor<2x3xf32>'
expect 0 "[7.0, 8.0, 9.0]" "$mgc" run p.mlir --input x=1,2,3,4,5,6

# the inverse of erf in f64 is off by less than 1e-12
program '    %w = stablehlo.constant dense<[[0.25, -0.5, 0.75], [0.0, 0.99, -0.9999]]> : tensor<2x3xf64>
    %scale = stablehlo.constant dense<1.0e12> : tensor<2x3xf64>
    %i = chlo.erf_inv %w : tensor<2x3xf64> -> tensor<2x3xf64>
    %e = chlo.erf %i : tensor<2x3xf64> -> tensor<2x3xf64>
    %d = stablehlo.subtract %e, %w : tensor<2x3xf64>
    %s = stablehlo.multiply %d, %scale : tensor<2x3xf64>
    %r = stablehlo.round_nearest_afz %s : tensor<2x3xf64>
    %a = stablehlo.abs %r : tensor<2x3xf64>
    %0 = stablehlo.convert %a : (tensor<2x3xf64>) -> tensor<2x3xf32>'
expect 0 "[[0.0, 0.0, 0.0]," "$mgc" run p.mlir --input x=random
expect 0 " [0.0, 0.0, 0.0]]" "$mgc" run p.mlir --input x=random

# refused MESSAGE TEXT: checks that the message names line 3 of the file, and shows it
refused() {
    program "$2"
    expect 1 "$1" "$mgc" run p.mlir --input x=random
    grep -q 'p.mlir:3:' err || fail "the line of: $1"
}
refused "there is no value %y" '    %0 = stablehlo.add %x, %y : tensor<2x3xf32>'
refused "not supported: the operation stablehlo.rng_bit_generator" '    %0 = stablehlo.rng_bit_generator %x : tensor<2x3xf32>'
refused "not supported: elements of type f32x" '    %0 = stablehlo.add %x, %x : tensor<2x3xf32x>'
refused "not supported: stablehlo.atan2 of complex numbers" '    %0 = stablehlo.atan2 %x, %x : tensor<2x3xcomplex<f32>>'
refused "not supported: stablehlo.real of such operands" '    %0 = stablehlo.real %x : (tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>'
refused "lacks a part" '    %0 = stablehlo.constant dense<[(1.0, 2.0), (3.0)]> : tensor<2xcomplex<f32>>'
refused "a Fourier transform has a type" '    %0 = stablehlo.fft %x, type = FFT, length = [3] : (tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "whose result's sizes don't follow" '    %0 = stablehlo.dynamic_reshape %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>'
refused "whose result's sizes don't follow" '    %0 = stablehlo.dynamic_reshape : tensor<?x3xf32>'
refused "a size is one whole number" '    %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xi32>'
refused "no such type" '    %0 = stablehlo.add %x, %x : tensor<99999999x99999999xf32>'
refused "not supported: stablehlo.and of f32" '    %0 = stablehlo.and %x, %x : tensor<2x3xf32>'
# complex arguments and results have one more axis
cat > p.mlir << 'END'
module @m {
  func.func public @main(%z: tensor<2xcomplex<f32>>, %x: tensor<2xf32>) -> (tensor<2xcomplex<f32>>, tensor<complex<f32>>) {
    %c = stablehlo.constant dense<(0.0,1.0)> : tensor<2xcomplex<f32>>
    %1:2 = call @f(%z, %c) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
    %2 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
    %3 = stablehlo.add %1#0, %2 : tensor<2xcomplex<f32>>
    %one = stablehlo.constant dense<(1.0,0.0)> : tensor<complex<f32>>
    %4 = stablehlo.reduce(%1#1 init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    return %3, %4 : tensor<2xcomplex<f32>>, tensor<complex<f32>>
  }
  func.func private @f(%a: tensor<2xcomplex<f32>>, %b: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
    %0 = stablehlo.multiply %a, %b : tensor<2xcomplex<f32>>
    return %0, %a : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  }
}
END
expect 0 "result0: f32[2, 2]" "$mgc" import p.mlir
expect 0 "[8.0, 1.0]" "$mgc" run p.mlir --input z=1,2,3,4 --input x=10,20
expect 0 "[-5.0, 10.0]" "$mgc" run p.mlir --input z=1,2,3,4 --input x=10,20
program '    %h = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xf16>
    %n = chlo.next_after %h, %h : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
    %0 = stablehlo.convert %n : (tensor<2x3xf16>) -> tensor<2x3xf32>'
expect 1 "not supported: chlo.next_after of f16" "$mgc" run p.mlir --input x=random
refused "the number of operands of stablehlo.add is 2, not 1" '    %0 = stablehlo.add %x : tensor<2x3xf32>'
refused "shapes differ" '    %0 = stablehlo.add %x, %x : tensor<3x2xf32>'
refused "the slice leaves dimension 1" '    %0 = stablehlo.slice %x [0:2, 1:4] : (tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "the constant's length is 2, its type's 6" '    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2x3xf32>'
refused "there is no function @f" '    %0 = call @f(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "more than 64 deep" '    %0 = call @main(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "not supported: the custom call @lapack_sgetrf" '    %0 = stablehlo.custom_call @lapack_sgetrf(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "not supported: the custom call @lapack_sgees_ffi" '    %0 = stablehlo.custom_call @lapack_sgees_ffi(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "it takes one operand, the first of square matrices, and the number of results is 1" '    %0 = stablehlo.cholesky %x, lower = true : tensor<2x3xf32>'
refused "it takes two operands, the first of square matrices" '    %0 = stablehlo.triangular_solve %x, %x : tensor<2x3xf32>'
refused "the first of any matrices, and the number of results is 3" '    %0 = stablehlo.custom_call @lapack_sgetrf_ffi(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "the operands don't match" '    %0 = stablehlo.custom_call @lapack_sorgqr_ffi(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "result 1 has another type" '    %y, %p, %0 = stablehlo.custom_call @lapack_sgetrf_ffi(%x) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<9xi32>, tensor<2x3xf32>)'
refused "contracting_dims dimensions don't match" '    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "a number of low is too large" '    %0 = stablehlo.pad %x, %x, low = [0, 99999999999], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "a gather has an operand and whole numbers" '    %0 = "stablehlo.gather"(%x) <{slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>'
refused "whose result's sizes don't follow" '    %0 = "stablehlo.gather"(%x) <{slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<?x3xf32>'
for sizes in '2147483647, 2147483647, 2147483647' '0, 2147483647, 2147483647'; do
    program "    %c = stablehlo.constant dense<[$sizes]> : tensor<3xi64>
    %b = stablehlo.dynamic_broadcast_in_dim %x, %c, dims = [1, 2] : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
    %0 = stablehlo.reshape %b : (tensor<?x?x?xf32>) -> tensor<2x3xf32>"
    expect 1 "whose result's sizes don't follow" "$mgc" run p.mlir --input x=random
done

# windows SIZES SPREAD PADDING RETURNED: windows of %x, which has an open size, whose numbers are operands and whose function
# returns %a, %b or their sum %c
windows() {
    cat > p.mlir << END
module @m {
  func.func public @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.constant dense<$1> : tensor<2xi32>
    %w = stablehlo.constant dense<1> : tensor<2xi32>
    %d = stablehlo.constant dense<$2> : tensor<2xi32>
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %o = stablehlo.constant dense<0> : tensor<3xi32>
    %q = stablehlo.concatenate $3, %o, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
    %p = stablehlo.reshape %q : (tensor<4xi32>) -> tensor<2x2xi32>
    %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %s, %w, %d, %w, %p) {called_computations = [@f]} : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }
  func.func private @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
    ${5:-}
    return $4 : tensor<f32>
  }
}
END
}
sum='%c = stablehlo.add %a, %b : tensor<f32>'
windows 1 1 %m %c "$sum"
expect 0 "" "$mgc" import p.mlir
windows 1 1 %m %b
expect 1 "not supported: open windows with such a region" "$mgc" import p.mlir
windows 0 1 %m %c "$sum"
expect 1 "a size or step of the window is wrong" "$mgc" import p.mlir
windows 1 2 %m %c "$sum"
expect 1 "not supported: open padding of an operand with holes" "$mgc" import p.mlir

refused "the number of named results is 2, of types 1" '    %0:2 = stablehlo.add %x, %x : tensor<2x3xf32>'
program '    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %c) across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
     reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %1 = stablehlo.reverse %b, dims = [] : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }'
expect 1 "not supported: stablehlo.reverse in a region that combines numbers" "$mgc" run p.mlir --input x=random
program '    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %c) across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
     reducer(%a: tensor<f32>, %b: tensor<i32>) {
      %1 = stablehlo.add %a, %a : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }'
expect 1 "the region has other arguments" "$mgc" run p.mlir --input x=random
program '    %0 = stablehlo.add %x, %x'
expect 1 "result" "$mgc" run p.mlir --input x=random
# many functions and sizes are found by name
{
    echo 'module @m {'
    for i in {1..3000}; do echo "  func.func private @f$i(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }"; done
    echo '  func.func public @main(%x: tensor<?x3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {'
    for i in {1..3000}; do echo "    %s$i = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %r$i = call @f$i(%z) : (tensor<3xf32>) -> tensor<3xf32>"; done
    printf '    return %%r9 : tensor<3xf32>\n  }\n}\n'
} > p.mlir
expect 0 "graph p(" timeout 20 "$mgc" import p.mlir
printf 'module @m {\n  func.func @main(' > p.mlir
expect 1 "the program ends where an argument is expected" "$mgc" run p.mlir
printf 'ML\xefR\x01' > p.mlir
expect 1 "this is bytecode: print the module as text" "$mgc" run p.mlir
printf 'hello' > p.mlir
expect 1 "a function is expected" "$mgc" run p.mlir
: > p.mlir
expect 1 "there is no public function" "$mgc" run p.mlir
expect 1 "No such file" "$mgc" run none.mlir
finish
