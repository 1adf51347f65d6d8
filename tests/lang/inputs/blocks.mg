mg 1
// Imported by sema_imports.mg.
import nn
layer pair<T: float>(x: T[N, D], width: int) -> (y: T[N, D]) {
    a = nn.linear(x, features = width)
    b = nn.linear(relu(a), features = D)
    y = b
}
op triple<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = 3 * x[..s] }
