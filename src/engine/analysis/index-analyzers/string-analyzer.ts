/** Any chain: decodes the value to a string, runs the components, and encodes each term. */
import type { IndexAnalyzer, TokenSink } from '../../document/field-schema.ts'
import type { TokenStream } from '../token.ts'

const encoder = new TextEncoder()

export class StringIndexAnalyzer implements IndexAnalyzer {
  readonly #stream: (text: string) => TokenStream
  #scratch = new Uint8Array(1024)

  constructor(stream: (text: string) => TokenStream) {
    this.#stream = stream
  }

  analyze(bytes: Uint8Array, start: number, end: number, sink: TokenSink): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
    const stream = this.#stream(text)
    for (const token of stream.tokens) {
      if (token.term.length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(token.term.length * 3)
      const { written } = encoder.encodeInto(token.term, this.#scratch)
      sink.token(this.#scratch, 0, written, token.positionIncrement)
    }
    sink.endOfValue(stream.trailingIncrement)
  }
}
