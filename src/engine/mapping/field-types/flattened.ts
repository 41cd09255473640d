/**
 * `flattened`: a whole object as keywords. Every leaf value is a term of the field itself, and also, prefixed by its
 * key and a zero byte, a term of a second physical field for `field.key`.
 */

import { illegalArgument, parsingException } from '../../../base/api-error.ts'
import { TERM_BYTES_MAX } from '../../../base/errors/term-errors.ts'
import {
  END_ARRAY,
  END_OBJECT,
  FALSE,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../base/json/json-reader.ts'
import { newMembers } from '../../../base/json/members.ts'
import { keyedName } from '../../document/derived-doc-values.ts'
import type { FieldSchema } from '../../document/field-schema.ts'
import { TERM } from '../../document/parsed-document.ts'
import { javaText } from '../../values/java-text.ts'
import {
  choice,
  docValues,
  flag,
  index,
  integer,
  meta,
  parameter,
  positive,
  similarity,
  text,
} from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_VALUE } from '../documents/field-plan.ts'
import { utf16Length } from '../documents/number-reader.ts'
import type { FieldType, IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { isObject, type SourceObject } from '../source/source-values.ts'
import { BaseFieldType, PlainTermType, termRange } from './base-field-type.ts'

const KEYED_SUFFIX = '._keyed'
const SEPARATOR = 0

export const flattened: LeafDefinition = {
  type: 'flattened',
  traits: { family: 'keyword' },
  mayHaveSubFields: true,
  parameters: [
    index(),
    docValues(),
    integer('depth_limit', 20, { updatable: true }),
    text('null_value', null, { acceptsNull: true }),
    flag('eager_global_ordinals', false, { updatable: true }),
    positive('ignore_above', 0x7fffffff, illegalArgument, { updatable: true }),
    choice('index_options', 'docs', ['docs', 'freqs']),
    similarity(),
    flag('split_queries_on_whitespace', false, { updatable: true }),
    meta(),
    parameter('time_series_dimensions', [], (value) => (Array.isArray(value) ? value.map((v) => javaText(v)) : [])),
  ],
  check(leaf) {
    for (const [parameter, isGiven] of [
      ['fields', leaf.subFields.size > 0],
      ['copy_to', leaf.copyTo.length > 0],
    ]) {
      if (isGiven) throw illegalArgument(`flattened field [${leaf.name}] does not support [${parameter}]`)
    }
    const limit = leaf.number('depth_limit')
    if (limit < 0) throw illegalArgument(`[depth_limit] must be positive, got [${limit}]`)
  },
  build(leaf, site) {
    const shape = {
      inverted: leaf.flag('index') ? ('docs' as const) : ('none' as const),
      docValues: leaf.flag('doc_values') ? ('term' as const) : ('none' as const),
    }
    const schema = site.schema(shape)
    const keyed = site.schema(shape, KEYED_SUFFIX)
    const writer = new FlattenedWriter(leaf, ignoreAboveOf(leaf, site), keyed)
    return {
      type: new FlattenedType(leaf, site, schema, keyed),
      plan: new FieldPlan({
        path: site.path,
        type: 'flattened',
        op: OP_VALUE,
        schema,
        takesObjects: true,
        writeValue: (plan, sink) => writer.write(plan, sink),
      }),
    }
  },
}

/** The field's own limit, or that of the index. */
const ignoreAboveOf = (leaf: LeafMapper, { context }: BuildSite) =>
  leaf.isGiven('ignore_above') ? leaf.number('ignore_above') : context.limits.ignoreAbove

class FlattenedWriter {
  readonly #keyed: FieldSchema
  readonly #depthLimit: number
  readonly #ignoreAbove: number
  readonly #nullValue: string | null

  constructor(leaf: LeafMapper, ignoreAbove: number, keyed: FieldSchema) {
    this.#keyed = keyed
    this.#depthLimit = leaf.number('depth_limit')
    this.#ignoreAbove = ignoreAbove
    this.#nullValue = leaf.textOrNull('null_value')
  }

  write(plan: FieldPlan, sink: EntrySink): void {
    const { reader } = sink
    if (reader.token === NULL) return
    if (reader.token !== START_OBJECT) {
      const found =
        reader.token === STRING ? 'STRING' : reader.token === TRUE || reader.token === FALSE ? 'BOOLEAN' : 'NUMBER'
      throw parsingException(
        `Failed to parse object: expecting token of type [START_OBJECT] but found [VALUE_${found}]`,
      )
    }
    this.#object(plan, '', 1, sink)
  }

  #object(plan: FieldPlan, path: string, depth: number, sink: EntrySink): void {
    const { reader } = sink
    while (reader.next() !== END_OBJECT) {
      const name = reader.text()
      reader.next()
      this.#value(plan, path === '' ? name : `${path}.${name}`, depth, sink)
    }
  }

  #value(plan: FieldPlan, path: string, depth: number, sink: EntrySink): void {
    const { reader } = sink
    switch (reader.token) {
      case START_OBJECT:
        if (depth + 1 > this.#depthLimit) {
          throw illegalArgument(
            `The provided [flattened] field [${plan.path}] exceeds the maximum depth limit of [${this.#depthLimit}].`,
          )
        }
        this.#object(plan, path, depth + 1, sink)
        return
      case START_ARRAY:
        while (reader.next() !== END_ARRAY) this.#value(plan, path, depth, sink)
        return
      case NULL:
        if (this.#nullValue !== null) this.#term(plan, path, Buffer.from(this.#nullValue), sink)
        return
      default:
        this.#term(plan, path, reader.bytes.subarray(reader.start, reader.end), sink)
    }
  }

  #term(plan: FieldPlan, path: string, value: Uint8Array, sink: EntrySink): void {
    if (utf16Length(value, 0, value.length) > this.#ignoreAbove || !plan.writes) return
    const key = Buffer.from(path)
    if (key.includes(SEPARATOR)) {
      throw illegalArgument(
        `Do not include the null byte \\0 in flattened field keys. Found in field [${plan.path}] key [${path}]`,
      )
    }
    const length = key.length + 1 + value.length
    if (length > TERM_BYTES_MAX) {
      throw illegalArgument(
        `Flattened field [${plan.path}] contains one immense field whose keyed encoding is longer than the allowed max length of ${TERM_BYTES_MAX} bytes. Key length: ${key.length}, value length: ${value.length} for key starting with [${path.slice(0, 50)}]`,
      )
    }
    const start = sink.put(Buffer.concat([key, ZERO, value]))
    const { out, doc } = sink
    out.add(plan.schema!, TERM, start + key.length + 1, start + length, doc)
    out.add(this.#keyed, TERM, start, start + length, doc)
    if (plan.inFieldNames) sink.name(plan)
  }
}

const ZERO = new Uint8Array(1)

export class FlattenedType extends PlainTermType {
  readonly #keyed: FieldSchema
  readonly #leaf: LeafMapper
  readonly #site: BuildSite

  constructor(leaf: LeafMapper, site: BuildSite, schema: FieldSchema, keyed: FieldSchema) {
    super({
      leaf,
      site,
      shape: 'term',
      schema,
      indexed: leaf.flag('index'),
      hasDocValues: leaf.flag('doc_values'),
    })
    this.#keyed = keyed
    this.#leaf = leaf
    this.#site = site
  }

  /** The field `name.key`. */
  keyed(key: string): FieldType {
    return new KeyedType(this.#leaf, this.#site, this.#keyed, key)
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return isObject(value) ? this.#shown(value) : undefined
  }

  /**
   * The members without texts that are too long to be indexed; a list with one remaining value is shown as that value.
   */
  #shown(object: SourceObject): SourceObject | undefined {
    const ignoreAbove = ignoreAboveOf(this.#leaf, this.#site)
    const isKept = (value: unknown) => value !== null && !(typeof value === 'string' && value.length > ignoreAbove)
    const shown: Record<string, unknown> = newMembers()
    for (const [name, value] of Object.entries(object)) {
      if (!Array.isArray(value)) {
        if (isKept(value)) shown[name] = value
        continue
      }
      const kept = value.filter(isKept)
      if (kept.length > 0) shown[name] = kept.length === 1 ? kept[0] : kept
    }
    return Object.keys(shown).length === 0 ? undefined : { ...shown }
  }
}

/** One key of a flattened field: all its terms start with the key and a zero byte. */
class KeyedType extends BaseFieldType {
  override readonly name: string
  override readonly sourcePath: string
  /** The prefix of every term of this key. */
  readonly prefix: Uint8Array
  readonly asDocValues: FieldType

  constructor(leaf: LeafMapper, site: BuildSite, schema: FieldSchema, key: string) {
    super({
      leaf,
      site,
      shape: 'flattened',
      schema,
      indexed: leaf.flag('index'),
      hasDocValues: leaf.flag('doc_values'),
    })
    this.name = `${site.path}.${key}`
    this.sourcePath = `${site.sourcePath}.${key}`
    this.prefix = Buffer.concat([Buffer.from(key), ZERO])
    this.asDocValues = new KeyedDocValuesType(leaf, site, { ...schema, name: keyedName(schema.name, key) }, key)
  }

  override termValue(value: unknown): IndexValue {
    return Buffer.concat([this.prefix, Buffer.from(javaText(value))])
  }

  override rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, _: RangeOptions): RangeValues {
    if (lower === undefined || upper === undefined) {
      throw illegalArgument('[range] queries on keyed [flattened] fields must include both an upper and a lower bound.')
    }
    const low = { bytes: this.termValue(lower.value) as Uint8Array, inclusive: lower.inclusive }
    const high = { bytes: this.termValue(upper.value) as Uint8Array, inclusive: upper.inclusive }
    return termRange(low, high)
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    this.refuseFormat(format)
    return Buffer.from((value as Uint8Array).subarray(this.prefix.length)).toString()
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value === null ? undefined : value
  }
}

/** The values of one key without the key, as derived doc values. */
class KeyedDocValuesType extends PlainTermType {
  override readonly name: string

  constructor(leaf: LeafMapper, site: BuildSite, schema: FieldSchema, key: string) {
    super({ leaf, site, shape: 'term', schema })
    this.name = `${site.path}.${key}`
  }
}
