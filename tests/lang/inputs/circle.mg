mg 1
// Imports the file that imports it.
import "circle_back.mg" as back
op one<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] }
