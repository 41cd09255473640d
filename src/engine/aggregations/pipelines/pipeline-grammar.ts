/** The common members of pipelines: `buckets_path`, `gap_policy` and `format`. */
import { END_ARRAY, END_OBJECT, NULL, START_ARRAY, STRING } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { decimalValueFormat, RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import { type BucketPath, type GapPolicy, parseBucketPath } from './bucket-path.ts'

export interface PipelineSettings {
  readonly path: BucketPath
  readonly policy: GapPolicy
  readonly format: ValueFormat
}

/**
 * Parses the definition at the current START_OBJECT. `own` parses a member of the specific kind and returns whether it
 * was one.
 */
export function readPipeline(
  reader: RequestReader,
  name: string,
  own: (member: string) => boolean = () => false,
): PipelineSettings {
  let path: string | undefined
  let policy: GapPolicy = 'skip'
  let format: ValueFormat = RAW_FORMAT
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (member === 'buckets_path' && reader.is(STRING)) path = reader.text()
    else if (member === 'buckets_path' && reader.is(START_ARRAY)) path = readFirst(reader)
    else if (member === 'gap_policy' && reader.is(STRING)) policy = readPolicy(reader)
    else if (member === 'format' && reader.is(STRING)) format = decimalValueFormat(reader.text())
    else if (!reader.is(NULL) && !own(member)) throw unexpected(reader, member, name)
  }
  if (path === undefined) throw reader.parsingError(`Missing required field [buckets_path] for aggregation [${name}]`)
  return { path: parseBucketPath(path), policy, format }
}

export const unexpected = (reader: RequestReader, member: string, name: string) =>
  reader.parsingError(`Unexpected token ${reader.tokenName} [${member}] in [${name}]`)

function readFirst(reader: RequestReader): string | undefined {
  let first: string | undefined
  while (reader.next() !== END_ARRAY) first ??= reader.text()
  return first
}

export function readPolicy(reader: RequestReader): GapPolicy {
  const text = reader.text()
  if (text === 'skip' || text === 'insert_zeros' || text === 'keep_values') return text
  throw reader.parsingError(`Invalid gap policy: [${text}], accepted values: [insert_zeros, skip, keep_values]`)
}
