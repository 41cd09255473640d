/** The `term` suggester of a request. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { RequestReader } from '../request-reader.ts'
import {
  atLeast,
  newSpellingOptions,
  parseMode,
  readSpellingOption,
  readSuggester,
  requireField,
  type SpellingOptions,
} from './suggester-options.ts'

export interface TermRequest {
  readonly kind: 'term'
  readonly field: string
  readonly analyzer: string | undefined
  readonly size: number
  readonly shardSize: number
  readonly byFrequency: boolean
  readonly spelling: Readonly<SpellingOptions>
}

const SIZE_DEFAULT = 5

export function parseTerm(reader: RequestReader): TermRequest {
  const spelling = newSpellingOptions()
  let field: string | undefined
  let analyzer: string | undefined
  let size = SIZE_DEFAULT
  let shardSize: number | undefined
  let byFrequency = false
  readSuggester(reader, 'term', (member) => {
    if (member === 'field') field = reader.text()
    else if (member === 'analyzer') analyzer = reader.text()
    else if (member === 'size') size = atLeast(reader.integer(), 1, 'size must be positive')
    else if (member === 'shard_size') shardSize = atLeast(reader.integer(), 1, 'shardSize must be positive')
    else if (member === 'sort') byFrequency = parseSortBy(reader.text())
    else return readSpellingOption(reader, member, spelling)
    return true
  })
  return {
    kind: 'term',
    field: requireField(field),
    analyzer,
    size,
    shardSize: shardSize ?? Math.max(size, SIZE_DEFAULT),
    byFrequency,
    spelling,
  }
}

/** A suggester given by query parameters. */
export function termSuggester(field: string, size = SIZE_DEFAULT, mode?: string): TermRequest {
  const spelling = newSpellingOptions()
  if (mode !== undefined) spelling.mode = parseMode(mode)
  const kept = atLeast(size, 1, 'size must be positive')
  return {
    kind: 'term',
    field,
    analyzer: undefined,
    size: kept,
    shardSize: Math.max(kept, SIZE_DEFAULT),
    byFrequency: false,
    spelling,
  }
}

function parseSortBy(text: string): boolean {
  const name = text.toLowerCase()
  if (name === 'score' || name === 'frequency') return name === 'frequency'
  throw illegalArgument(`No enum constant org.elasticsearch.search.suggest.SortBy.${text.toUpperCase()}`)
}
