/**
 * What a sender of events is told, on one connection.
 *
 * Senders do not wait for one window before they send the next, and each window counts from one: every window needs its own
 * acknowledgement, in their order, whatever order the events go through in.
 */
import type { Socket } from 'node:net'
import { acknowledgement } from './lumberjack-frames.ts'

/** A sender that hears nothing gives up and sends again: while it has to wait it is told that we are alive. */
const ALIVE_MS = 5000

interface Piece {
  readonly sequence: number
  isDone: boolean
}

export class BeatsAcknowledgements {
  readonly #socket: Socket
  readonly #pieces: Piece[] = []
  readonly #alive: NodeJS.Timeout

  constructor(socket: Socket) {
    this.#socket = socket
    this.#alive = setInterval(() => this.#sayAlive(), ALIVE_MS)
    socket.once('close', () => clearInterval(this.#alive))
  }

  /** Events of one window are on their way, up to this number; the function returned is called when they have arrived. */
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
      if (!this.#socket.destroyed) this.#socket.write(acknowledgement(sequence))
    }
  }

  #sayAlive(): void {
    if (this.#pieces.length > 0 && !this.#socket.destroyed) this.#socket.write(acknowledgement(0))
  }
}
