/**
 * How values of one field become entries: everything the document parser needs, laid out in one shape for all types so
 * that the loop over a document's tokens stays monomorphic.
 */
import type { JsonReader } from '../../../base/json/json-reader.ts'
import type { FieldSchema } from '../../document/field-schema.ts'
import type { ParsedDocument } from '../../document/parsed-document.ts'
import type { DateFormat } from '../../time/format/date-format.ts'
import type { ParseContext } from '../mapping-api.ts'
import type { MappingNormalizer } from '../mapping-context.ts'
import type { DocumentPlaces } from './document-place.ts'

export const OP_KEYWORD = 1
export const OP_TEXT = 2
/** byte, short, integer */
export const OP_INTEGER = 3
export const OP_LONG = 4
/** double, float, half_float */
export const OP_DECIMAL = 5
export const OP_DATE = 6
export const OP_BOOLEAN = 7
export const OP_GEO_POINT = 8
/** A type that takes a text: ip, version, binary. */
export const OP_STRING = 9
/** A type that takes any JSON value: ranges, flattened, completion. */
export const OP_VALUE = 10

export type PlanOp = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10

/** How the answer for a bad value reads: with the field and a preview, or as it is. */
export type ErrorForm = 'preview' | 'bare'

/** Where a special type reads a value from and puts what it made of it. */
export interface EntrySink {
  /** Stands on the value; afterwards on its last token. */
  readonly reader: JsonReader
  readonly places: DocumentPlaces
  readonly out: ParsedDocument
  readonly doc: number
  /** The document's id and routing. */
  readonly context: ParseContext
  /** A number at the current token, by the rules of a number plan; undefined for null. */
  number(plan: FieldPlan): number | bigint | undefined
  /** Notes the field in `_field_names`; for fields that have neither doc values nor norms. */
  name(plan: FieldPlan): void
  /** Marks the field in `_ignored` of the document. */
  ignore(field: string): void
  /** Asks for a change of the field's own definition. */
  learn(path: string, definition: Record<string, unknown>): void
  /** Copies bytes behind the text of the document; returns where they begin. */
  put(bytes: Uint8Array): number
}

export type WriteText = (plan: FieldPlan, text: string, sink: EntrySink) => void
export type WriteValue = (plan: FieldPlan, sink: EntrySink) => void

export interface PlanOptions {
  readonly path: string
  readonly type: string
  readonly op: PlanOp
  /** Undefined when nothing is kept of the field: values are checked only. */
  readonly schema: FieldSchema | undefined
  readonly stored?: boolean
  readonly coerce?: boolean
  readonly ignoreMalformed?: boolean
  /** In UTF-16 units, as Java counts a string's length. */
  readonly ignoreAbove?: number
  readonly normalizer?: MappingNormalizer | undefined
  readonly low?: number
  readonly high?: number
  /** double 64, float 32, half_float 16 */
  readonly bits?: number
  readonly dateFormat?: DateFormat | undefined
  readonly nanos?: boolean
  /** Value that stands for null: text, number, bigint, boolean or a point, as JSON. */
  readonly nullValue?: unknown
  readonly writeText?: WriteText | undefined
  readonly writeValue?: WriteValue | undefined
  /** The values of an array come in one piece. */
  readonly takesArrays?: boolean
  readonly takesObjects?: boolean
  readonly errorForm?: ErrorForm
}

export class FieldPlan {
  readonly path: string
  readonly pathBytes: Uint8Array
  readonly type: string
  readonly op: PlanOp
  readonly schema: FieldSchema | undefined
  /** Something of a value is kept besides `_source`. */
  readonly writes: boolean
  /** The field has neither doc values nor norms: its presence is kept in `_field_names`. */
  readonly inFieldNames: boolean
  readonly stored: boolean
  readonly coerce: boolean
  readonly ignoreMalformed: boolean
  readonly ignoreAbove: number
  readonly normalizer: MappingNormalizer | undefined
  readonly low: number
  readonly high: number
  readonly bits: number
  readonly dateFormat: DateFormat | undefined
  readonly nanos: boolean
  readonly nullValue: unknown
  readonly hasNullValue: boolean
  readonly writeText: WriteText | undefined
  readonly writeValue: WriteValue | undefined
  readonly takesArrays: boolean
  readonly takesObjects: boolean
  readonly errorForm: ErrorForm
  /** Set once, when the plan of the whole mapping is laid out. */
  subFields: readonly FieldPlan[]
  copyTo: readonly string[]
  /** Nothing but this field's own entry is to be made for a value. */
  isPlain: boolean

  constructor(options: PlanOptions) {
    const schema = options.schema
    this.path = options.path
    this.pathBytes = Buffer.from(options.path)
    this.type = options.type
    this.op = options.op
    this.schema = schema
    this.writes =
      schema !== undefined &&
      (schema.docValues !== 'none' || schema.inverted !== 'none' || schema.ordered || schema.norms)
    this.inFieldNames = this.writes && schema!.docValues === 'none' && !schema!.norms
    this.stored = options.stored ?? false
    this.coerce = options.coerce ?? true
    this.ignoreMalformed = options.ignoreMalformed ?? false
    this.ignoreAbove = options.ignoreAbove ?? 0x7fffffff
    this.normalizer = options.normalizer
    this.low = options.low ?? 0
    this.high = options.high ?? 0
    this.bits = options.bits ?? 64
    this.dateFormat = options.dateFormat
    this.nanos = options.nanos ?? false
    this.nullValue = options.nullValue ?? null
    this.hasNullValue = this.nullValue !== null
    this.writeText = options.writeText
    this.writeValue = options.writeValue
    this.takesArrays = options.takesArrays ?? false
    this.takesObjects = options.takesObjects ?? false
    this.errorForm = options.errorForm ?? 'preview'
    this.subFields = []
    this.copyTo = []
    this.isPlain = true
  }

  attach(subFields: readonly FieldPlan[], copyTo: readonly string[]): void {
    this.subFields = subFields
    this.copyTo = copyTo
    this.isPlain = subFields.length === 0 && copyTo.length === 0 && !this.stored && !this.ignoreMalformed
  }
}
