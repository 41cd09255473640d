/** Decoding of a stream of MessagePack values, which may end within a value. */
import type { Event } from '../event/event.ts'
import { utf8 } from '../plugin/charset.ts'
import type { Decoder } from '../plugin/codec-plugin.ts'
import { IncompleteMessageError, type MessageValue, readMessage } from './message-pack.ts'

export abstract class MessageStreamDecoder implements Decoder {
  readonly charset = utf8
  readonly #keepsBytes: boolean
  #held = Buffer.alloc(0)

  /** `keepsBytes`: binary values stay bytes instead of becoming text. */
  constructor(keepsBytes: boolean) {
    this.#keepsBytes = keepsBytes
  }

  /** One complete value. */
  protected abstract received(value: MessageValue, out: Event[]): void

  /** Text that is no MessagePack, from its first byte to the end of what has arrived. */
  protected abstract failed(text: string, error: Error, out: Event[]): void

  get pending(): boolean {
    return this.#held.length > 0
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    this.#held = Buffer.concat([this.#held, bytes])
    let at = 0
    try {
      while (at < this.#held.length) {
        const { value, end } = readMessage(this.#held, at, { keepsBytes: this.#keepsBytes })
        at = end
        this.received(value, out)
      }
    } catch (error) {
      if (!(error instanceof IncompleteMessageError)) {
        // The start of the next message is unknown, so all remaining bytes become one text event.
        this.failed(this.charset.decode(this.#held.subarray(at)), error as Error, out)
        at = this.#held.length
      }
    }
    this.#held = Buffer.from(this.#held.subarray(at))
  }

  decodeLine(line: string, out: Event[]): void {
    this.decode(Buffer.from(line), out)
  }

  flush(): void {
    this.#held = Buffer.alloc(0)
  }
}
