/** The items with the highest scores. The heap has Lucene's operations, because they decide which of equal scores stay. */
export class ScoreQueue<Item extends { readonly score: number }> {
  readonly #limit: number
  /** Indexed from 1. */
  readonly #heap: (Item | undefined)[] = [undefined]

  constructor(limit: number) {
    this.#limit = limit
  }

  get #size(): number {
    return this.#heap.length - 1
  }

  /** Adds the item, in place of the lowest one if the queue is full; an item that is not higher than that is left out. */
  offer(item: Item): void {
    if (this.#size < this.#limit) this.#add(item)
    else if (this.#size > 0 && this.#heap[1]!.score < item.score) this.#replaceTop(item)
  }

  /** The items, lowest score first. The queue is empty afterwards. */
  drain(): Item[] {
    const all: Item[] = []
    while (this.#size > 0) {
      all.push(this.#heap[1]!)
      const last = this.#heap.pop()!
      if (this.#size > 0) this.#replaceTop(last)
    }
    return all
  }

  #add(item: Item): void {
    this.#heap.push(item)
    let i = this.#size
    for (let parent = i >>> 1; parent > 0 && item.score < this.#heap[parent]!.score; parent = i >>> 1) {
      this.#heap[i] = this.#heap[parent]
      i = parent
    }
    this.#heap[i] = item
  }

  #replaceTop(item: Item): void {
    let i = 1
    for (let child = this.#lower(2); this.#isBelow(child, item); child = this.#lower(i * 2)) {
      this.#heap[i] = this.#heap[child]
      i = child
    }
    this.#heap[i] = item
  }

  #isBelow(child: number, item: Item): boolean {
    return child <= this.#size && this.#heap[child]!.score < item.score
  }

  #lower(child: number): number {
    const [left, right] = [this.#heap[child], this.#heap[child + 1]]
    return left !== undefined && right !== undefined && right.score < left.score ? child + 1 : child
  }
}
