/** Responses for clients of Elasticsearch 7: documents have the type `_doc`, and mappings may be under a type. */
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from '../../base/json/punctuation.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

const INDEX = Buffer.from('"_index":"')
const ID = Buffer.from(',"_id":')
const TYPE = Buffer.from(',"_type":"_doc"')

/** Members with values of the user. Nothing in them identifies a document. */
const OWN_VALUES = ['"_source":', '"fields":', '"highlight":', '"params":'].map((name) => Buffer.from(name))

/** Adds `_type` after `_index` in every object that identifies a document. */
export function withTypes(json: Buffer): Buffer {
  if (!json.includes(INDEX)) return json
  const parts: Buffer[] = []
  let from = 0
  for (let at = 0; at < json.length; ) {
    if (json[at] !== QUOTE) {
      at++
      continue
    }
    const own = OWN_VALUES.find((name) => startsAt(json, name, at))
    if (own !== undefined) {
      at = endOfValue(json, at + own.length)
      continue
    }
    const end = endOfText(json, at)
    if (startsAt(json, INDEX, at)) {
      const behind = endOfText(json, at + INDEX.length - 1)
      if (startsAt(json, ID, behind)) {
        parts.push(json.subarray(from, behind), TYPE)
        from = behind
      }
      at = behind
    } else at = end
  }
  if (parts.length === 0) return json
  parts.push(json.subarray(from))
  return Buffer.concat(parts)
}

function startsAt(json: Buffer, text: Buffer, at: number): boolean {
  return at + text.length <= json.length && json.compare(text, 0, text.length, at, at + text.length) === 0
}

/** The offset after the string whose opening quote is at `at`. */
function endOfText(json: Buffer, at: number): number {
  let i = at + 1
  while (i < json.length && json[i] !== QUOTE) i += json[i] === BACKSLASH ? 2 : 1
  return i + 1
}

function endOfValue(json: Buffer, at: number): number {
  if (json[at] === QUOTE) return endOfText(json, at)
  if (json[at] !== OPEN_OBJECT && json[at] !== OPEN_ARRAY) return at
  let depth = 0
  for (let i = at; i < json.length; ) {
    const byte = json[i]!
    if (byte === QUOTE) {
      i = endOfText(json, i)
      continue
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return i + 1
    i++
  }
  return json.length
}

/** `{index: {mappings: {…}}}` with the mappings under `_doc`. */
export function withTypedMappings(json: Buffer): Buffer {
  const indices = JSON.parse(json.toString('utf8')) as Record<string, { mappings?: object }>
  for (const index of Object.values(indices)) {
    if (index.mappings !== undefined && Object.keys(index.mappings).length > 0)
      index.mappings = { _doc: index.mappings }
  }
  return Buffer.from(JSON.stringify(indices))
}
