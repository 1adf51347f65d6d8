mg 1
// RUN: %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// A graph that changes parameters leaves dropout out, unless it names a seed.
import nn

layer net(x: f32[N]) -> (y: f32[N]) {
    param w: f32[N] = 1
    z[n] = x[n] * w[n]
    y = nn.dropout(z)
}
graph step(x: f32[4]) -> (loss: f32[]) {
    param n: net()
    y = n(x)
    loss = sum(y)
    for w in n {
        next w = sub(w, derivative(loss, w))
    }
}
graph trains(x: f32[4], seed: u64[]) -> (loss: f32[])
    training seed
{
    param n: net()
    y = n(x)
    loss = sum(y)
    for w in n {
        next w = sub(w, derivative(loss, w))
    }
}
graph use(x: f32[4]) -> (y: f32[4]) {
    param n: net()
    y = n(x)
}

// CHECK:{{.*}}not_training.mg:11:7: warning: 'step' changes its parameters, and a layer asks for the word 'training', which is false here: the clause 'training seed', with an input 'seed: u64[]', makes it true{{$}}
// CHECK-NOT: warning
