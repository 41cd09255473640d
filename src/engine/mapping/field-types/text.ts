/** `text` and `match_only_text`: a value is analyzed into terms with positions. */
import { illegalArgument } from '../../../base/api-error.ts'
import { mapperParsing } from '../../../base/errors/mapping-errors.ts'
import { fielddataName } from '../../document/derived-doc-values.ts'
import type { FieldSchema, Inverted } from '../../document/field-schema.ts'
import { parseDouble } from '../../values/java-number.ts'
import { javaText } from '../../values/java-text.ts'
import {
  checkNoneLeft,
  choice,
  flag,
  index,
  meta,
  parameter,
  positive,
  readInteger,
  requireMap,
  similarity,
  store,
} from '../definition/parameter.ts'
import { FieldPlan, OP_TEXT } from '../documents/field-plan.ts'
import type { FieldType } from '../field-type.ts'
import type { BuildSite, BuiltField, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { PlainTermType } from './base-field-type.ts'
import {
  analyzerNames,
  analyzerParameters,
  completeAnalyzers,
  printedAnalyzer,
  quoteAnalyzer,
  requireAnalyzer,
} from './field-analyzers.ts'

const DEFAULT_GAP = 100

interface FrequencyFilter {
  min: number
  max: number
  min_segment_size: number
}

const NO_FILTER: FrequencyFilter = { min: 0, max: 0x7fffffff, min_segment_size: 0 }

const frequencyFilter = parameter(
  'fielddata_frequency_filter',
  NO_FILTER,
  (value, site) => {
    const { min, max, min_segment_size, ...left } = requireMap(value, () =>
      mapperParsing('fielddata_frequency_filter must be an object'),
    )
    checkNoneLeft(`Mapping definition for [${site.name}]`, left)
    const number = (given: unknown, otherwise: number) =>
      given === undefined ? otherwise : parseDouble(javaText(given))
    return {
      min: number(min, NO_FILTER.min),
      max: number(max, NO_FILTER.max),
      min_segment_size: number(min_segment_size, NO_FILTER.min_segment_size),
    }
  },
  { updatable: true },
)

interface Prefixes {
  min_chars: number
  max_chars: number
}

const indexPrefixes = parameter(
  'index_prefixes',
  null,
  (value) => {
    if (value === null) return null
    const given = requireMap(value, () => mapperParsing('index_prefixes must be an object'))
    const min = given['min_chars'] === undefined ? 2 : readInteger(given['min_chars'])
    const max = given['max_chars'] === undefined ? 5 : readInteger(given['max_chars'])
    if (min > max) throw illegalArgument(`min_chars [${min}] must be less than max_chars [${max}]`)
    if (min < 1) throw illegalArgument(`min_chars [${min}] must be greater than zero`)
    if (max >= 20) throw illegalArgument(`max_chars [${max}] must be less than 20`)
    return { min_chars: min, max_chars: max } satisfies Prefixes
  },
  { acceptsNull: true, describe: (value) => describePrefixes(value as Prefixes | null) },
)

const describePrefixes = (prefixes: Prefixes | null) =>
  prefixes === null ? 'null' : `{ min_chars=${prefixes.min_chars}, max_chars=${prefixes.max_chars} }`

export const termVector = () =>
  choice('term_vector', 'no', [
    'no',
    'yes',
    'with_positions',
    'with_offsets',
    'with_positions_offsets',
    'with_positions_payloads',
    'with_positions_offsets_payloads',
  ])

export const textType: LeafDefinition = {
  type: 'text',
  traits: { family: 'text', hasWords: true },
  mayHaveSubFields: true,
  parameters: [
    index(),
    store(),
    meta(),
    choice('index_options', 'positions', ['positions', 'docs', 'freqs', 'offsets']),
    termVector(),
    flag('norms', true, { updatable: (from, to) => from === to || (from === true && to === false) }),
    ...analyzerParameters(),
    quoteAnalyzer(),
    similarity(),
    flag('eager_global_ordinals', false, { updatable: true }),
    positive('position_increment_gap', DEFAULT_GAP, mapperParsing),
    flag('fielddata', false, { updatable: true }),
    frequencyFilter,
    indexPrefixes,
    flag('index_phrases', false),
  ],
  check: checkText,
  complete: completeAnalyzers,
  printed: printedAnalyzer,
  build: (leaf, site) =>
    buildText(leaf, site, {
      inverted: leaf.flag('index') ? invertedBy(leaf.text('index_options')) : 'none',
      norms: leaf.flag('index') && leaf.flag('norms'),
      gap: leaf.isGiven('position_increment_gap') ? leaf.number('position_increment_gap') : undefined,
    }),
}

/** `match_only_text` does not score, so it stores neither norms nor frequencies; positions are stored for phrases. */
export const matchOnlyText: LeafDefinition = {
  type: 'match_only_text',
  traits: { family: 'text', hasWords: true },
  mayHaveSubFields: true,
  parameters: [meta(), ...analyzerParameters()],
  complete: completeAnalyzers,
  printed: printedAnalyzer,
  build: (leaf, site) => buildText(leaf, site, { inverted: 'positions', norms: false, gap: undefined }),
}

export function invertedBy(option: string): Inverted {
  return option === 'docs' || option === 'freqs' ? option : 'positions'
}

function checkText(leaf: LeafMapper): void {
  const indexed = leaf.flag('index')
  const positions = invertedBy(leaf.text('index_options')) === 'positions'
  if (leaf.flag('index_phrases')) {
    if (!indexed) throw illegalArgument(`Cannot set index_phrases on unindexed field [${leaf.name}]`)
    if (!positions) {
      throw illegalArgument(`Cannot set index_phrases on field [${leaf.name}] if positions are not enabled`)
    }
  }
  if (leaf.value('index_prefixes') !== null && !indexed) {
    throw illegalArgument(`Cannot set index_prefixes on unindexed field [${leaf.name}]`)
  }
  if (leaf.flag('fielddata') && !indexed) {
    throw illegalArgument(`Cannot enable fielddata on a [text] field that is not indexed: [${leaf.name}]`)
  }
  if (leaf.isGiven('position_increment_gap') && !positions) {
    throw illegalArgument(`Cannot set position_increment_gap on field [${leaf.name}] without positions enabled`)
  }
}

export interface TextShape {
  inverted: Inverted
  norms: boolean
  gap: number | undefined
}

export function buildText(leaf: LeafMapper, site: BuildSite, shape: TextShape): BuiltField {
  const analyzerName = leaf.text('analyzer')
  const analyzer = requireAnalyzer(site.context, analyzerName)
  const schema = site.schema({
    inverted: shape.inverted,
    norms: shape.norms,
    analyzer: analyzer.index,
    positionGap: shape.gap ?? analyzer.positionIncrementGap ?? DEFAULT_GAP,
  })
  return {
    type: new TextType(leaf, site, schema, shape.inverted !== 'none'),
    plan: new FieldPlan({
      path: site.path,
      type: leaf.type,
      op: OP_TEXT,
      schema,
      stored: leaf.hasParameter('store') && leaf.flag('store'),
    }),
  }
}

/** A term query searches the exact term: its value is not analyzed. */
class TextType extends PlainTermType {
  readonly asDocValues: FieldType | undefined

  constructor(leaf: LeafMapper, site: BuildSite, schema: ReturnType<BuildSite['schema']>, indexed: boolean) {
    const { analyzer, search, quote } = analyzerNames(leaf)
    super({
      leaf,
      site,
      shape: 'text',
      schema,
      indexed,
      hasDocValues: false,
      aggregatable: leaf.hasParameter('fielddata') && leaf.flag('fielddata'),
      analyzerName: analyzer,
      searchAnalyzerName: search,
      searchQuoteAnalyzerName: quote,
    })
    const hasFielddata = leaf.hasParameter('fielddata') && leaf.flag('fielddata')
    this.asDocValues = hasFielddata ? new TextDocValuesType(leaf, site, schema) : undefined
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value === null || typeof value === 'object' ? undefined : javaText(value)
  }
}

/** The terms of a text field as doc values, which segments build on demand. */
class TextDocValuesType extends PlainTermType {
  constructor(leaf: LeafMapper, site: BuildSite, schema: FieldSchema) {
    const docValues: FieldSchema = { ...schema, name: fielddataName(schema.name), docValues: 'term' }
    super({ leaf, site, shape: 'term', schema: docValues, indexed: true, hasDocValues: true })
  }
}
