/** What a rewrite of a search is: a change of the request, and the change that undoes it in the answer. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import type { IgnoreAbove } from './ignore-above.ts'
import type { ShardDocPlan } from './shard-doc.ts'
import type { IndexShards } from './shard-places.ts'

export interface SearchRewrite {
  readonly request: JsonObject
  /** Parameters that are added to the target. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Changes the answer of the cluster. It may change the object that it gets. */
  readonly amend?: ((answer: JsonObject) => JsonObject) | undefined
  /** Whether an answer has to be changed, by its bytes. Without it, all have to be. */
  readonly isNeeded?: ((body: Buffer) => boolean) | undefined
  /** Completes the hits of the cluster by further searches, before the answer is changed. */
  readonly ties?: ShardDocPlan | undefined
}

/** A rewrite under the name that the statistics of the gateway show. */
export interface NamedRewrite {
  readonly name: string
  readonly rewrite: Rewrite
}

/** All that the rewrites of a search change. */
export interface RewrittenSearch extends SearchRewrite {
  /** Names of the rewrites that changed the request or change every answer. */
  readonly names: readonly string[]
  /** Names of the rewrites that change answers with something to change only. */
  readonly conditional: readonly string[]
}

/** What rewrites know about the indices of a search. */
export interface SearchScope {
  /** The definition of a field as the mappings of the searched indices have it; undefined when none has it. */
  field(name: string): JsonObject | undefined
  /** The names of the fields of a type in the mappings of the searched indices. */
  fieldsOfType(type: string): readonly string[]
  /** Fields with `ignore_above`, by the names of the indices that have some. */
  readonly ignoreAbove: ReadonlyMap<string, readonly IgnoreAbove[]>
  /** Whether the cluster runs scripts of requests. */
  readonly hasScripts: boolean
  /** The runtime fields of the mappings. */
  readonly runtime: Readonly<Record<string, JsonObject>>
  /** The searched indices with their shards. */
  readonly spread: readonly IndexShards[]
  /** The number of shards of the searched indices. */
  readonly shards: number
  /** A parameter of the target. */
  parameter(name: string): string | undefined
  /** `search.max_buckets` */
  readonly maxBuckets: number
  /** The least `index.max_result_window` of the searched indices. */
  readonly maxResultWindow: number
}

/** Undefined when the rewrite has nothing to do. */
export type Rewrite = (request: JsonObject, scope: SearchScope) => SearchRewrite | undefined

/** Applies rewrites in order. Their changes of the answer run in the opposite order. */
export function applyRewrites(
  request: JsonObject,
  rewrites: readonly NamedRewrite[],
  scope: SearchScope,
): RewrittenSearch | undefined {
  const amends: ((answer: JsonObject) => JsonObject)[] = []
  const needs: ((body: Buffer) => boolean)[] = []
  const parameters: Record<string, string> = {}
  let current = request
  let ties: ShardDocPlan | undefined
  const names: string[] = []
  const conditional: string[] = []
  for (const { name, rewrite } of rewrites) {
    const result = rewrite(current, scope)
    if (result === undefined) continue
    ;(result.request === current && result.isNeeded !== undefined ? conditional : names).push(name)
    current = result.request
    ties ??= result.ties
    Object.assign(parameters, result.parameters)
    if (result.amend === undefined) continue
    amends.unshift(result.amend)
    needs.push(result.isNeeded ?? ALWAYS)
  }
  if (names.length + conditional.length === 0) return undefined
  const amend = (answer: JsonObject) => amends.reduce((value, change) => change(value), answer)
  const isNeeded = needs.includes(ALWAYS) ? undefined : (body: Buffer) => needs.some((need) => need(body))
  return { names, conditional, request: current, parameters, ties, ...(amends.length === 0 ? {} : { amend, isNeeded }) }
}

const ALWAYS = () => true
