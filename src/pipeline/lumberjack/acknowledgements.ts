/**
 * Sends the acknowledgements of one connection of the Lumberjack protocol.
 *
 * A sender does not wait for one window before it sends the next, and the sequence numbers of each window start at one.
 * Every window therefore needs its own acknowledgement, in order, whatever the order in which events are processed.
 */
import type { Socket } from 'node:net'
import { acknowledgement } from './frames.ts'

/** A sender that receives nothing resends after a while, so keep-alives are sent while it waits. */
const ALIVE_MS = 5000

interface Piece {
  readonly sequence: number
  isDone: boolean
}

export class WindowAcknowledgements {
  readonly #socket: Socket
  /** Knows the version that the sender speaks. */
  readonly #frames: { readonly version: '1' | '2' }
  readonly #pieces: Piece[] = []
  readonly #alive: NodeJS.Timeout

  constructor(socket: Socket, frames: { readonly version: '1' | '2' } = { version: '2' }) {
    this.#socket = socket
    this.#frames = frames
    this.#alive = setInterval(() => this.#sayAlive(), ALIVE_MS)
    socket.once('close', () => clearInterval(this.#alive))
  }

  /** Registers a window up to this sequence number. The returned function is called when its events were delivered. */
  expect(sequence: number): () => void {
    const piece: Piece = { sequence, isDone: false }
    this.#pieces.push(piece)
    return () => {
      piece.isDone = true
      this.#flush()
    }
  }

  #flush(): void {
    while (this.#pieces[0]?.isDone === true) {
      const { sequence } = this.#pieces.shift()!
      if (!this.#socket.destroyed) this.#socket.write(acknowledgement(sequence, this.#frames.version))
    }
  }

  #sayAlive(): void {
    // Version 1 has no keep-alives.
    if (this.#frames.version === '1') return
    if (this.#pieces.length > 0 && !this.#socket.destroyed) this.#socket.write(acknowledgement(0))
  }
}
