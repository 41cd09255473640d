/** `sparse_vector` and `weighted_tokens`: documents scored by the tokens that they share with a vector of weights. */
import { ApiError, illegalArgument, xContentParse } from '../../../base/api-error.ts'
import { notSupportedYet } from '../../../base/errors/search-errors.ts'
import { DECIMAL, END_OBJECT, INTEGER } from '../../../base/json/json-reader.ts'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_OBJECT, ACCEPTS_STRING, type RequestReader } from '../../request/request-reader.ts'
import { matchNothing, type SearchExecutionContext, unknownField, type Weight } from '../../scoring/query.ts'
import { checkPruning, DEFAULT_PRUNING, type Pruning } from '../../vectors/pruning.ts'
import { type ClauseOptions, commonMembers, doesNotSupport, newOptions, type QueryClause } from '../clause.ts'
import { BoolQuery } from '../compound/bool.ts'
import { QueryNode } from '../query-node.ts'
import { featureQuery, LINEAR } from './feature-query.ts'
import { TokenStatistics } from './token-statistics.ts'

/** The pruning of a query, which may score exactly those tokens that another query left out. */
interface QueryPruning extends Pruning {
  readonly only_score_pruned_tokens: boolean
}

interface WeightedToken {
  readonly token: string
  readonly weight: number
}

interface TokensRequest {
  readonly field: string
  readonly tokens: readonly WeightedToken[]
  /** Undefined leaves it to the field. */
  readonly prune: boolean | undefined
  readonly pruning: QueryPruning | undefined
}

class SparseVectorQuery extends QueryNode {
  override readonly kind: 'sparse_vector' | 'weighted_tokens'
  readonly request: TokensRequest

  constructor(kind: 'sparse_vector' | 'weighted_tokens', request: TokensRequest, options: ClauseOptions) {
    super(options)
    this.kind = kind
    this.request = request
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const { field: name, tokens, prune, pruning } = this.request
    const field = context.mapping.field(name)
    if (field === undefined) return unknownField(this.kind)
    const isSparse = field.sparseOptions !== undefined
    if (
      !isSparse &&
      (this.kind === 'sparse_vector' || field.ranksBy === undefined || field.ranksBy.single !== undefined)
    ) {
      throw illegalArgument(`field [${name}] must be type [sparse_vector] but is type [${field.type}]`)
    }
    const own = field.sparseOptions
    const prunes = this.kind === 'weighted_tokens' ? pruning !== undefined : (prune ?? own?.prune ?? false)
    const rules = pruning ?? own?.pruning_config ?? DEFAULT_PRUNING
    const place = { field: storageName(field), shownField: field.name }
    let kept = tokens
    if (prunes) {
      const statistics = new TokenStatistics(context.view.segments, place.field)
      if (statistics.averageRatio === 0) return matchNothing('query is against an empty field')
      const largest = tokens.reduce((most, { weight }) => Math.max(most, weight), 0)
      const others = (rules as Partial<QueryPruning>).only_score_pruned_tokens === true
      kept = tokens.filter(({ token, weight }) => statistics.keeps(token, weight, largest, rules) !== others)
    }
    if (kept.length === 0) return matchNothing('')
    const should = kept.map(
      ({ token, weight }) => new TokenQuery({ ...place, feature: token }, { boost: weight, name: undefined }),
    )
    const planned = new BoolQuery({ should, minimumShouldMatch: '1' }).plan(context, scoring, boost)
    const texts = kept.map(
      ({ token, weight }) =>
        `(FeatureQuery(field=${field.name}, feature=${token}, function=${LINEAR.text}))^${formatFloat(weight)}`,
    )
    return {
      ...planned,
      scorer: (segment) => planned.scorer(segment),
      explain: (segment, doc) => planned.explain(segment, doc),
      text: (rewritten) => (rewritten ? planned.text(true) : `(${texts.join(' ')})~1`),
      isOpaque: true,
    }
  }
}

class TokenQuery extends QueryNode {
  override readonly kind = 'feature'
  readonly place: Parameters<typeof featureQuery>[0]

  constructor(place: Parameters<typeof featureQuery>[0], options: ClauseOptions) {
    super(options)
    this.place = place
  }

  protected override bind(_context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    return featureQuery(this.place, LINEAR, boost)
  }
}

export const sparseVectorClause: QueryClause = {
  name: 'sparse_vector',
  parse(reader) {
    try {
      return readSparseVector(reader)
    } catch (error) {
      if (!(error instanceof ApiError) || error === INFERENCE_ID_NEEDED || isRefusal(error)) throw error
      const { type, message, status, details } = reader.parsingError(error.message)
      const own = new ApiError(status, type, message, { details })
      throw new ApiError(status, type, message, { details, causedBy: error, rootCauses: [own] })
    }
  },
}

const INFERENCE_ID_NEEDED = illegalArgument('inference_id required to perform vector search on query string')
const isRefusal = ({ message }: ApiError) => message.endsWith('is not supported by this version')

function readSparseVector(reader: RequestReader): SparseVectorQuery {
  const options = newOptions()
  let field: string | undefined
  let given: Readonly<Record<string, unknown>> | undefined
  let query: string | undefined
  let inferenceId: string | undefined
  let prune: boolean | undefined
  let pruning: QueryPruning | undefined
  reader.parseObject('sparse_vector', [
    {
      field: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          field = reader.text()
        },
      },
      query_vector: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          given = reader.value() as Record<string, unknown>
        },
      },
      query: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          query = reader.text()
        },
      },
      inference_id: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          inferenceId = reader.text()
        },
      },
      prune: {
        accepts: ACCEPTS_BOOLEAN,
        parse: () => {
          prune = reader.boolean()
        },
      },
      pruning_config: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          pruning = readPruning(reader)
        },
      },
    },
    commonMembers(reader, options),
  ])
  if (field === undefined) throw illegalArgument('Required [field]')
  const failed = (causedBy: ApiError) =>
    xContentParse('Failed to build [sparse_vector] after last required field arrived', { causedBy })
  const hasOther = query !== undefined || inferenceId !== undefined
  if ((given === undefined) === !hasOther || (given !== undefined && hasOther)) {
    throw failed(
      illegalArgument('[sparse_vector] requires one of [query_vector] or [inference_id] for sparse_vector fields'),
    )
  }
  if (given === undefined) throw inferenceId === undefined ? INFERENCE_ID_NEEDED : notSupportedYet('inference_id')
  try {
    return new SparseVectorQuery('sparse_vector', { field, tokens: tokensOf(given), prune, pruning }, options)
  } catch (error) {
    throw failed(error as ApiError)
  }
}

function tokensOf(given: Readonly<Record<string, unknown>>): WeightedToken[] {
  return Object.entries(given).map(([token, weight]) => {
    if (typeof weight !== 'number' && typeof weight !== 'bigint') {
      throw illegalArgument(`weight must be a number, was [${shown(weight)}]`)
    }
    return { token, weight: Math.fround(Number(weight)) }
  })
}

const shown = (value: unknown): string => (Array.isArray(value) ? `[${value.map(shown).join(', ')}]` : String(value))

const PRUNING_MEMBERS: ReadonlySet<string> = new Set([
  'tokens_freq_ratio_threshold',
  'tokens_weight_threshold',
  'only_score_pruned_tokens',
])

function readPruning(reader: RequestReader): QueryPruning {
  const pruning = { ...DEFAULT_PRUNING, only_score_pruned_tokens: false }
  while (reader.next() !== END_OBJECT) {
    const { name } = reader
    if (!PRUNING_MEMBERS.has(name)) throw reader.parsingError(`[pruning_config] unknown token [${name}]`)
    reader.next()
    if (name === 'only_score_pruned_tokens') pruning.only_score_pruned_tokens = reader.boolean()
    else pruning[name as keyof Pruning] = Math.fround(reader.float())
  }
  return checkPruning(pruning)
}

export const weightedTokensClause: QueryClause = {
  name: 'weighted_tokens',
  parse(reader) {
    const options = newOptions()
    let tokens: WeightedToken[] | undefined
    let pruning: QueryPruning | undefined
    reader.next()
    const field = reader.name
    reader.next()
    reader.parseObject('weighted_tokens', [
      {
        tokens: {
          accepts: ACCEPTS_OBJECT,
          parse: () => {
            tokens = readTokens(reader)
          },
        },
        pruning_config: {
          accepts: ACCEPTS_OBJECT,
          parse: () => {
            pruning = readPruning(reader)
          },
        },
      },
      commonMembers(reader, options),
    ])
    if (reader.next() !== END_OBJECT) throw doesNotSupport(reader, 'weighted_tokens', reader.name)
    if (tokens === undefined) throw illegalArgument('[weighted_tokens] requires tokens')
    return new SparseVectorQuery('weighted_tokens', { field, tokens, prune: undefined, pruning }, options)
  },
}

function readTokens(reader: RequestReader): WeightedToken[] {
  const tokens: WeightedToken[] = []
  while (reader.next() !== END_OBJECT) {
    const token = reader.name
    const value = reader.next()
    if (value !== INTEGER && value !== DECIMAL)
      throw illegalArgument(`weight must be a number, was [${reader.tokenName}]`)
    tokens.push({ token, weight: Math.fround(reader.float()) })
  }
  return tokens
}
