/** The base of all mapped fields. */

import { illegalArgument } from '../../../base/api-error.ts'
import { noRangeQueries } from '../../../base/errors/query-errors.ts'
import type { FieldSchema } from '../../document/field-schema.ts'
import { javaText } from '../../values/java-text.ts'
import type { FieldTraits } from '../field-traits.ts'
import type { FieldShape, FieldType, IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, LeafMapper } from '../leaf-mapper.ts'

export interface FieldTypeOptions {
  readonly leaf: LeafMapper
  readonly site: BuildSite
  readonly shape: FieldShape
  readonly schema: FieldSchema | undefined
  /** `index` and `doc_values` of the definition, unless the type has its own rule. */
  readonly indexed?: boolean
  readonly hasDocValues?: boolean
  /** By default true if the field is indexed or has doc values. */
  readonly searchable?: boolean
  readonly aggregatable?: boolean
  readonly analyzerName?: string
  readonly searchAnalyzerName?: string
  readonly searchQuoteAnalyzerName?: string
}

export abstract class BaseFieldType implements FieldType {
  readonly name: string
  readonly type: string
  readonly traits: FieldTraits
  readonly shape: FieldShape
  readonly schema: FieldSchema | undefined
  readonly indexed: boolean
  readonly hasDocValues: boolean
  readonly stored: boolean
  readonly searchable: boolean
  readonly aggregatable: boolean
  readonly isRuntime = false
  readonly meta: Readonly<Record<string, string>> | undefined
  readonly nestedPath: string | undefined
  readonly sourcePath: string
  readonly copiedFrom: readonly string[]
  readonly analyzerName: string | undefined
  readonly searchAnalyzerName: string | undefined
  readonly searchQuoteAnalyzerName: string | undefined
  readonly similarityName: string | undefined
  readonly keepsOffsets: 'term_vector' | 'postings' | undefined

  constructor(options: FieldTypeOptions) {
    const { leaf, site } = options
    this.name = site.path
    this.type = leaf.type
    this.traits = leaf.definition.traits
    this.shape = options.shape
    this.schema = options.schema
    this.indexed = options.indexed ?? leaf.flag('index')
    this.hasDocValues = options.hasDocValues ?? leaf.flag('doc_values')
    this.stored = leaf.hasParameter('store') && leaf.flag('store')
    this.searchable = options.searchable ?? (this.indexed || this.hasDocValues)
    this.aggregatable = options.aggregatable ?? this.hasDocValues
    const meta = leaf.hasParameter('meta') ? (leaf.value('meta') as Record<string, string>) : undefined
    this.meta = meta === undefined || Object.keys(meta).length === 0 ? undefined : meta
    this.nestedPath = site.nestedPath
    this.sourcePath = site.sourcePath
    this.copiedFrom = site.copiedFrom
    this.keepsOffsets = keptOffsets(leaf)
    this.analyzerName = options.analyzerName
    this.searchAnalyzerName = options.searchAnalyzerName
    this.searchQuoteAnalyzerName = options.searchQuoteAnalyzerName
    this.similarityName = leaf.hasParameter('similarity') ? (leaf.textOrNull('similarity') ?? undefined) : undefined
  }

  abstract termValue(value: unknown): IndexValue

  rangeValues(_lower: RangeBound | undefined, _upper: RangeBound | undefined, _options: RangeOptions): RangeValues {
    throw noRangeQueries(this.name, this.type)
  }

  abstract formatDocValue(value: IndexValue, format: string | undefined): unknown

  get isInternal(): boolean {
    return false
  }

  formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value
  }

  /** Only dates and numbers support a format. */
  protected refuseFormat(format: string | undefined): void {
    if (format === undefined) return
    const which = this.shape === 'text' ? '' : ` of type [${this.type}]`
    throw illegalArgument(`Field [${this.name}]${which} doesn't support formats.`)
  }
}

function keptOffsets(leaf: LeafMapper): 'term_vector' | 'postings' | undefined {
  const vectors = leaf.hasParameter('term_vector') ? leaf.text('term_vector') : undefined
  if (vectors?.startsWith('with_positions_offsets')) return 'term_vector'
  return leaf.hasParameter('index_options') && leaf.value('index_options') === 'offsets' ? 'postings' : undefined
}

/** Fields whose terms are the unchanged text of their values. */
export abstract class PlainTermType extends BaseFieldType {
  override termValue(value: unknown): IndexValue {
    return Buffer.from(javaText(value))
  }

  override rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, _: RangeOptions): RangeValues {
    return termRange(
      lower && { bytes: this.termValue(lower.value) as Uint8Array, inclusive: lower.inclusive },
      upper && { bytes: this.termValue(upper.value) as Uint8Array, inclusive: upper.inclusive },
    )
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    this.refuseFormat(format)
    return Buffer.from(value as Uint8Array).toString()
  }
}

interface TermBound {
  bytes: Uint8Array
  inclusive: boolean
}

/** The term after an exclusive lower bound is the bound followed by a zero byte. */
export function termRange(lower: TermBound | undefined, upper: TermBound | undefined): RangeValues {
  let low = lower?.bytes
  if (lower !== undefined && !lower.inclusive) {
    low = new Uint8Array(lower.bytes.length + 1)
    low.set(lower.bytes)
  }
  return { lower: low, upper: upper?.bytes, upperExclusive: upper !== undefined && !upper.inclusive }
}

/** The common part of most types' plans. */
export function commonPlan(leaf: LeafMapper, site: BuildSite, schema: FieldSchema) {
  return {
    path: site.path,
    type: leaf.type,
    schema,
    stored: leaf.hasParameter('store') && leaf.flag('store'),
    ignoreMalformed: leaf.isGiven('ignore_malformed')
      ? leaf.flag('ignore_malformed')
      : site.context.limits.ignoreMalformed,
    nullValue: leaf.value('null_value'),
  }
}
