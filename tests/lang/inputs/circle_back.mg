mg 1
// Imports the file that imports it.
import "circle.mg" as circle
op two<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] }
