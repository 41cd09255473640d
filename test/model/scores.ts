/** Scores of queries that are made of others, computed from the scores that the service gives their parts. */
import type { Random } from '../fuzz/random.ts'
import { isObject, type Json, type JsonObject, listOf, member } from './json.ts'
import { matches, only, randomQuery } from './queries.ts'
import { hitName } from './search.ts'
import { type Item, NotModelled, type World } from './world.ts'

/** The scores of the documents that match, by name. */
type Scores = ReadonlyMap<string, number>

/** Reads the hits of a query, all of them. */
type Read = (query: Json) => Promise<readonly Json[]>

/** `boost` is that of the queries around it, which Lucene hands down to the innermost. */
export async function expectedScores(items: readonly Item[], query: Json, read: Read, boost = 1): Promise<Scores> {
  const [kind, body] = only(query)
  const combine = COMPOUND[kind]
  if (combine === undefined || !isObject(body)) return leafScores(items, query, read, boost)
  const own = boost * Number(body.boost ?? 1)
  return combine(body, {
    boost: own,
    of: (inner) => expectedScores(items, inner, read, own),
    matching: (inner) => items.filter((item) => matches(item, inner)).map(hitName),
  })
}

/** The hits of a part must be those of the model. */
async function leafScores(items: readonly Item[], query: Json, read: Read, boost: number): Promise<Scores> {
  const hits = await read(query)
  const found = items.filter((item) => matches(item, query)).length
  if (hits.length !== found) throw new NotModelled('hits that another check compares')
  return new Map(hits.map((hit) => [nameOfHit(hit), boost * Number(isObject(hit) ? hit._score : Number.NaN)]))
}

const nameOfHit = (hit: Json): string => (isObject(hit) ? `${hit._index}/${hit._id}` : '')

interface Parts {
  readonly boost: number
  of(query: Json): Promise<Scores>
  matching(query: Json): string[]
}

type Compound = (body: JsonObject, parts: Parts) => Scores | Promise<Scores>

const COMPOUND: { readonly [kind: string]: Compound } = {
  match_all: (_, { boost, matching }) => new Map(matching({ match_all: {} }).map((name) => [name, boost])),
  constant_score: ({ filter }, { boost, matching }) => new Map(matching(filter!).map((name) => [name, boost])),
  bool: async ({ boost: _, ...query }, parts) => {
    if (Object.keys(query).length === 0) return COMPOUND.match_all!(query, parts)
    const scores = await Promise.all([...listOf(query.must), ...listOf(query.should)].map(parts.of))
    return new Map(parts.matching({ bool: query }).map((name) => [name, sum(scores.map((own) => own.get(name) ?? 0))]))
  },
  dis_max: async ({ queries, tie_breaker = 0 }, { of }) => {
    const parts = await Promise.all(listOf(queries).map(of))
    return new Map(
      [...new Set(parts.flatMap((scores) => [...scores.keys()]))].map((name) => {
        const own = parts.map((scores) => scores.get(name)).filter((score) => score !== undefined)
        const best = Math.max(...own)
        return [name, best + Number(tie_breaker) * (sum(own) - best)]
      }),
    )
  },
  boosting: async (body, { of, matching }) => {
    const [scores, less] = [await of(body.positive!), new Set(matching(body.negative!))]
    return new Map(
      [...scores].map(([name, score]) => [name, less.has(name) ? score * Number(body.negative_boost) : score]),
    )
  },
  // Its own boost is that of the query in it; the functions have none.
  function_score: async (body, { of, matching }) => {
    const scores = await of(body.query!)
    const functions = listOf(body.functions).map((entry) => ({
      weight: Number(isObject(entry) ? entry.weight : 1),
      names: new Set(matching(member(entry, 'filter'))),
    }))
    const scored = [...scores].map(([name, score]): [string, number] => {
      const weights = functions.filter(({ names }) => names.has(name)).map(({ weight }) => weight)
      if (functions.length === 0) return [name, score]
      const factor = weights.length === 0 ? 1 : MODES[String(body.score_mode ?? 'multiply')]!(weights)
      return [name, MODES[String(body.boost_mode ?? 'multiply')]!([score, factor])]
    })
    return new Map(scored.filter(([, score]) => score >= Number(body.min_score ?? 0)))
  },
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0)

const MODES: { readonly [mode: string]: (numbers: readonly number[]) => number } = {
  multiply: (numbers) => numbers.reduce((product, value) => product * value, 1),
  sum,
  first: ([first]) => first!,
  max: (numbers) => Math.max(...numbers),
  min: (numbers) => Math.min(...numbers),
  replace: (numbers) => numbers.at(-1)!,
  avg: (numbers) => sum(numbers) / numbers.length,
}

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-5 * Math.max(1e-3, Math.abs(a), Math.abs(b))

export function scoreDiffers(hits: readonly Json[], expected: Scores): string | undefined {
  let last = Number.POSITIVE_INFINITY
  for (const hit of hits) {
    const [name, score] = [nameOfHit(hit), Number(isObject(hit) ? hit._score : Number.NaN)]
    const wanted = expected.get(name)
    if (wanted === undefined) return `${name} does not match`
    if (!isClose(score, wanted)) return `_score of ${name} is ${score} instead of ${wanted}`
    const { value } = member(hit, '_explanation')
    if (!isClose(Number(value), score)) return `_explanation of ${name} says ${value} instead of ${score}`
    if (score > last) return `${name} with ${score} is behind ${last}`
    last = score
  }
  return hits.length === expected.size ? undefined : `${hits.length} hits instead of ${expected.size}`
}

const boosts = (random: Random): JsonObject => (random.chance(0.3) ? { boost: random.pick([0.5, 2, 3]) } : {})

/** A query that the law knows, of others. */
export function randomScored(random: Random, world: World, depth: number): JsonObject {
  if (depth === 0 || random.chance(0.2)) return randomQuery(random, world, 0)
  const part = (): JsonObject => randomScored(random, world, depth - 1)
  const filter = (): JsonObject => randomQuery(random, world, 1)
  switch (random.pick(['bool', 'bool', 'dis_max', 'constant_score', 'boosting', 'function_score'])) {
    case 'dis_max':
      return { dis_max: { queries: [part(), part()], tie_breaker: random.pick([0, 0.3, 1]), ...boosts(random) } }
    case 'constant_score':
      return { constant_score: { filter: filter(), ...boosts(random) } }
    case 'boosting':
      return { boosting: { positive: part(), negative: filter(), negative_boost: random.pick([0, 0.2, 1]) } }
    case 'function_score': {
      const weights = random.list(3, (): Json => ({ filter: filter(), weight: random.pick([0.5, 2, 3]) }))
      return {
        function_score: {
          query: part(),
          functions: weights,
          score_mode: random.pick(['multiply', 'sum', 'first', 'max', 'min']),
          boost_mode: random.pick(['multiply', 'sum', 'replace', 'max', 'min', 'avg']),
        },
      }
    }
    default: {
      const body: Record<string, Json> = { should: [part(), ...random.list(2, part)], ...boosts(random) }
      if (random.chance(0.4)) body.must = [part()]
      if (random.chance(0.3)) body.filter = [filter()]
      if (random.chance(0.2)) body.must_not = [filter()]
      return { bool: body }
    }
  }
}
