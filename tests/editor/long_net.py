"""Writes a net of about 1,000 lines, as a user would: with blocks, equations and comments."""


def long_net(blocks=160):
    lines = ["mg 1", "import nn", "", "// twice as much", "op twice<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = 2 * x[..s] }", "",
             "graph net(x0: f32[B, 64]) -> (y: f32[B, 64])", "{"]
    for i in range(blocks):
        lines += [f"    // block {i}",
                  f"    a{i} = nn.linear(x{i}, features = 128)",
                  f"    b{i} = relu(a{i})",
                  f"    c{i} = nn.linear(b{i}, features = 64)",
                  f"    d{i}[b, f] = c{i}[b, f] * 0.5 + x{i}[b, f]",
                  f"    x{i + 1} = layer_norm(twice(d{i}))" if i % 2 else f"    x{i + 1} = twice(d{i})"]
    return "\n".join(lines + [f"    y = softmax(x{blocks})", "}", ""])
