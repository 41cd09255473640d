/**
 * Tracks how far a file or queue has been delivered. Pieces are acknowledged in any order (several workers), but the
 * position advances only over pieces without a gap: after a crash nothing before it is missing.
 */
interface Piece {
  readonly end: number
  done: boolean
}

export class DeliveredPosition {
  readonly #onMove: (position: number) => void
  #pieces: Piece[] = []
  #whenSettled: (() => void) | undefined

  constructor(onMove: (position: number) => void) {
    this.#onMove = onMove
  }

  /** Registers a piece that ends at `end`. The returned function is called when it was delivered. */
  expect(end: number): () => void {
    const piece: Piece = { end, done: false }
    // The list is replaced when the file restarts, so that deliveries of old content have no effect.
    const pieces = this.#pieces
    pieces.push(piece)
    return () => {
      piece.done = true
      if (pieces === this.#pieces) this.#advance()
    }
  }

  /** The file restarts at its beginning. */
  reset(): void {
    this.#pieces = []
    this.#settle()
  }

  /** Calls back once no piece is in flight. */
  whenSettled(done: () => void): void {
    this.#whenSettled = done
    if (this.#pieces.length === 0) this.#settle()
  }

  #advance(): void {
    let count = 0
    while (count < this.#pieces.length && this.#pieces[count]!.done) count++
    if (count === 0) return
    const { end } = this.#pieces[count - 1]!
    this.#pieces.splice(0, count)
    this.#onMove(end)
    if (this.#pieces.length === 0) this.#settle()
  }

  #settle(): void {
    const done = this.#whenSettled
    this.#whenSettled = undefined
    done?.()
  }
}
