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
  /** The kind in error messages. Only series have it, and their messages distinguish keys from tokens. */
  kind?: string,
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
    else if (!reader.is(NULL) && !own(member)) {
      throw kind === undefined ? unexpected(reader, member, name) : unknownMember(reader, member, name, kind)
    }
  }
  if (path === undefined) {
    const what = kind === undefined ? 'aggregation' : `${kind} aggregation`
    throw reader.parsingError(`Missing required field [buckets_path] for ${what} [${name}]`)
  }
  return { path: parseBucketPath(path), policy, format }
}

export const unexpected = (reader: RequestReader, member: string, name: string) =>
  reader.parsingError(`Unexpected token ${reader.tokenName} [${member}] in [${name}]`)

/** The error for an unknown member. For texts and lists it names the key; for other values only the token. */
export function unknownMember(reader: RequestReader, member: string, name: string, kind = '') {
  const isKey = reader.token === STRING || reader.token === START_ARRAY || (kind === 'serial_diff' && !reader.isStart)
  if (!isKey) return reader.unexpectedToken(name)
  return reader.unknownKeyOf(name, member)
}

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
