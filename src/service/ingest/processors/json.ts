/** json: replaces a JSON string by the value it contains. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { jsonSyntaxError } from '../../../base/errors/json-errors.ts'
import { END, JsonReader } from '../../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../../base/json/json-syntax-error.ts'
import { type JHashMap, JMap, javaString } from '../../../engine/painless/index.ts'
import { readJavaValue } from '../document/document-json.ts'
import { javaOf } from '../pipeline/java-config.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

export interface JsonOptions {
  readonly isStrict: boolean
  readonly allowsDuplicates: boolean
}

export const json: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const target = reader.optionalString('target_field')
  const addsToRoot = reader.boolean('add_to_root', false)
  const allowsDuplicates = reader.boolean('allow_duplicate_keys', false)
  const strategy = reader.optionalString('add_to_root_conflict_strategy')
  const isStrict = reader.boolean('strict_json_parsing', true)
  if (strategy !== undefined && !/^(replace|merge)$/i.test(strategy)) {
    throw reader.error(
      'add_to_root_conflict_strategy',
      `conflict strategy [${strategy}] not supported, cannot convert field.`,
    )
  }
  if (strategy !== undefined && !addsToRoot) {
    throw reader.error(
      'add_to_root_conflict_strategy',
      'Cannot set `add_to_root_conflict_strategy` if `add_to_root` is false',
    )
  }
  if (addsToRoot && target !== undefined) {
    throw reader.error('target_field', 'Cannot set a target field while also setting `add_to_root` to true')
  }
  const merges = strategy?.toLowerCase() === 'merge'
  const options = { isStrict, allowsDuplicates }
  return (document) => {
    const given = document.get(field)
    const value = given === null ? null : parseJsonText(javaString(given), options)
    if (!addsToRoot) {
      document.set(target ?? field, value)
      return
    }
    if (!(value instanceof JMap)) throw illegalArgument('cannot add non-map fields to root of document')
    for (const { key, value: member } of value.entries()) {
      if (merges) mergeInto(document.ctx, key, member)
      else document.ctx.put_2(key, member)
    }
  }
}

function mergeInto(map: JHashMap, key: unknown, value: unknown): void {
  const present = map.get_1(key)
  if (!(present instanceof JMap) || !(value instanceof JMap)) {
    map.put_2(key, value)
    return
  }
  for (const { key: inner, value: member } of value.entries()) mergeInto(present as JHashMap, inner, member)
}

/** Throws x_content_parse_exception, or illegal_argument_exception if the text contains more than one value. */
export function parseJsonText(text: string, { isStrict, allowsDuplicates }: JsonOptions): unknown {
  if (allowsDuplicates) {
    const value = lastOfDuplicates(text)
    if (value !== undefined) return value
  }
  const reader = new JsonReader().reset(Buffer.from(text))
  let value: unknown
  try {
    if (reader.next() === END) return null
    value = readJavaValue(reader)
  } catch (error) {
    throw textError(error)
  }
  if (isStrict) checkEnd(reader, text)
  return value
}

/**
 * Parses with JSON.parse, which keeps the last of duplicate names. Undefined if the text is not JSON, or contains
 * decimals whose form must be kept.
 */
function lastOfDuplicates(text: string): unknown {
  try {
    return javaOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

function checkEnd(reader: JsonReader, text: string): void {
  const reason = `The input ${text} is not valid JSON and the strict_json_parsing parameter is true`
  try {
    if (reader.next() === END) return
  } catch (error) {
    throw illegalArgument(reason, textError(error))
  }
  throw illegalArgument(reason)
}

/** The parser's error names its input. For this processor the input is a string. */
function textError(error: unknown): ApiError {
  if (!(error instanceof JsonSyntaxError)) throw error
  return ofText(jsonSyntaxError(error))
}

function ofText(error: ApiError): ApiError {
  const causedBy = error.causedBy === undefined ? undefined : ofText(error.causedBy)
  const reason = error.message.replace('(byte[])', '(String)')
  return new ApiError(error.status, error.type, reason, { details: error.details, causedBy })
}
