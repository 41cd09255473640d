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
    const text = given === null ? null : javaString(given)
    // Every character may become an element.
    document.budget.elements(text?.length ?? 0)
    const value = text === null ? null : parseJsonText(text, options)
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
    throw textError(error, text)
  }
  checkEnd(reader, text, isStrict)
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

/** What follows a value is an error if parsing is strict, and always if it follows a number without a space. */
function checkEnd(reader: JsonReader, text: string, isStrict: boolean): void {
  const reason = `The input ${text} is not valid JSON and the strict_json_parsing parameter is true`
  try {
    if (reader.next() === END || !isStrict) return
  } catch (error) {
    const cause = textError(error, text)
    if (cause.message.includes('Expected space separating root-level values')) throw cause
    if (!isStrict) return
    throw illegalArgument(reason, cause)
  }
  throw illegalArgument(reason)
}

const VALUES = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

/** The parser's error names its input and a position in it. For this processor the input is a string of characters. */
function textError(error: unknown, text: string): ApiError {
  if (!(error instanceof JsonSyntaxError)) throw error
  const { line, column } = characterPosition(error, text)
  const inBytes = { text: `line: ${error.line}, column: ${error.column}`, where: `[${error.line}:${error.column}]` }
  const rewritten = (reason: string) =>
    reason
      .replaceAll('(byte[])', '(String)')
      .replace(': expected a value\n', `: expected a valid value ${VALUES}\n`)
      .replace(inBytes.text, `line: ${line}, column: ${column}`)
      .replace(inBytes.where, `[${line}:${column}]`)
  return changed(jsonSyntaxError(error), rewritten)
}

function changed(error: ApiError, rewritten: (reason: string) => string): ApiError {
  const causedBy = error.causedBy === undefined ? undefined : changed(error.causedBy, rewritten)
  return new ApiError(error.status, error.type, rewritten(error.message), { details: error.details, causedBy })
}

/** The parser of characters, unlike that of bytes, does not read the character after an unknown word. */
function characterPosition(error: JsonSyntaxError, text: string): { line: number; column: number } {
  const bytes = Buffer.from(text)
  let start = 0
  for (let line = 1; line < error.line; line++) start = bytes.indexOf(10, start) + 1
  let before = bytes.subarray(0, start + error.column - 1).toString()
  const word = /^Unrecognized token '([^']*)'/.exec(error.message)?.[1]
  if (word !== undefined && !before.endsWith(word)) before = before.slice(0, -1)
  const lines = before.split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
