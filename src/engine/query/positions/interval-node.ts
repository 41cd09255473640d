/** Interval rules bound to a shard. */

import { type Explanation, explained, notMatched } from '../../scoring/explanation.ts'
import type { Weight } from '../../scoring/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { termText } from '../term-level/term-text.ts'
import {
  anyOf,
  block,
  type Interval,
  type IntervalRelation,
  ordered,
  related,
  repeated,
  unordered,
} from './intervals.ts'
import { filteredBy, inAll, inAny, type PositionalIterator, termPositions } from './positional-iterator.ts'
import { PositionalScorer } from './positional-scorer.ts'

export interface IntervalTerm {
  readonly field: string
  readonly bytes: Uint8Array
  /** Whether the term was found by a prefix, a pattern or a fuzzy word. */
  readonly isExpanded?: boolean
}

export interface IntervalNode {
  readonly text: string
  /** The minimum length of an interval: longer ones count less. */
  readonly minExtent: number
  /** The searched terms with their field. */
  readonly terms: readonly IntervalTerm[]
  places(segment: SegmentView): PositionalIterator<Interval> | undefined
  /**
   * Nodes whose intervals together are those of this node; absent for the node alone. Intervals that are not minimal in
   * a disjunction may be the only ones without gaps in the enclosing rule, so such a rule is built for each
   * alternative.
   */
  readonly alternatives?: readonly IntervalNode[] | undefined
}

/** The alternatives of a node; those that are one position wide cannot hide each other and stay together. */
function alternativesOf(node: IntervalNode): IntervalNode[] {
  const all = node.alternatives ?? [node]
  const single = all.filter(({ minExtent }) => minExtent === 1)
  const wide = all.filter(({ minExtent }) => minExtent !== 1)
  return single.length === 0 ? wide : [anyOfIntervals(single), ...wide]
}

/** A rule over every combination of alternatives of its parts. */
function overAlternatives(
  nodes: readonly IntervalNode[],
  make: (nodes: readonly IntervalNode[]) => IntervalNode,
): IntervalNode[] {
  let choices: IntervalNode[][] = [[]]
  for (const node of nodes) {
    const alternatives = alternativesOf(node)
    choices = alternatives.flatMap((alternative) => choices.map((choice) => [...choice, alternative]))
  }
  return choices.map(make)
}

const INT_MAX = 0x7fffffff

export const noIntervals: IntervalNode = { text: 'no_match', minExtent: 0, terms: [], places: () => undefined }

export function termIntervals(field: string, bytes: Uint8Array): IntervalNode {
  return {
    text: termText(bytes),
    minExtent: 1,
    terms: [{ field, bytes }],
    places: ({ reader }) =>
      termPositions(reader, field, bytes, (position) => ({ start: position, end: position, gaps: 0 })),
  }
}

/** The terms of a multi-term rule; `pattern` is its text. */
export function multiTermIntervals(field: string, terms: readonly Uint8Array[], pattern: string): IntervalNode {
  const text = `MultiTerm(${pattern})`
  if (terms.length === 0) return { ...noIntervals, text }
  const any = anyOfIntervals(terms.map((term) => termIntervals(field, term)))
  const expanded = any.terms.map((term) => ({ ...term, isExpanded: true }))
  return { ...any, text, minExtent: 1, terms: expanded, alternatives: undefined }
}

/** `maxGaps` of -1 allows any number. */
export function combineIntervals(nodes: readonly IntervalNode[], maxGaps: number, inOrder: boolean): IntervalNode {
  if (nodes.length === 0) return noIntervals
  if (nodes.length === 1) return nodes[0]!
  if (inOrder && maxGaps === 0) {
    return anyOfIntervals(overAlternatives(nodes, (chosen) => allOf(chosen, 'BLOCK', block)))
  }
  const combine = inOrder
    ? (parts: readonly IntervalNode[]) => allOf(consecutive(parts), 'ORDERED', ordered)
    : (parts: readonly IntervalNode[]) => allOf(counted(parts), 'UNORDERED', unordered)
  const inner = combine(nodes)
  const alternatives = overAlternatives(nodes, combine)
  if (maxGaps === -1) return { ...inner, alternatives }
  return anyOfIntervals(alternatives.map((alternative) => maxGapsIntervals(alternative, maxGaps)))
}

function allOf(
  nodes: readonly IntervalNode[],
  name: string,
  combine: (lists: readonly (readonly Interval[])[]) => Interval[],
): IntervalNode {
  const text = `${name}(${nodes.map((node) => node.text).join(',')})`
  if (nodes.length === 1) return { ...nodes[0]!, text, alternatives: undefined }
  return {
    text,
    minExtent: nodes.reduce((sum, { minExtent }) => sum + minExtent, 0),
    terms: nodes.flatMap(({ terms }) => terms),
    places(segment) {
      const sources = nodes.map((node) => node.places(segment))
      return sources.includes(undefined) ? undefined : inAll(sources as PositionalIterator<Interval>[], combine)
    },
  }
}

/** A repeated rule must match at several places and not several times at one. */
function repeatedIntervals(node: IntervalNode, times: number): IntervalNode {
  if (times === 1) return node
  return {
    ...node,
    alternatives: undefined,
    text: Array.from({ length: times }, () => node.text).join(','),
    places(segment) {
      const source = node.places(segment)
      return source === undefined ? undefined : inAll([source], ([list]) => repeated(list!, times))
    },
  }
}

function consecutive(nodes: readonly IntervalNode[]): IntervalNode[] {
  const runs: { node: IntervalNode; times: number }[] = []
  for (const node of nodes) {
    const last = runs[runs.length - 1]
    if (last?.node.text === node.text) last.times++
    else runs.push({ node, times: 1 })
  }
  return runs.map(({ node, times }) => repeatedIntervals(node, times))
}

function counted(nodes: readonly IntervalNode[]): IntervalNode[] {
  const times = new Map<string, number>()
  for (const { text } of nodes) times.set(text, (times.get(text) ?? 0) + 1)
  const firsts = nodes.filter((node, i) => nodes.findIndex(({ text }) => text === node.text) === i)
  return firsts.map((node) => repeatedIntervals(node, times.get(node.text)!))
}

export function anyOfIntervals(nodes: readonly IntervalNode[]): IntervalNode {
  if (nodes.length === 1) return nodes[0]!
  const alternatives = nodes.flatMap((node) => node.alternatives ?? [node])
  const texts = [...new Set(alternatives.map(({ text }) => text))].sort()
  return {
    alternatives,
    text: `or(${texts.join(',')})`,
    minExtent: Math.min(...nodes.map(({ minExtent }) => minExtent)),
    terms: nodes.flatMap(({ terms }) => terms),
    places(segment) {
      const sources = nodes.map((node) => node.places(segment)).filter((source) => source !== undefined)
      return sources.length === 0 ? undefined : inAny(sources, anyOf)
    },
  }
}

function maxGapsIntervals(node: IntervalNode, maxGaps: number): IntervalNode {
  return keptIntervals(node, `MAXGAPS/${maxGaps}(${node.text})`, ({ gaps }) => gaps <= maxGaps)
}

export function keptIntervals(node: IntervalNode, text: string, keep: (interval: Interval) => boolean): IntervalNode {
  return {
    ...node,
    alternatives: undefined,
    text,
    places(segment) {
      const source = node.places(segment)
      return source === undefined ? undefined : inAll([source], ([list]) => list!.filter(keep))
    },
  }
}

/** Extends every interval on both sides. The minimum length of an interval grows by the same amount. */
export function extendedIntervals(node: IntervalNode, before: number, after: number): IntervalNode {
  const grown = mapped(node, `EXTEND(${node.text},${before},${after})`, ({ start, end, gaps }) => ({
    start: Math.max(0, start - before),
    end: Math.min(INT_MAX, end + after),
    gaps,
  }))
  return { ...grown, minExtent: Math.min(INT_MAX, before + node.minExtent + after) }
}

function mapped(node: IntervalNode, text: string, change: (interval: Interval) => Interval): IntervalNode {
  return {
    ...node,
    alternatives: undefined,
    text,
    places(segment) {
      const source = node.places(segment)
      return source === undefined ? undefined : inAll([source], ([list]) => list!.map(change))
    },
  }
}

const SIGNS: Readonly<Record<IntervalRelation, readonly [string, string]>> = {
  containing: ['CONTAINING', 'NOT_CONTAINING'],
  contained_by: ['CONTAINED_BY', 'NOT_CONTAINED_BY'],
  overlapping: ['OVERLAPPING', 'NON_OVERLAPPING'],
}

/** Intervals that have, or do not have, a relation to one of the others. */
export function filteredIntervals(
  node: IntervalNode,
  other: IntervalNode,
  relation: IntervalRelation,
  negated: boolean,
): IntervalNode {
  return {
    ...node,
    alternatives: undefined,
    text: `${SIGNS[relation][negated ? 1 : 0]}(${node.text},${other.text})`,
    places(segment) {
      const source = node.places(segment)
      const against = other.places(segment)
      if (source === undefined || (against === undefined && !negated)) return undefined
      return filteredBy(source, against, (list, others) =>
        list.filter((a) => others.some((b) => related(relation, a, b)) !== negated),
      )
    },
  }
}

export function precedingIntervals(node: IntervalNode, other: IntervalNode): IntervalNode {
  const place = mapped(other, `PRECEDING(${other.text})`, ({ start }) => ({
    start: start - 1,
    end: start - 1,
    gaps: 0,
  }))
  return filteredIntervals(node, extendedIntervals(place, INT_MAX, 0), 'contained_by', false)
}

export function followingIntervals(node: IntervalNode, other: IntervalNode): IntervalNode {
  const place = mapped(other, `FOLLOWING(${other.text})`, ({ end }) => ({ start: end + 1, end: end + 1, gaps: 0 }))
  return filteredIntervals(node, extendedIntervals(place, 0, INT_MAX), 'contained_by', false)
}

/** Intervals of another field. */
export function fieldIntervals(node: IntervalNode, field: string): IntervalNode {
  return { ...node, text: `FIELD(${field},${node.text})`, alternatives: undefined }
}

const f = Math.fround

export function planIntervals(node: IntervalNode, field: string, boost: number): Weight {
  const text = `${field}:${node.text}`
  const score = (found: readonly Interval[]) => f(boost * f(1 - f(1 / f(1 + frequency(node, found)))))
  return {
    scorer(segment) {
      const places = node.places(segment)
      return places === undefined ? undefined : new PositionalScorer(places, score)
    },
    words(visitor) {
      for (const { field: name, bytes, isExpanded } of node.terms) {
        if (isExpanded === true) visitor.expanded(name, bytes, boost)
        else visitor.term(name, bytes, boost)
      }
    },
    text: () => text,
    explain(segment, doc): Explanation {
      const places = node.places(segment)
      const found = places?.next(doc) === doc ? places.read(doc) : []
      if (found.length === 0) return notMatched('no matching intervals')
      return explained(score(found), 'Saturation function on interval frequency, computed as w * S / (S + k) from:', [
        explained(boost, 'w, weight of this function'),
        explained(1, 'k, pivot feature value that would give a score contribution equal to w/2'),
        explained(frequency(node, found), `S, the sloppy frequency of the interval query ${text}`),
      ])
    },
  }
}

/** The longer an interval is than its minimum, the less it counts. */
function frequency({ minExtent }: IntervalNode, found: readonly Interval[]): number {
  let freq = 0
  for (const { start, end } of found) freq = f(freq + 1 / Math.max(end - start + 1 - minExtent + 1, 1))
  return freq
}
