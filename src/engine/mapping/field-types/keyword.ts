/** `keyword` and related types: a value is one exact term. */
import { illegalArgument } from '../../../base/api-error.ts'
import { mapperParsing } from '../../../base/errors/mapping-errors.ts'
import { javaText } from '../../values/java-text.ts'
import {
  choice,
  docValues,
  flag,
  index,
  meta,
  type Parameter,
  parameter,
  positive,
  script,
  similarity,
  store,
  text,
  timeSeriesDimension,
} from '../definition/parameter.ts'
import { FieldPlan, OP_KEYWORD } from '../documents/field-plan.ts'
import type { IndexValue } from '../field-type.ts'
import type { BuildSite, BuiltField, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import type { MappingNormalizer } from '../mapping-context.ts'
import { PlainTermType } from './base-field-type.ts'

const IGNORE_ABOVE_MAX = 0x7fffffff

const ignoreAbove = positive('ignore_above', IGNORE_ABOVE_MAX, illegalArgument, { updatable: true })

const normalizer: Parameter = parameter(
  'normalizer',
  null,
  (value, site) => {
    const name = javaText(value)
    if (site.context.analysis.normalizer(name) === undefined) {
      throw mapperParsing(`normalizer [${name}] not found for field [${site.name}]`)
    }
    return name
  },
  { acceptsNull: true },
)

export const keyword: LeafDefinition = {
  type: 'keyword',
  traits: { family: 'keyword', hasWords: true },
  mayHaveSubFields: true,
  parameters: [
    index(),
    docValues(),
    store(),
    text('null_value', null, { acceptsNull: true }),
    flag('eager_global_ordinals', false, { updatable: true }),
    ignoreAbove,
    choice('index_options', 'docs', ['docs', 'freqs']),
    flag('norms', false, { updatable: (from, to) => from === to || (from === true && to === false) }),
    similarity(),
    normalizer,
    flag('split_queries_on_whitespace', false, { updatable: true }),
    ...script(),
    meta(),
    timeSeriesDimension(),
  ],
  build: (leaf, site) => buildKeyword(leaf, site, leaf.flag('index'), leaf.flag('doc_values')),
}

/** `wildcard`: stored as a keyword; patterns run over its terms. */
export const wildcard: LeafDefinition = {
  type: 'wildcard',
  traits: { family: 'keyword' },
  mayHaveSubFields: true,
  parameters: [ignoreAbove, text('null_value', null, { acceptsNull: true, updatable: true }), meta()],
  build: (leaf, site) => buildKeyword(leaf, site, true, true),
}

/** Fields of type `wildcard` are keywords without this option. */
const keepsFrequencies = (leaf: LeafMapper) =>
  leaf.hasParameter('index_options') && leaf.text('index_options') === 'freqs'

function buildKeyword(leaf: LeafMapper, site: BuildSite, indexed: boolean, hasDocValues: boolean): BuiltField {
  const normalizerName = leaf.hasParameter('normalizer') ? leaf.textOrNull('normalizer') : null
  const found = normalizerName === null ? undefined : site.context.analysis.normalizer(normalizerName)
  const limit = leaf.isGiven('ignore_above') ? leaf.number('ignore_above') : site.context.limits.ignoreAbove
  const schema = site.schema({
    inverted: indexed ? (keepsFrequencies(leaf) ? 'freqs' : 'docs') : 'none',
    norms: indexed && leaf.hasParameter('norms') && leaf.flag('norms'),
    docValues: hasDocValues ? 'term' : 'none',
  })
  const nullValue = leaf.hasParameter('null_value') ? leaf.textOrNull('null_value') : null
  const stored = leaf.hasParameter('store') && leaf.flag('store')
  // `ignore_above` is reported in `_ignored` only for a field that would have stored the value.
  const isKept = indexed || hasDocValues || stored
  return {
    type: new KeywordType(leaf, site, {
      schema,
      indexed,
      hasDocValues,
      normalizer: found,
      ignoreAbove: limit,
      nullValue,
    }),
    plan: new FieldPlan({
      path: site.path,
      type: leaf.type,
      op: OP_KEYWORD,
      schema,
      stored,
      ...(isKept ? { ignoreAbove: limit } : {}),
      normalizer: found,
      nullValue,
    }),
  }
}

interface KeywordOptions {
  schema: ReturnType<BuildSite['schema']>
  indexed: boolean
  hasDocValues: boolean
  normalizer: MappingNormalizer | undefined
  ignoreAbove: number
  nullValue: string | null
}

class KeywordType extends PlainTermType {
  readonly splitsQueries: boolean
  readonly normalizerName: string | undefined
  readonly #normalizer: MappingNormalizer | undefined
  readonly #ignoreAbove: number
  readonly #nullValue: string | null

  constructor(leaf: LeafMapper, site: BuildSite, options: KeywordOptions) {
    super({
      leaf,
      site,
      shape: 'term',
      schema: options.schema,
      indexed: options.indexed,
      hasDocValues: options.hasDocValues,
    })
    this.splitsQueries = leaf.hasParameter('split_queries_on_whitespace') && leaf.flag('split_queries_on_whitespace')
    this.normalizerName = options.normalizer === undefined ? undefined : (leaf.textOrNull('normalizer') ?? undefined)
    this.#normalizer = options.normalizer
    this.#ignoreAbove = options.ignoreAbove
    this.#nullValue = options.nullValue
  }

  override termValue(value: unknown): IndexValue {
    return Buffer.from(this.#normalized(javaText(value)))
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    if (value === null) return this.#nullValue ?? undefined
    if (typeof value === 'object') return undefined
    const written = javaText(value)
    return written.length > this.#ignoreAbove ? undefined : this.#normalized(written)
  }

  #normalized(written: string): string {
    return this.#normalizer === undefined ? written : this.#normalizer.normalize(written)
  }
}
