/**
 * An upper bound for how the work of a backtracking matcher grows with the text. It decides which patterns may run
 * natively.
 *
 * `degree` is the exponent of the text length that one attempt can take, Infinity if it may be exponential. `ways`
 * bounds how often the rest of the pattern is tried for reasons independent of the text length. `size` is the number of
 * characters one alternative examines, apart from unbounded repetitions.
 */
import type { CharSet } from './char-set.ts'
import type { RegexNode } from './regex-tree.ts'
import { widthOf } from './regex-tree.ts'

export interface Growth {
  readonly degree: number
  readonly ways: number
  readonly size: number
}

const ONE_WAY: Growth = { degree: 0, ways: 1, size: 1 }
const { POSITIVE_INFINITY } = Number
const UNBOUNDED: Growth = { degree: POSITIVE_INFINITY, ways: POSITIVE_INFINITY, size: POSITIVE_INFINITY }

/** `isLast` means that nothing after the node can fail, so that a repetition at this place never backtracks. */
export function growthOf(node: RegexNode, isLast = true): Growth {
  switch (node.kind) {
    case 'sequence':
      return node.items
        .map((item, i) => growthOf(item, isLast && i === node.items.length - 1))
        .reduce((a, b) => ({ degree: a.degree + b.degree, ways: a.ways * b.ways, size: a.size + b.size }), ONE_WAY)
    case 'choice': {
      const parts = node.branches.map((branch) => growthOf(branch, isLast))
      const ways = parts.map((part) => part.ways)
      return {
        degree: Math.max(...parts.map((part) => part.degree)),
        ways: areExclusive(node.branches) ? Math.max(...ways) : ways.reduce((a, b) => a + b, 0),
        size: Math.max(...parts.map((part) => part.size)),
      }
    }
    case 'group':
      return growthOf(node.body, isLast)
    case 'look':
      return growthOf(node.body, false)
    case 'atomic':
      return growthOf(node.body, false)
    case 'repeat':
      return repeatGrowth(node, isLast)
    case 'reference':
      return UNBOUNDED
    default:
      return ONE_WAY
  }
}

function repeatGrowth({ body, min, max }: RegexNode & { kind: 'repeat' }, isLast: boolean): Growth {
  const inner = growthOf(body, false)
  if (max === Number.POSITIVE_INFINITY) {
    if (inner.degree > 0 || inner.ways > 1 || widthOf(body).min === 0) return UNBOUNDED
    return { degree: isLast ? 0 : 1, ways: 1, size: inner.size * Math.max(1, min) }
  }
  if (max === 0) return ONE_WAY
  return {
    degree: inner.degree * max,
    ways: Math.max(1, inner.ways ** max * (max - min + 1)),
    size: inner.size * max,
  }
}

/** Whether at most one of the branches can match at any position. */
function areExclusive(branches: readonly RegexNode[]): boolean {
  const firsts: (readonly CharSet[])[] = []
  for (const branch of branches) {
    const first = firstSets(branch)
    if (first === undefined) return false
    if (firsts.some((other) => other.some((a) => first.some((b) => !a.isDisjointFrom(b))))) return false
    firsts.push(first)
    if (firsts.length > 20) return false
  }
  return true
}

/**
 * Sets of which one contains the first code point of any match. Undefined when a match can be empty or the sets are
 * unknown.
 */
export function firstSets(node: RegexNode): readonly CharSet[] | undefined {
  switch (node.kind) {
    case 'set':
      return [node.set]
    case 'group':
    case 'atomic':
      return firstSets(node.body)
    case 'repeat':
      return node.min > 0 ? firstSets(node.body) : undefined
    case 'choice': {
      const sets: CharSet[] = []
      for (const branch of node.branches) {
        const first = firstSets(branch)
        if (first === undefined) return undefined
        sets.push(...first)
      }
      return sets
    }
    case 'sequence': {
      const sets: CharSet[] = []
      for (const item of node.items) {
        if (item.kind === 'assertion' || item.kind === 'look') continue
        if (item.kind === 'repeat' && item.min === 0) {
          const body = firstSets(item.body)
          if (body === undefined) return undefined
          sets.push(...body)
          continue
        }
        const first = firstSets(item)
        return first === undefined ? undefined : [...sets, ...first]
      }
      return undefined
    }
    default:
      return undefined
  }
}
