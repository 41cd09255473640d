/** `_validate/query`: whether a query is valid, without running it. */
import { ApiError } from '../../base/api-error.ts'
import type { Query, SearchExecutionContext } from '../../engine/scoring/query.ts'
import { planWhole } from '../../engine/search/fetch/explain-hit.ts'
import type { SearchShard } from './shards/shard-search.ts'

export interface IndexValidity {
  readonly index: string
  readonly shard: number
  readonly error: ApiError | undefined
  /** The query in Lucene's notation. */
  readonly explanation: string | undefined
}

/** Plans the query on a shard and returns the error, if any. */
export function validateOnShard(
  context: SearchExecutionContext,
  query: Query,
  { filters }: SearchShard,
  rewrite: boolean,
): IndexValidity {
  const { index, shard } = { index: context.index.name, shard: context.shard }
  try {
    const plan = planWhole(context, { query, filters, boost: 1 })
    return { index, shard, error: undefined, explanation: plan.text(rewrite && plan.matches !== 'none') }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { index, shard, error, explanation: undefined }
  }
}

/** Java's names of the error types; the explanation shows an error as Java prints it. */
const CLASSES: Readonly<Record<string, string>> = {
  parsing_exception: 'org.elasticsearch.common.ParsingException',
  parse_exception: 'org.elasticsearch.ElasticsearchParseException',
  query_shard_exception: 'org.elasticsearch.index.query.QueryShardException',
  illegal_argument_exception: 'java.lang.IllegalArgumentException',
  illegal_state_exception: 'java.lang.IllegalStateException',
  number_format_exception: 'java.lang.NumberFormatException',
  date_time_parse_exception: 'java.time.format.DateTimeParseException',
  named_object_not_found_exception: 'org.elasticsearch.xcontent.NamedObjectNotFoundException',
  x_content_parse_exception: 'org.elasticsearch.xcontent.XContentParseException',
  x_content_e_o_f_exception: 'org.elasticsearch.xcontent.XContentEOFException',
}

const SYNTAX_ERROR = 'org.apache.lucene.queryparser.classic.ParseException'

/** The error and its causes in one line. Only Elasticsearch's own exceptions print theirs. */
export function describeError(error: ApiError): string {
  const index = error.details['index']
  const where = index === undefined ? '' : `[${index}/${error.details['index_uuid']}] `
  const isSyntax = error.type === 'parse_exception' && error.message.startsWith('Cannot parse ')
  const name = isSyntax ? SYNTAX_ERROR : (CLASSES[error.type] ?? error.type)
  const own = `${where}${name}: ${error.message}`
  const printsCause = name.startsWith('org.elasticsearch.') && !name.startsWith('org.elasticsearch.xcontent.')
  return error.causedBy === undefined || !printsCause ? own : `${own}; ${describeError(error.causedBy)}`
}
