/** The keyword analyzer: the value is the term. */
import type { IndexAnalyzer, TokenSink } from '../../document/field-schema.ts'

export class WholeBytesAnalyzer implements IndexAnalyzer {
  analyze(bytes: Uint8Array, start: number, end: number, sink: TokenSink): void {
    sink.token(bytes, start, end, 1)
    sink.endOfValue(0)
  }
}
