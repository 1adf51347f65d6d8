mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// The messages for words of other frameworks and languages suggest MG's.
import nn
graph types(a: float32[N], b: double[N], c: long[N]) -> () { }
graph attributes(x: f32[B, 3, 8, 8]) -> () {
    a = nn.conv2d(x, out_channels = 4, kernel_size = 3, padding = 1)
    b = mean(x, dim = [2, 3], keepdim = true)
    c = softmax(x, dim = 1)
    d = nn.linear(x, out_features = 4, in_features = 8)
    e = transpose(x, axes = [0, 2, 3, 1])
}
graph operators(x: f32[4, 4]) -> () {
    a = nn.Conv2d(x, channels = 3, kernel = 3)
    b = torch.relu(x)
    c = einsum(x, x)
    d = x.relu()
    e = x.view(2, 8)
    f = np.concatenate(x, x, axis = 0)
    g = x.T
    h = x.shape
    i = clip(x, None, 1.0)
    j = nn.relu(x)
    k = Dense(x, 3)
    l = F.interpolate(x)
}

// CHECK:{{.*}}foreign.mg:5:16: error: no element type is named 'float32'; did you mean 'f32'?{{$}}
// CHECK-NEXT:{{^}}    5 | graph types(a: float32[N], b: double[N], c: long[N]) -> () { }{{$}}
// CHECK-NEXT:{{^}}      |                ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:5:31: error: no element type is named 'double'; did you mean 'f64'?{{$}}
// CHECK-NEXT:{{^}}    5 | graph types(a: float32[N], b: double[N], c: long[N]) -> () { }{{$}}
// CHECK-NEXT:{{^}}      |                               ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:5:45: error: no element type is named 'long'; did you mean 'i64'?{{$}}
// CHECK-NEXT:{{^}}    5 | graph types(a: float32[N], b: double[N], c: long[N]) -> () { }{{$}}
// CHECK-NEXT:{{^}}      |                                             ^~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:7:22: error: 'conv2d' has no attribute 'out_channels'; did you mean 'channels'?{{$}}
// CHECK-NEXT:{{^}}    7 |     a = nn.conv2d(x, out_channels = 4, kernel_size = 3, padding = 1){{$}}
// CHECK-NEXT:{{^}}      |                      ^~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:7:40: error: 'conv2d' has no attribute 'kernel_size'; did you mean 'kernel'?{{$}}
// CHECK-NEXT:{{^}}    7 |     a = nn.conv2d(x, out_channels = 4, kernel_size = 3, padding = 1){{$}}
// CHECK-NEXT:{{^}}      |                                        ^~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:7:57: error: 'conv2d' has no attribute 'padding'; did you mean 'pad'?{{$}}
// CHECK-NEXT:{{^}}    7 |     a = nn.conv2d(x, out_channels = 4, kernel_size = 3, padding = 1){{$}}
// CHECK-NEXT:{{^}}      |                                                         ^~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:8:17: error: 'mean' has no attribute 'dim'; did you mean 'axes'?{{$}}
// CHECK-NEXT:{{^}}    8 |     b = mean(x, dim = [2, 3], keepdim = true){{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:8:31: error: 'mean' has no attribute 'keepdim'; did you mean 'keepdims'?{{$}}
// CHECK-NEXT:{{^}}    8 |     b = mean(x, dim = [2, 3], keepdim = true){{$}}
// CHECK-NEXT:{{^}}      |                               ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:9:20: error: 'softmax' has no attribute 'dim'; did you mean 'axis'?{{$}}
// CHECK-NEXT:{{^}}    9 |     c = softmax(x, dim = 1){{$}}
// CHECK-NEXT:{{^}}      |                    ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:10:22: error: 'linear' has no attribute 'out_features'; did you mean 'features'?{{$}}
// CHECK-NEXT:{{^}}   10 |     d = nn.linear(x, out_features = 4, in_features = 8){{$}}
// CHECK-NEXT:{{^}}      |                      ^~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:10:40: error: 'linear' has no attribute 'in_features'; the operand's shape gives it{{$}}
// CHECK-NEXT:{{^}}   10 |     d = nn.linear(x, out_features = 4, in_features = 8){{$}}
// CHECK-NEXT:{{^}}      |                                        ^~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:11:22: error: 'transpose' has no attribute 'axes'; did you mean 'perm'?{{$}}
// CHECK-NEXT:{{^}}   11 |     e = transpose(x, axes = [0, 2, 3, 1]){{$}}
// CHECK-NEXT:{{^}}      |                      ^~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:14:9: error: no operator is named 'nn.Conv2d'; did you mean 'nn.conv2d'?{{$}}
// CHECK-NEXT:{{^}}   14 |     a = nn.Conv2d(x, channels = 3, kernel = 3){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:15:9: error: no operator is named 'torch.relu'; did you mean 'relu'?{{$}}
// CHECK-NEXT:{{^}}   15 |     b = torch.relu(x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:16:9: error: no operator is named 'einsum'; write it as an equation, as in y[i, k] = sum[j] a[i, j] * b[j, k]{{$}}
// CHECK-NEXT:{{^}}   16 |     c = einsum(x, x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:17:9: error: no operator is named 'x.relu'; a tensor has no methods: write 'relu(x)'{{$}}
// CHECK-NEXT:{{^}}   17 |     d = x.relu(){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:18:9: error: no operator is named 'x.view'; a tensor has no methods: write 'reshape(x)'{{$}}
// CHECK-NEXT:{{^}}   18 |     e = x.view(2, 8){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:19:9: error: no operator is named 'np.concatenate'; did you mean 'concat'?{{$}}
// CHECK-NEXT:{{^}}   19 |     f = np.concatenate(x, x, axis = 0){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:20:9: error: nothing is named 'x.T'; a tensor has no members: write swap_axes(x){{$}}
// CHECK-NEXT:{{^}}   20 |     g = x.T{{$}}
// CHECK-NEXT:{{^}}      |         ^~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:21:9: error: nothing is named 'x.shape'; a tensor has no members: use the names of its dimensions, as in f32[B, 10]{{$}}
// CHECK-NEXT:{{^}}   21 |     h = x.shape{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:22:17: error: nothing is named 'None'; did you mean 'none'?{{$}}
// CHECK-NEXT:{{^}}   22 |     i = clip(x, None, 1.0){{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:23:9: error: no operator is named 'nn.relu'; did you mean 'relu'?{{$}}
// CHECK-NEXT:{{^}}   23 |     j = nn.relu(x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:24:9: error: no operator is named 'Dense'; did you mean 'nn.linear'?{{$}}
// CHECK-NEXT:{{^}}   24 |     k = Dense(x, 3){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~{{$}}
// CHECK-NEXT:{{.*}}foreign.mg:25:9: error: no operator is named 'F.interpolate'; did you mean 'resize2d'?{{$}}
// CHECK-NEXT:{{^}}   25 |     l = F.interpolate(x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
