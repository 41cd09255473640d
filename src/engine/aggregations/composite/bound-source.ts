/**
 * A composite source on one shard: its codes, the values they represent, and the position of an `after` value among
 * them.
 */
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { ValueSource } from '../values/value-source.ts'
import type { KeyPrinter, KeyValue } from './key-value.ts'
import type { CompositeSource } from './source-settings.ts'
import type { CodeReader } from './sources/code-readers.ts'

export interface BoundSource {
  readonly settings: CompositeSource
  readonly source: ValueSource
  readonly print: KeyPrinter
  /** Undefined if no document of the segment has a value. */
  codes(view: SegmentView): CodeReader | undefined
  value(code: number): KeyValue
  /** The code of a given value, or a number between those of its neighbours. Throws if the value has a wrong type. */
  position(after: unknown): number
  /** A hash of the value of a code. Equal values have equal hashes on every shard. */
  hash(code: number): number
  /** How documents can be found by this source in the order of its codes; undefined if they cannot. */
  readonly order: LeadingOrder | undefined
}

export type LeadingOrder =
  | { readonly by: 'terms'; readonly field: string }
  | {
      readonly by: 'numbers'
      readonly field: string
      /** The code of a value, and the next code. */
      code(value: number): number
      next(code: number): number
    }

/** The value of a signed code. */
export function keyValue(source: BoundSource, code: number): KeyValue {
  if (!Number.isFinite(code)) return null
  return source.value(source.settings.descending ? -code + 0 : code)
}
