/**
 * Ids of scrolls whose later pages have to be changed, too. Ours hold the part of the search that describes its hits, the
 * names of its indices, and the cluster's own id: later pages say nothing about the search, and any gateway may get the
 * request for the next one. Other scrolls keep the id of the cluster.
 */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { shardsOfSlice } from './answer-members.ts'
import { isObject } from './field-types.ts'
import { halfFloats } from './half-floats.ts'
import { runtimeFields } from './runtime-fields.ts'
import { applyRewrites, type RewrittenSearch, type SearchScope } from './search-rewrite.ts'
import { sortFormat } from './sort-format.ts'
import { sourceExcludes } from './source-excludes.ts'
import { unskippedSort } from './unskipped-sort.ts'

export interface ScrollId {
  readonly indices: readonly string[]
  /** The members of the search that describe hits. */
  readonly request: JsonObject
  /** The cluster's id. */
  readonly id: string
}

const PREFIX = 'sandpiper1'
const MEMBERS = ['sort', 'fields', 'docvalue_fields', 'runtime_mappings', 'slice', '_source'] as const

/** Rewrites that later pages of a scroll need too, and that need members of the search to be applied. */
const REWRITES = [
  { name: 'runtime_fields', rewrite: runtimeFields },
  { name: 'shards_of_slice', rewrite: shardsOfSlice },
  { name: 'source_excludes', rewrite: sourceExcludes },
  { name: 'half_floats', rewrite: halfFloats },
  { name: 'sort_format', rewrite: sortFormat },
  { name: 'unskipped_sort', rewrite: unskippedSort },
]

/** The members of a search that later pages need. */
export function hitsOfScroll(request: JsonObject): JsonObject {
  return Object.fromEntries(MEMBERS.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]))
}

/** What has to be changed in later pages; undefined when nothing has to be. */
export function pagesOfScroll(hits: JsonObject, scope: SearchScope): RewrittenSearch['amend'] {
  return applyRewrites(hits, REWRITES, scope)?.amend
}

export function encodeScrollId({ indices, request, id }: ScrollId): string {
  return [PREFIX, encodeJson({ indices, request }).toString('base64url'), id].join('.')
}

/** Undefined for an id of the cluster. `parse` reads JSON with exact integers. */
export function decodeScrollId(text: string, parse: (bytes: Buffer) => unknown): ScrollId | undefined {
  const [prefix, described, id] = text.split('.')
  if (prefix !== PREFIX || described === undefined || id === undefined) return undefined
  try {
    const value = parse(Buffer.from(described, 'base64url'))
    if (!isObject(value) || !Array.isArray(value['indices']) || !isObject(value['request'])) return undefined
    return { indices: value['indices'].map(String), request: value['request'], id }
  } catch {
    return undefined
  }
}
