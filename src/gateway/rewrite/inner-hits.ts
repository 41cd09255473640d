/** Searches for hits within a search: inner hits of clauses and of `collapse`, and `top_hits` aggregations. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { hitsOf } from './answer-tree.ts'
import { isObject } from './field-types.ts'

const HITS: ReadonlySet<string> = new Set(['inner_hits', 'top_hits'])
const PARTS = ['query', 'post_filter', 'collapse', 'aggs', 'aggregations'] as const

/** Applies a change to a search and to the definitions of hits within it. The same object if nothing changed. */
export function changeHits(request: JsonObject, change: (hits: JsonObject) => JsonObject): JsonObject {
  let out = change(request)
  for (const part of PARTS) {
    const given = request[part]
    const changed = changeWithin(given, change)
    if (changed !== given) out = { ...out, [part]: changed }
  }
  return out
}

/** Whether a search defines hits within it for which a condition holds. */
export function someHits(request: JsonObject, holds: (hits: JsonObject) => boolean): boolean {
  let found = false
  changeHits(request, (hits) => {
    found ||= holds(hits)
    return hits
  })
  return found
}

function changeWithin(value: unknown, change: (hits: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return changeItems(value, (item) => changeWithin(item, change))
  if (!isObject(value)) return value
  let out = value
  for (const [name, given] of Object.entries(value)) {
    const inner = changeWithin(given, change)
    const changed = HITS.has(name) ? changeEach(inner, change) : inner
    if (changed !== given) out = { ...out, [name]: changed }
  }
  return out
}

/** `collapse` may have a list of inner hits. */
function changeEach(value: unknown, change: (hits: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return changeItems(value, (item) => (isObject(item) ? change(item) : item))
  return isObject(value) ? change(value) : value
}

/** The list itself if no item changed. Lists of thousands of values have no objects. */
function changeItems(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let out: unknown[] | undefined
  for (let i = 0; i < list.length; i++) {
    const item = list[i]
    if (typeof item !== 'object') continue
    const changed = change(item)
    if (changed === item) continue
    out ??= [...list]
    out[i] = changed
  }
  return out ?? list
}

/** Visits the hits of an answer, their inner hits, and those of `top_hits` aggregations. */
export function visitHits(answer: JsonObject, visit: (hit: JsonObject) => void): void {
  for (const hit of hitsOf(answer)) {
    visit(hit)
    const inner = hit['inner_hits']
    if (isObject(inner)) for (const found of Object.values(inner)) if (isObject(found)) visitHits(found, visit)
  }
  const results = answer['aggregations']
  if (isObject(results)) visitResults(results, visit)
}

function visitResults(value: unknown, visit: (hit: JsonObject) => void): void {
  if (Array.isArray(value)) for (const item of value) visitResults(item, visit)
  if (!isObject(value)) return
  if (isObject(value['hits']) && Array.isArray(value['hits']['hits'])) visitHits(value, visit)
  else for (const inner of Object.values(value)) visitResults(inner, visit)
}
