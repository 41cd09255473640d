/** Runtime fields with a script. The emitted values are the values of the document. */
import { type CompiledScript, type EmitSink, fromJava, type ScriptInstance } from '../painless/index.ts'
import { type ScriptFields, SegmentDoc } from '../scripts/doc-access.ts'
import { documentSource } from '../scripts/document-source.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { requireIp } from '../values/ip.ts'
import type { ValueEvaluator } from './runtime-field.ts'
import { compositeAdder, type SourceValueType } from './source-evaluator.ts'
import {
  type AnyCollector,
  CHARACTERS_MAX,
  type LongCollector,
  type NumberCollector,
  type PointCollector,
  type TermCollector,
  VALUES_MAX,
} from './value-collector.ts'

export interface ScriptedField {
  readonly name: string
  readonly type: SourceValueType
  readonly script: CompiledScript
  readonly params: Readonly<Record<string, unknown>>
  readonly fields: ScriptFields
  /** The name of the sub-field in a composite script. */
  readonly subField?: string | undefined
}

export class ScriptEvaluator implements ValueEvaluator {
  readonly #instance: ScriptInstance
  readonly #sink: ValueSink
  readonly #into: AnyCollector

  constructor(reader: SegmentReader, field: ScriptedField, into: AnyCollector) {
    const sink = new ValueSink(field, into)
    this.#sink = sink
    this.#into = into
    const { dateFormat } = field.type
    this.#instance = field.script.newInstance({
      params: field.params,
      doc: new SegmentDoc(reader, field.fields),
      emit: sink,
      emitBlock: into,
      begin: (doc: number) => sink.begin(doc),
      source: (doc: number) => documentSource(reader, doc),
      ...(dateFormat === undefined ? {} : { parseDate: (text: string) => BigInt(dateFormat.parse(text).ms) }),
    })
  }

  evaluate(doc: number): void {
    this.#sink.begin(doc)
    this.#instance.execute(doc)
  }

  evaluateBlock(docs: Int32Array, count: number): number {
    const done = this.#instance.executeBlock(docs, count)
    if (done === count) this.#into.endDocument()
    return done
  }

  evaluateRange(from: number, count: number): boolean {
    if (this.#instance.emitRange?.(from, count) !== true) return false
    this.#into.endDocument()
    return true
  }

  get failure(): unknown {
    return this.#instance.failure
  }
}

/** Receives the values that a script emits and enforces the limits per document. */
class ValueSink implements EmitSink {
  doc = 0
  readonly #subField: string | undefined
  readonly #into: AnyCollector
  readonly #addComposite: (doc: number, value: unknown) => void
  #characters = 0

  constructor({ type, subField }: ScriptedField, into: AnyCollector) {
    this.#subField = subField
    this.#into = into
    this.#addComposite = compositeAdder(type, into)
  }

  /** Starts a document. Values emitted so far belong to the previous one. */
  begin(doc: number): void {
    this.#into.endDocument()
    this.doc = doc
    this.#characters = 0
  }

  emitLong(value: bigint): void {
    this.#check()
    if (this.#into.kind === 'long') (this.#into as LongCollector).add(this.doc, value)
    else (this.#into as NumberCollector).add(this.doc, Number(value))
  }

  emitDouble(value: number): void {
    this.#check()
    ;(this.#into as NumberCollector).add(this.doc, value)
  }

  emitBoolean(value: boolean): void {
    this.#check()
    ;(this.#into as NumberCollector).add(this.doc, value ? 1 : 0)
  }

  emitString(value: string): void {
    this.#check()
    const into = this.#into as TermCollector
    if (into.isBinary) {
      into.add(this.doc, Buffer.from(requireIp(value)).toString('latin1'))
      return
    }
    this.#characters += value.length
    if (this.#characters > CHARACTERS_MAX) into.tooManyCharacters(this.#characters)
    into.add(this.doc, value)
  }

  emitGeoPoint(lat: number, lon: number): void {
    this.#check()
    ;(this.#into as PointCollector).add(this.doc, lat, lon)
  }

  emitComposite(name: string, value: unknown): void {
    if (name !== this.#subField) return
    this.#check()
    this.#addComposite(this.doc, fromJava(value))
  }

  #check(): void {
    const { pending } = this.#into
    if (pending >= VALUES_MAX) this.#into.tooManyValues(pending)
  }
}
