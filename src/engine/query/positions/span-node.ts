/** Span queries bound to a shard: a tree of nodes. */
import { formatFloat } from '../../../base/json/json-writer.ts'
import { explainWeight } from '../../scoring/explain-weight.ts'
import { explained, notMatched } from '../../scoring/explanation.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { fieldStatistics, SimScorer } from '../../scoring/similarity.ts'
import type { WordVisitor } from '../../scoring/word-visitor.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { documentFrequency, totalFrequency } from '../term-level/term-query.ts'
import { termText } from '../term-level/term-text.ts'
import { inAll, inAny, type PositionalIterator, termPositions } from './positional-iterator.ts'
import { PositionalScorer } from './positional-scorer.ts'
import { containing, inAnyOrder, inOrder, merged, type SequencePart, type Span, within, without } from './spans.ts'

export interface SpanTerm {
  readonly field: string
  readonly bytes: Uint8Array
}

export interface SpanNode {
  /** The field whose statistics are used for the score. */
  readonly field: string
  /** The terms whose rarity counts. */
  readonly terms: readonly SpanTerm[]
  text(rewritten: boolean): string
  /** Undefined if the segment has no such spans. */
  places(segment: SegmentView): PositionalIterator<Span> | undefined
}

export function spanTerm(field: string, bytes: Uint8Array): SpanNode {
  return {
    field,
    terms: [{ field, bytes }],
    text: () => `${field}:${termText(bytes)}`,
    places: ({ reader }) =>
      termPositions(reader, field, bytes, (position) => ({ start: position, end: position + 1, width: 0 })),
  }
}

/** A gap is a number of positions, allowed only between ordered spans. */
export type NearPart = SpanNode | number

export function spanNear(parts: readonly NearPart[], slop: number, ordered: boolean): SpanNode {
  const nodes = parts.filter((part): part is SpanNode => typeof part !== 'number')
  // A gap before the first span only requires room.
  const lead = parts.findIndex((part) => typeof part !== 'number')
  const gap = parts.slice(0, lead).reduce<number>((sum, part) => sum + (part as number), 0)
  return {
    field: nodes[0]!.field,
    terms: nodes.flatMap(({ terms }) => terms),
    text: (rewritten) => {
      const inside = parts.map((part) => (typeof part === 'number' ? `SpanGap(:${part})` : part.text(rewritten)))
      return `spanNear([${inside.join(', ')}], ${slop}, ${ordered})`
    },
    places(segment) {
      const sources = nodes.map((node) => node.places(segment))
      if (sources.includes(undefined)) return undefined
      return inAll(sources as PositionalIterator<Span>[], (lists) => {
        if (!ordered) return inAnyOrder(lists, slop)
        let next = 0
        const sequence = parts.map((part): SequencePart => (typeof part === 'number' ? part : lists[next++]!))
        return afterGap(inOrder(sequence.slice(lead), slop), gap)
      })
    },
  }
}

function afterGap(spans: Span[], gap: number): Span[] {
  if (gap === 0) return spans
  return spans.filter(({ start }) => start >= gap).map((span) => ({ ...span, start: span.start - gap }))
}

export function spanOr(nodes: readonly SpanNode[]): SpanNode {
  return {
    field: nodes[0]!.field,
    terms: nodes.flatMap(({ terms }) => terms),
    text: (rewritten) => `spanOr([${nodes.map((node) => node.text(rewritten)).join(', ')}])`,
    places(segment) {
      const sources = nodes.map((node) => node.places(segment)).filter((source) => source !== undefined)
      return sources.length === 0 ? undefined : inAny(sources, merged)
    },
  }
}

export function spanFirst(node: SpanNode, end: number): SpanNode {
  return {
    ...node,
    text: (rewritten) => `spanFirst(${node.text(rewritten)}, ${end})`,
    places(segment) {
      const source = node.places(segment)
      return source === undefined
        ? undefined
        : inAll([source], ([list]) => list!.filter((span) => span.start < end && span.end <= end))
    },
  }
}

export function spanNot(include: SpanNode, exclude: SpanNode, pre: number, post: number): SpanNode {
  return {
    ...include,
    text: (rewritten) => `spanNot(${include.text(rewritten)}, ${exclude.text(rewritten)}, ${pre}, ${post})`,
    places(segment) {
      const source = include.places(segment)
      if (source === undefined) return undefined
      const excluded = exclude.places(segment)
      return {
        cost: source.cost,
        next: (target) => source.next(target),
        read: (doc) => without(source.read(doc), excluded?.read(doc) ?? [], pre, post),
      }
    },
  }
}

/** The big spans that contain a little one, or the little ones inside a big one. */
export function spanContain(big: SpanNode, little: SpanNode, keep: 'big' | 'little'): SpanNode {
  return {
    field: big.field,
    terms: [...big.terms, ...little.terms],
    text: (rewritten) =>
      `Span${keep === 'big' ? 'Containing' : 'Within'}(${big.text(rewritten)}, ${little.text(rewritten)})`,
    places(segment) {
      const [outer, inner] = [big.places(segment), little.places(segment)]
      if (outer === undefined || inner === undefined) return undefined
      return inAll([outer, inner], ([bigs, littles]) =>
        keep === 'big' ? containing(bigs!, littles!) : within(littles!, bigs!),
      )
    },
  }
}

/** Spans of one field presented as those of another, so that they can be combined. */
export function spanMasked(node: SpanNode, field: string): SpanNode {
  return { ...node, field, text: (rewritten) => `mask(${node.text(rewritten)}) as ${field}` }
}

export function spanNothing(field: string, reason: string): SpanNode {
  return { field, terms: [], text: () => `SpanMatchNoDocsQuery("${reason}")`, places: () => undefined }
}

const f = Math.fround

export function planSpans(context: SearchExecutionContext, node: SpanNode, scoring: boolean, boost: number): Weight {
  const frequencies = scoring
    ? distinctTerms(node.terms).map(({ field, bytes }) => documentFrequency(context, field, bytes))
    : []
  const found = frequencies.filter((docFreq) => docFreq > 0)
  const totals = distinctTerms(node.terms)
    .map(({ field, bytes }) => totalFrequency(context, field, bytes))
    .filter((_, i) => frequencies[i]! > 0)
  const statistics = fieldStatistics(context.counted, node.field)
  const simScorer =
    found.length === 0 ? undefined : new SimScorer(boost, found, statistics, context.similarity(node.field), totals)
  return {
    scorer(segment) {
      const places = node.places(segment)
      if (places === undefined) return undefined
      const norms = segment.reader.norms(node.field)
      return new PositionalScorer(
        places,
        (spans, doc) => simScorer?.score(spanFrequency(spans), norms?.[doc] || 1) ?? 0,
      )
    },
    words(visitor: WordVisitor) {
      for (const { field, bytes } of node.terms) visitor.term(field, bytes, boost)
    },
    text: (rewritten) => node.text(rewritten),
    explain(segment, doc) {
      const places = node.places(segment)
      const freq = places?.next(doc) === doc ? spanFrequency(places.read(doc)) : 0
      if (freq === 0 || simScorer === undefined) return notMatched('no matching term')
      const counted = explained(freq, `phraseFreq=${formatFloat(freq)}`)
      return explainWeight(node.text(true), doc, simScorer, counted, segment.reader.norms(node.field)?.[doc] || 1)
    },
  }
}

/** Every term once, in order: the rarities are added in this order. */
function distinctTerms(terms: readonly SpanTerm[]): SpanTerm[] {
  const sorted = [...terms].sort(
    (a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0) || Buffer.compare(a.bytes, b.bytes),
  )
  return sorted.filter((term, i) => {
    const previous = sorted[i - 1]
    return previous === undefined || previous.field !== term.field || Buffer.compare(previous.bytes, term.bytes) !== 0
  })
}

/** The wider a span, the less it counts. */
function spanFrequency(spans: readonly Span[]): number {
  let freq = 0
  for (const { width } of spans) freq = f(freq + 1 / (1 + width))
  return freq
}
