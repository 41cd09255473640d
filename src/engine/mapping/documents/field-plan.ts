/**
 * How values of one field become entries: everything the document parser needs, in one object shape for all types, so
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
/** A type that accepts text: ip, version, binary. */
export const OP_STRING = 9
/** A type that accepts any JSON value: ranges, flattened, completion. */
export const OP_VALUE = 10

export type PlanOp = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10

/** The form of the error for an invalid value: with the field and a preview, or bare. */
export type ErrorForm = 'preview' | 'bare'

/** The source and target of a special type's values. */
export interface EntrySink {
  /** At the value; afterwards at its last token. */
  readonly reader: JsonReader
  readonly places: DocumentPlaces
  readonly out: ParsedDocument
  readonly doc: number
  /** The document's id and routing. */
  readonly context: ParseContext
  /** A number at the current token, by the rules of a number plan; undefined for null. */
  number(plan: FieldPlan): number | bigint | undefined
  /** Lists the field in `_field_names`, for fields without doc values and norms. */
  name(plan: FieldPlan): void
  /** Lists the field in `_ignored` of the document. */
  ignore(field: string): void
  /** Requests a change of the field's own definition. */
  learn(path: string, definition: Record<string, unknown>): void
  /** Copies bytes after the text of the document; returns their start. */
  put(bytes: Uint8Array): number
}

export type WriteText = (plan: FieldPlan, text: string, sink: EntrySink) => void
export type WriteValue = (plan: FieldPlan, sink: EntrySink) => void

export interface PlanOptions {
  readonly path: string
  readonly type: string
  readonly op: PlanOp
  /** Undefined if nothing of the field is stored: values are only validated. */
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
  /** The value of null: text, number, bigint, boolean or a point, as JSON. */
  readonly nullValue?: unknown
  readonly writeText?: WriteText | undefined
  readonly writeValue?: WriteValue | undefined
  /** Whether the type receives arrays as a whole. */
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
  /** Whether anything besides `_source` is stored for a value. */
  readonly writes: boolean
  /** Whether the field has neither doc values nor norms, so that its presence is stored in `_field_names`. */
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
  /** Set once, when the layout of the whole mapping is built. */
  subFields: readonly FieldPlan[]
  copyTo: readonly string[]
  /** Whether a value only creates this field's own entry. */
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
    this.isPlain = !this.stored && !this.ignoreMalformed
  }

  attach(subFields: readonly FieldPlan[], copyTo: readonly string[]): void {
    this.subFields = subFields
    this.copyTo = copyTo
    this.isPlain = subFields.length === 0 && copyTo.length === 0 && !this.stored && !this.ignoreMalformed
  }
}
