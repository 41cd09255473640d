/** What all mapped fields share. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { FieldSchema } from '../../document/field-schema.ts'
import type { FieldShape, FieldType, IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, LeafMapper } from '../leaf-mapper.ts'

export interface FieldTypeOptions {
  readonly leaf: LeafMapper
  readonly site: BuildSite
  readonly shape: FieldShape
  readonly schema: FieldSchema | undefined
  readonly indexed: boolean
  readonly hasDocValues: boolean
  /** Defaults to what is indexed or has doc values. */
  readonly searchable?: boolean
  readonly aggregatable?: boolean
  readonly analyzerName?: string
  readonly searchAnalyzerName?: string
  readonly searchQuoteAnalyzerName?: string
}

export abstract class BaseFieldType implements FieldType {
  readonly name: string
  readonly type: string
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
    this.shape = options.shape
    this.schema = options.schema
    this.indexed = options.indexed
    this.hasDocValues = options.hasDocValues
    this.stored = leaf.value<boolean | undefined>('store') ?? false
    this.searchable = options.searchable ?? (options.indexed || options.hasDocValues)
    this.aggregatable = options.aggregatable ?? options.hasDocValues
    const meta = leaf.value<Record<string, string> | undefined>('meta')
    this.meta = meta === undefined || Object.keys(meta).length === 0 ? undefined : meta
    this.nestedPath = site.nestedPath
    this.sourcePath = site.sourcePath
    this.copiedFrom = site.copiedFrom
    this.keepsOffsets = keptOffsets(leaf)
    this.analyzerName = options.analyzerName
    this.searchAnalyzerName = options.searchAnalyzerName
    this.searchQuoteAnalyzerName = options.searchQuoteAnalyzerName
    this.similarityName = leaf.value<string | null | undefined>('similarity') ?? undefined
  }

  abstract termValue(value: unknown): IndexValue

  rangeValues(_lower: RangeBound | undefined, _upper: RangeBound | undefined, _options: RangeOptions): RangeValues {
    throw illegalArgument(`Field [${this.name}] of type [${this.type}] does not support range queries`)
  }

  abstract formatDocValue(value: IndexValue, format: string | undefined): unknown

  formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value
  }

  /** Only dates and numbers print in a chosen way. */
  protected refuseFormat(format: string | undefined): void {
    if (format !== undefined)
      throw illegalArgument(`Field [${this.name}] of type [${this.type}] doesn't support formats.`)
  }
}

function keptOffsets(leaf: LeafMapper): 'term_vector' | 'postings' | undefined {
  const vectors = leaf.value<string | undefined>('term_vector')
  if (vectors?.startsWith('with_positions_offsets')) return 'term_vector'
  return leaf.value<string | undefined>('index_options') === 'offsets' ? 'postings' : undefined
}
