/** The document of a hit: a whole document, or a nested object. */
import { JsonReader } from '../../../base/json/json-reader.ts'
import { plainValue } from '../../../base/json/plain-value.ts'
import type { SourceFilter } from '../../mapping/source/source-filter.ts'
import type { SourceObject } from '../../mapping/source/source-values.ts'
import type { SegmentReader, SegmentView } from '../../segment/segment-reader-api.ts'
import { type NestedStep, objectBytes, rootOf, stepsTo, unwrapObject, wrapObject } from './nested-place.ts'

export class HitDocument {
  readonly segment: SegmentView
  readonly doc: number
  /** The root document; `doc` itself unless it is a nested object. */
  readonly root: number
  /** The path from the document to the object; empty for the document itself. */
  readonly steps: readonly NestedStep[]
  #source: Uint8Array | undefined | null
  #parsed: SourceObject | undefined

  constructor(segment: SegmentView, doc: number) {
    const { nested } = segment.reader
    this.segment = segment
    this.doc = doc
    this.root = nested === undefined ? doc : rootOf(nested, doc)
    this.steps = nested === undefined || this.root === doc ? [] : stepsTo(nested, doc)
    this.#source = null
    this.#parsed = undefined
  }

  get reader(): SegmentReader {
    return this.segment.reader
  }

  /** The source; for a nested object at its place in an otherwise empty document, so that paths keep their meaning. */
  get source(): Uint8Array | undefined {
    if (this.#source === null) this.#source = this.#read()
    return this.#source
  }

  get values(): SourceObject | undefined {
    const { source } = this
    if (this.#parsed === undefined && source !== undefined) this.#parsed = parse(source)
    return this.#parsed
  }

  /** The filtered source. */
  shownSource(filter: SourceFilter): Uint8Array | undefined {
    const { source } = this
    if (source === undefined) return undefined
    const filtered = filter.apply(source)
    return this.steps.length === 0 ? filtered : unwrapObject(filtered, this.#path)
  }

  get #path(): string {
    return this.steps.map(({ field }) => field).join('.')
  }

  #read(): Uint8Array | undefined {
    const whole = this.reader.source(this.root)
    if (whole === undefined || this.steps.length === 0) return whole
    const object = objectBytes(whole, this.steps)
    return object === undefined ? undefined : wrapObject(object, this.#path)
  }
}

function parse(source: Uint8Array): SourceObject {
  const reader = new JsonReader().reset(Uint8Array.from(source))
  reader.next()
  return plainValue(reader, true) as SourceObject
}
