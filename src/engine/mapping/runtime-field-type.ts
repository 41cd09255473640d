/**
 * A runtime field for queries, sorts and aggregations: a field with doc values and without an index. Its values are
 * computed when they are first read (`runtime-fields/`), from a script or from `_source`.
 */

import { createHash } from 'node:crypto'
import { illegalArgument } from '../../base/api-error.ts'
import { formatDouble } from '../../base/json/json-writer.ts'
import { runtimeName } from '../document/derived-doc-values.ts'
import type { FieldSchema } from '../document/field-schema.ts'
import { RuntimeField, type RuntimeFieldOptions } from '../runtime-fields/runtime-field.ts'
import { SourceEvaluator } from '../runtime-fields/source-evaluator.ts'
import { registerComputedField } from '../segment/doc-values/computed-field.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../values/geo-encoding.ts'
import { javaText } from '../values/java-text.ts'
import type { RuntimeFieldDefinition } from './definition/runtime-fields.ts'
import type { FieldTraits } from './field-traits.ts'
import type { FieldShape, FieldType, IndexValue, RangeBound, RangeOptions, RangeValues } from './field-type.ts'
import { leafDefinition } from './field-type-registry.ts'
import { printPoint } from './field-types/geo-point.ts'
import { LeafMapper, PLAIN_SCHEMA } from './leaf-mapper.ts'
import type { MappingContext } from './mapping-context.ts'

/** How the values of a field are computed. Fields with equal `key`s have equal values. */
export interface RuntimeValues {
  readonly key: () => string
  readonly open: RuntimeFieldOptions['open']
  /** The name of the field in errors about its values, if it is not its own: that of a composite field. */
  readonly shownName?: string
  /** The values depend on the query of a search, so no other search can use them. */
  readonly ofOneSearch?: boolean
}

/** A field of a type with its own values, which excludes `composite`. */
export function runtimeFieldType(
  name: string,
  definition: RuntimeFieldDefinition,
  context: MappingContext,
  values?: (owner: RuntimeFieldType) => RuntimeValues,
): RuntimeFieldType {
  const mapped = leafDefinition(definition.type)!
  const given = new Map<string, unknown>([['index', false]])
  for (const key of ['format', 'locale']) if (definition[key] !== undefined) given.set(key, javaText(definition[key]))
  if (definition['meta'] !== undefined) given.set('meta', definition['meta'])
  const leaf = new LeafMapper({ definition: mapped, name, path: name, given, subFields: new Map(), copyTo: [] })
  let schema: FieldSchema = { ...PLAIN_SCHEMA, id: -1, name }
  const { type } = mapped.build(leaf, {
    path: name,
    nestedPath: undefined,
    sourcePath: name,
    copiedFrom: [],
    context: { ...context, limits: { ...context.limits, ignoreAbove: 0x7fffffff } },
    schema: (shape) => (schema = { ...PLAIN_SCHEMA, ...shape, id: -1, name }),
  })
  return new RuntimeFieldType(type, schema, definition, values)
}

export class RuntimeFieldType implements FieldType {
  readonly name: string
  readonly type: string
  readonly traits: FieldTraits
  readonly shape: FieldShape
  readonly indexed = false
  readonly hasDocValues = true
  readonly stored = false
  readonly searchable = true
  readonly aggregatable = true
  readonly isRuntime = true
  readonly meta: Readonly<Record<string, string>> | undefined
  readonly nestedPath = undefined
  readonly sourcePath: string
  readonly copiedFrom = []
  readonly analyzerName = undefined
  readonly searchAnalyzerName = undefined
  readonly searchQuoteAnalyzerName = undefined
  readonly dateFormat: FieldType['dateFormat']
  readonly definition: RuntimeFieldDefinition
  readonly #like: FieldType
  readonly parseDocValue?: (printed: unknown) => Uint8Array
  readonly #plainSchema: FieldSchema
  readonly #values: RuntimeValues
  #schema: FieldSchema | undefined
  #field: RuntimeField | undefined

  constructor(
    like: FieldType,
    schema: FieldSchema,
    definition: RuntimeFieldDefinition,
    values: ((owner: RuntimeFieldType) => RuntimeValues) | undefined,
  ) {
    this.#like = like
    this.#plainSchema = schema
    this.definition = definition
    this.name = like.name
    this.type = like.type
    this.traits = like.traits
    this.shape = like.shape
    this.meta = like.meta
    this.sourcePath = like.sourcePath
    this.dateFormat = like.dateFormat
    if (like.parseDocValue !== undefined) this.parseDocValue = (printed) => like.parseDocValue!(printed)
    this.#values = values?.(this) ?? this.#fromSource()
  }

  /** Computed on demand: it depends on the fields that a script reads, which may be runtime fields too. */
  get schema(): FieldSchema {
    this.#schema ??= { ...this.#plainSchema, name: this.field.name }
    return this.#schema
  }

  get field(): RuntimeField {
    if (this.#field !== undefined) return this.#field
    const { type, name } = this
    const values = this.#values
    const { script, format, locale, on_script_error: onError } = this.definition
    const parts = JSON.stringify([type, script, format, locale, onError, values.key()], (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    const key = runtimeName(name, createHash('sha1').update(parts).digest('base64'))
    const ignoresErrors = onError === 'continue'
    this.#field = registerComputedField(
      key,
      () =>
        new RuntimeField({
          name: key,
          type,
          open: values.open,
          ignoresErrors,
          shownName: values.shownName ?? name,
          ofOneSearch: values.ofOneSearch === true,
        }),
    )
    return this.#field
  }

  #fromSource(): RuntimeValues {
    const { name } = this
    const like = this.#like
    return { key: () => 'source', open: (reader, into) => new SourceEvaluator(reader, name, like, into) }
  }

  /** The values of one document in `docvalue_fields` form. */
  docValues(reader: SegmentReader, doc: number, format: string | undefined): unknown[] {
    const values = this.field.valuesOf(reader, doc).map((value) => {
      if (typeof value !== 'object' || !('latitude' in value)) return this.formatDocValue(value, format)
      const { latitude, longitude } = value
      return `${formatDouble(decodeLatitude(latitude))}, ${formatDouble(decodeLongitude(longitude))}`
    })
    return this.shape === 'geo' ? values.sort() : values
  }

  /** The values of one document in `fields` form. Those of a field of the mapping are in the order of its script. */
  fetch(reader: SegmentReader, doc: number, format: string | undefined, ofMapping = false): unknown[] {
    const keepsOrder = ofMapping && this.shape !== 'geo' && this.traits.family !== 'boolean'
    const values = keepsOrder ? this.field.emittedBy(reader, doc) : this.field.valuesOf(reader, doc)
    return values.map((value) => {
      if (typeof value !== 'object' || !('latitude' in value)) return this.formatDocValue(value, format)
      return printPoint(value.exact, format)
    })
  }

  termValue(value: unknown, listed?: boolean): IndexValue {
    if (this.traits.family !== 'boolean') return this.#like.termValue(value, listed)
    const text = value === null ? 'false' : javaText(value)
    if (text === 'true') return 1
    if (text === 'false') return 0
    throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
  }

  rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, options: RangeOptions): RangeValues {
    if (this.shape === 'geo') {
      throw illegalArgument(`Runtime field [${this.name}] of type [${this.type}] does not support range queries`)
    }
    if (this.traits.family !== 'boolean') return this.#like.rangeValues(lower, upper, options)
    // In Elasticsearch a missing bound is `false`, so that nothing is true below an open upper bound.
    return {
      lower: lower && (this.termValue(lower.value) as number) + (lower.inclusive ? 0 : 1),
      upper: upper === undefined ? 0 : (this.termValue(upper.value) as number) - (upper.inclusive ? 0 : 1),
    }
  }

  formatDocValue(value: IndexValue, format: string | undefined): unknown {
    return this.#like.formatDocValue(value, format)
  }

  /** Only checks the format: `fields` shows the computed values as `docvalue_fields` does. */
  formatSourceValue(value: unknown, format: string | undefined): unknown {
    const { family } = this.traits
    if (format !== undefined && (family === 'boolean' || family === 'ip' || this.shape === 'term')) {
      throw illegalArgument(`Field [${this.name}] of type [${this.type}] does not support custom formats`)
    }
    return family === 'number' ? value : this.#like.formatSourceValue(value, format)
  }
}
