/**
 * The first `size` of many ordinals in an order, without sorting the rest: a heap with the worst kept one on top. If
 * the order starts with the largest of `weights`, most others are rejected by their weight alone.
 */
export function selectTop(
  ordinals: Int32Array,
  count: number,
  size: number,
  compare: (a: number, b: number) => number,
  weights?: Int32Array,
): Int32Array {
  if (count <= size) return ordinals.slice(0, count).sort(compare)
  const heap = ordinals.slice(0, size)
  for (let i = (size >> 1) - 1; i >= 0; i--) siftDown(heap, i, compare)
  let bar = weights === undefined ? 0 : weights[heap[0]!]!
  for (let i = size; i < count; i++) {
    if (weights !== undefined && weights[ordinals[i]!]! < bar) continue
    if (compare(ordinals[i]!, heap[0]!) >= 0) continue
    heap[0] = ordinals[i]!
    siftDown(heap, 0, compare)
    if (weights !== undefined) bar = weights[heap[0]!]!
  }
  return heap.sort(compare)
}

function siftDown(heap: Int32Array, from: number, compare: (a: number, b: number) => number): void {
  const moved = heap[from]!
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++
    if (compare(heap[child]!, moved) <= 0) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = moved
}
