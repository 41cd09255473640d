/**
 * Values that are longer than the `ignore_above` of their field. Elasticsearch lists their fields in `_ignored`; OpenSearch
 * does not, so that they are looked for in the documents.
 */
import { RawJson } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { parseAnswer } from './answer-tree.ts'
import { isObject } from './field-types.ts'

/** One field with a limit, and the place in documents where its values come from. */
export interface IgnoreAbove {
  readonly field: string
  /** Differs from the field for multi-fields and targets of `copy_to`. */
  readonly path: string
  readonly limit: number
}

const KNOWN = new WeakMap<JsonObject, readonly IgnoreAbove[]>()
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Numbers are shorter than that. */
const NUMBER_LENGTH = 32

/** The limits of a mapping. */
export function ignoreAboveOf(mapping: JsonObject): readonly IgnoreAbove[] {
  const known = KNOWN.get(mapping)
  if (known !== undefined) return known
  const found: IgnoreAbove[] = []
  const copies: { readonly from: string; readonly to: string }[] = []
  const visit = (definition: JsonObject, field: string, path: string) => {
    const limit = definition['ignore_above']
    if (typeof limit === 'number' && definition['type'] === 'keyword') found.push({ field, path, limit })
    const targets = definition['copy_to']
    for (const to of Array.isArray(targets) ? targets : targets === undefined ? [] : [targets])
      copies.push({ from: path, to: String(to) })
    const below = (name: string) => (field === '' ? name : `${field}.${name}`)
    for (const [name, inner] of members(definition['properties'])) visit(inner, below(name), below(name))
    for (const [name, inner] of members(definition['fields'])) visit(inner, below(name), path)
  }
  visit(mapping, '', '')
  // `copy_to` copies values of documents, not values that were copied.
  const own = [...found]
  for (const { from, to } of copies)
    for (const target of own) if (target.path === to) found.push({ ...target, path: from })
  KNOWN.set(mapping, found)
  return found
}

function members(group: unknown): [string, JsonObject][] {
  return isObject(group) ? (Object.entries(group) as [string, JsonObject][]) : []
}

/** The values of a document that are too long, by the names of their fields. */
export function ignoredIn(source: Uint8Array, limits: readonly IgnoreAbove[]): Map<string, unknown[]> {
  const document = parseAnswer(Buffer.from(source))
  const ignored = new Map<string, unknown[]>()
  for (const { field, path, limit } of limits) {
    const values: unknown[] = []
    collect(document, path, values)
    const long = values.filter((value) => lengthOf(value) > limit)
    if (long.length > 0) ignored.set(field, [...(ignored.get(field) ?? []), ...long])
  }
  return ignored
}

/** The values at a path. A dot may separate objects or be part of a name. */
function collect(value: unknown, path: string, out: unknown[]): void {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) {
    for (const item of value) collect(item, path, out)
    return
  }
  const object = isObject(value)
  if (path === '') {
    if (!object) out.push(value)
    return
  }
  if (!object) return
  if (Object.hasOwn(value, path)) collect(value[path], '', out)
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot)
    if (Object.hasOwn(value, head)) collect(value[head], path.slice(dot + 1), out)
  }
}

function lengthOf(value: unknown): number {
  return value instanceof RawJson ? value.bytes.length : String(value).length
}

/** Whether an answer may have a value that is longer than a limit. False is certain. */
export function mayExceed(bytes: Uint8Array, limit: number): boolean {
  if (limit < NUMBER_LENGTH) return true
  // A value that is too long is a run of bytes without a quote. The search jumps by the limit and looks back for a quote.
  let clear = 0
  for (let at = limit; at < bytes.length; at = clear + limit) {
    let quote = at
    while (quote >= clear && !isQuote(bytes, quote)) quote--
    if (quote < clear) return true
    clear = quote + 1
  }
  return false
}

function isQuote(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === QUOTE && bytes[at - 1] !== BACKSLASH
}
