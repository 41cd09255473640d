/** Aggregations of a request and of its answer: visiting definitions, and the results that belong to them. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'

export interface Aggregation {
  readonly name: string
  readonly kind: string
  readonly options: JsonObject
  /** The whole definition, with sub-aggregations and `meta`. */
  readonly definition: JsonObject
  /** Names from the root to this aggregation. */
  readonly path: readonly string[]
  /** Kinds of the aggregations around this one, outermost first. */
  readonly parents: readonly string[]
}

export interface AggregationChange {
  readonly definition: JsonObject
  /** Aggregations that are added beside this one. */
  readonly beside?: JsonObject
  /** Changes each result of this aggregation. `container` has it and the results of aggregations beside it. */
  readonly amend?: Amend
}

type Amend = (result: JsonObject, container: JsonObject) => JsonObject

export interface ChangedAggregations {
  readonly aggregations: JsonObject
  readonly amends: readonly { readonly path: readonly string[]; readonly amend: Amend }[]
}

const NOT_KINDS: ReadonlySet<string> = new Set(['aggs', 'aggregations', 'meta'])

export function aggregationsOf(request: JsonObject): JsonObject | undefined {
  const aggregations = request['aggs'] ?? request['aggregations']
  return isObject(aggregations) ? aggregations : undefined
}

/** Visits all definitions, inner ones first. Undefined when nothing changed. */
export function changeAggregations(
  aggregations: JsonObject,
  change: (aggregation: Aggregation) => AggregationChange | undefined,
): ChangedAggregations | undefined {
  const amends: { path: readonly string[]; amend: Amend }[] = []
  let isChanged = false
  const visit = (group: JsonObject, path: readonly string[], parents: readonly string[]): JsonObject => {
    const out: JsonObject = {}
    for (const [name, given] of Object.entries(group)) {
      if (!isObject(given)) {
        out[name] = given
        continue
      }
      let definition = given
      const here = [...path, name]
      const kind = Object.keys(given).find((member) => !NOT_KINDS.has(member))
      for (const member of ['aggs', 'aggregations']) {
        const inner = given[member]
        if (isObject(inner)) definition = { ...definition, [member]: visit(inner, here, [...parents, kind ?? '']) }
      }
      const options = kind === undefined ? undefined : definition[kind]
      const changed =
        kind !== undefined && isObject(options)
          ? change({ name, kind, options, definition, path: here, parents })
          : undefined
      if (changed !== undefined) {
        isChanged = true
        if (changed.amend !== undefined) amends.push({ path: here, amend: changed.amend })
      }
      out[name] = changed?.definition ?? definition
      Object.assign(out, changed?.beside)
    }
    return out
  }
  const visited = visit(aggregations, [], [])
  return isChanged ? { aggregations: visited, amends } : undefined
}

/** The request with other aggregations. */
export function withAggregations(request: JsonObject, aggregations: JsonObject): JsonObject {
  const { aggs: _, aggregations: __, ...rest } = request
  return { ...rest, aggs: aggregations }
}

/**
 * Applies changes to the results of an answer, outer results first, because a change may have added a level around
 * inner results.
 */
export function amendAggregations(answer: JsonObject, { amends }: ChangedAggregations): JsonObject {
  const results = answer['aggregations']
  if (!isObject(results)) return answer
  for (const { path, amend } of [...amends].sort((a, b) => a.path.length - b.path.length)) amendAt(results, path, amend)
  return answer
}

function amendAt(container: JsonObject, path: readonly string[], amend: Amend): void {
  const [name, ...rest] = path
  const key = keyOf(container, name!)
  const result = key === undefined ? undefined : container[key]
  if (key === undefined || !isObject(result)) return
  if (rest.length === 0) {
    container[key] = amend(result, container)
    return
  }
  const { buckets } = result
  const inner = Array.isArray(buckets) ? buckets : isObject(buckets) ? Object.values(buckets) : [result]
  for (const bucket of inner) if (isObject(bucket)) amendAt(bucket, rest, amend)
}

/** Removes the result of an added aggregation from the results that it is among. */
export function takeResult(container: JsonObject, name: string): JsonObject | undefined {
  const key = keyOf(container, name)
  const result = key === undefined ? undefined : container[key]
  if (key !== undefined) delete container[key]
  return isObject(result) ? result : undefined
}

/** The key of a result. With `typed_keys` a name follows its type: `sterms#name`. */
function keyOf(container: JsonObject, name: string): string | undefined {
  return Object.keys(container).find((member) => member === name || member.endsWith(`#${name}`))
}
