/** `dis_max`: the best of several clauses, with a share of the others. */
import { END_OBJECT, FIELD_NAME, START_ARRAY, START_OBJECT } from '../../base/json/json-reader.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from './clause.ts'
import { Matcher } from './matcher.ts'
import { multiplyBoost, type Query, type ShardQuery, type ShardQueryContext } from './query.ts'
import { UnionMatcher } from './union.ts'
import { releaseScratch, takeScratch, WINDOW_WORDS } from './window.ts'

export class DisMaxQuery implements Query {
  readonly kind = 'dis_max'
  readonly boost: number
  readonly name: string | undefined
  readonly queries: readonly Query[]
  readonly tieBreaker: number

  constructor(queries: readonly Query[], tieBreaker = 0, options: ClauseOptions = newOptions()) {
    this.queries = queries
    this.tieBreaker = tieBreaker
    this.boost = options.boost
    this.name = options.name
  }

  children(): readonly Query[] {
    return this.queries
  }

  plan(context: ShardQueryContext, scoring: boolean, outerBoost: number): ShardQuery {
    const boost = multiplyBoost(outerBoost, this.boost)
    return planDisMax(
      this.queries.map((query) => query.plan(context, scoring, boost)),
      this.tieBreaker,
    )
  }
}

export function planDisMax(parts: readonly ShardQuery[], tieBreaker: number): ShardQuery {
  return {
    matcher(segment) {
      const matchers = parts.map((part) => part.matcher(segment)).filter((matcher) => matcher !== undefined)
      if (matchers.length <= 1) return matchers[0]
      return new DisMaxMatcher(matchers, tieBreaker)
    },
    words(visitor) {
      for (const part of parts) part.words?.(visitor)
    },
  }
}

class DisMaxMatcher extends Matcher {
  readonly cost: number
  readonly #parts: readonly Matcher[]
  readonly #union: UnionMatcher
  readonly #tieBreaker: number

  constructor(parts: readonly Matcher[], tieBreaker: number) {
    super()
    this.#parts = parts
    this.#union = new UnionMatcher(parts)
    this.#tieBreaker = Math.fround(tieBreaker)
    this.cost = this.#union.cost
  }

  override next(target: number): number {
    return this.#union.next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#union.match(base, limit, bits)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    const scratch = takeScratch()
    const others = takeScratch()
    others.sums.fill(0)
    for (const part of this.#parts) {
      scratch.bits.fill(0)
      part.matchScored(base, limit, scratch.bits, scratch.scores)
      for (let i = 0; i < WINDOW_WORDS; i++) {
        let word = scratch.bits[i]!
        while (word !== 0) {
          const lowest = word & -word
          const at = (i << 5) + (31 - Math.clz32(lowest))
          const score = scratch.scores[at]!
          if ((bits[i]! & lowest) === 0) scores[at] = score
          else if (score >= scores[at]!) {
            others.sums[at] = others.sums[at]! + scores[at]!
            scores[at] = score
          } else others.sums[at] = others.sums[at]! + score
          word ^= lowest
        }
        bits[i] = bits[i]! | scratch.bits[i]!
      }
    }
    for (let at = 0; at < limit - base; at++) {
      if (others.sums[at] !== 0) scores[at] = scores[at]! + others.sums[at]! * this.#tieBreaker
    }
    releaseScratch(scratch)
    releaseScratch(others)
  }
}

export const disMaxClause: QueryClause = {
  name: 'dis_max',
  parse(reader, inner) {
    const options = newOptions()
    const queries: Query[] = []
    let tieBreaker = 0
    let found = false
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_OBJECT || reader.token === START_ARRAY) {
        if (member !== 'queries') throw doesNotSupport(reader, 'dis_max', member)
        found = true
        reader.each(() => queries.push(inner(reader)))
      } else if (member === 'tie_breaker') tieBreaker = reader.float()
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'dis_max', member)
    }
    if (!found) throw reader.parsingError("[dis_max] requires 'queries' field with at least one clause")
    return new DisMaxQuery(queries, tieBreaker, options)
  },
}
