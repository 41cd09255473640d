/** The span clauses as queries, to be bound to the spans of a shard. */

import { illegalArgument, illegalState } from '../../../base/api-error.ts'
import { spanFieldsDiffer } from '../../../base/errors/query-errors.ts'
import { storageName } from '../../mapping/storage-name.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import type { ClauseOptions } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { exactValue } from '../term-level/exact-value.ts'
import { metadataValue } from '../term-level/metadata-field.ts'
import { METADATA_FIELDS } from '../term-level/searchable-field.ts'
import { expandedTerms } from './expand-terms.ts'
import {
  type NearPart,
  planSpans,
  type SpanNode,
  spanContain,
  spanFirst,
  spanMasked,
  spanNear,
  spanNot,
  spanNothing,
  spanOr,
  spanTerm,
} from './span-node.ts'

export abstract class SpanQuery extends QueryNode {
  abstract spans(context: SearchExecutionContext): SpanNode

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    return planSpans(context, this.spans(context), scoring, boost)
  }
}

const withoutPositions = (field: string) =>
  illegalArgument(`Span term query requires position data, but field ${field} was indexed without position data`)

export class SpanTermQuery extends SpanQuery {
  override readonly kind = 'span_term'
  readonly field: string
  readonly value: unknown

  constructor(field: string, value: unknown, options?: ClauseOptions) {
    super(options)
    this.field = field
    this.value = value
  }

  override spans(context: SearchExecutionContext): SpanNode {
    const field = context.mapping.field(this.field)
    // Errors in the value precede the error about the field.
    if (field === undefined) {
      if (!METADATA_FIELDS.has(this.field)) return spanNothing(this.field, `unmapped field: ${this.field}`)
      metadataValue(context, this.field, this.value, { scoring: false, boost: 1 }, 'span_term')
      throw withoutPositions(this.field)
    }
    if (field.schema?.inverted !== 'positions') {
      exactValue(context, field, this.value, { scoring: false, boost: 1 })
      throw withoutPositions(field.name)
    }
    return spanTerm(field.schema.name, field.termValue(this.value) as Uint8Array)
  }
}

/** Arbitrary positions between the clauses of `span_near`. */
export class SpanGapQuery extends SpanQuery {
  override readonly kind = 'span_gap'
  readonly field: string
  readonly width: number

  constructor(field: string, width: number) {
    super()
    this.field = field
    this.width = width
  }

  override spans(): SpanNode {
    throw illegalState(
      'provided query builder [class org.elasticsearch.index.query.SpanNearQueryBuilder$SpanGapQueryBuilder] class ' +
        "should inherit from AbstractQueryBuilder, but it doesn't",
    )
  }
}

export class SpanNearQuery extends SpanQuery {
  override readonly kind = 'span_near'
  readonly clauses: readonly SpanQuery[]
  readonly slop: number
  readonly inOrder: boolean

  constructor(clauses: readonly SpanQuery[], slop: number, inOrder: boolean, options?: ClauseOptions) {
    super(options)
    this.clauses = clauses
    this.slop = slop
    this.inOrder = inOrder
  }

  children(): readonly Query[] {
    return this.clauses
  }

  override spans(context: SearchExecutionContext): SpanNode {
    const parts = this.clauses.map((clause): NearPart => {
      if (!(clause instanceof SpanGapQuery)) return clause.spans(context)
      if (!this.inOrder) throw illegalArgument('Gaps can only be added to ordered near queries')
      return clause.width
    })
    const [first, ...others] = parts.filter((part) => typeof part !== 'number')
    for (const part of others) {
      if (part.field === first!.field) continue
      throw illegalArgument(`Cannot add clause ${part.text(false)} to SpanNearQuery for field ${first!.field}`)
    }
    return parts.length === 1 && first !== undefined ? first : spanNear(parts, this.slop, this.inOrder)
  }
}

export class SpanOrQuery extends SpanQuery {
  override readonly kind = 'span_or'
  readonly clauses: readonly SpanQuery[]

  constructor(clauses: readonly SpanQuery[], options?: ClauseOptions) {
    super(options)
    this.clauses = clauses
  }

  children(): readonly Query[] {
    return this.clauses
  }

  override spans(context: SearchExecutionContext): SpanNode {
    const nodes = this.clauses.map((clause) => clause.spans(context))
    if (nodes.some(({ field }) => field !== nodes[0]!.field)) throw spanFieldsDiffer()
    return spanOr(nodes)
  }
}

export class SpanFirstQuery extends SpanQuery {
  override readonly kind = 'span_first'
  readonly match: SpanQuery
  readonly end: number

  constructor(match: SpanQuery, end: number, options?: ClauseOptions) {
    super(options)
    this.match = match
    this.end = end
  }

  children(): readonly Query[] {
    return [this.match]
  }

  override spans(context: SearchExecutionContext): SpanNode {
    return spanFirst(this.match.spans(context), this.end)
  }
}

export class SpanNotQuery extends SpanQuery {
  override readonly kind = 'span_not'
  readonly include: SpanQuery
  readonly exclude: SpanQuery
  readonly pre: number
  readonly post: number

  constructor(
    include: SpanQuery,
    exclude: SpanQuery,
    distance: { readonly pre: number; readonly post: number },
    options?: ClauseOptions,
  ) {
    super(options)
    this.include = include
    this.exclude = exclude
    this.pre = Math.max(0, distance.pre)
    this.post = Math.max(0, distance.post)
  }

  children(): readonly Query[] {
    return [this.include, this.exclude]
  }

  override spans(context: SearchExecutionContext): SpanNode {
    const [include, exclude] = [this.include.spans(context), this.exclude.spans(context)]
    if (include.field !== exclude.field) throw spanFieldsDiffer()
    return spanNot(include, exclude, this.pre, this.post)
  }
}

/** `span_containing` keeps the big spans, `span_within` the little ones. */
export class SpanContainQuery extends SpanQuery {
  override readonly kind: 'span_containing' | 'span_within'
  readonly big: SpanQuery
  readonly little: SpanQuery

  constructor(kind: 'span_containing' | 'span_within', big: SpanQuery, little: SpanQuery, options?: ClauseOptions) {
    super(options)
    this.kind = kind
    this.big = big
    this.little = little
  }

  children(): readonly Query[] {
    return [this.big, this.little]
  }

  override spans(context: SearchExecutionContext): SpanNode {
    const keep = this.kind === 'span_containing' ? 'big' : 'little'
    const [big, little] = [this.big.spans(context), this.little.spans(context)]
    if (big.field !== little.field) throw illegalArgument('big and little not same field')
    return spanContain(big, little, keep)
  }
}

/** A multi-term query as the spans of each of its terms. */
export class SpanMultiQuery extends SpanQuery {
  override readonly kind = 'span_multi'
  readonly match: Query & { readonly field: string }

  constructor(match: Query & { readonly field: string }, options?: ClauseOptions) {
    super(options)
    this.match = match
  }

  children(): readonly Query[] {
    return [this.match]
  }

  override spans(context: SearchExecutionContext): SpanNode {
    const name = this.match.field
    const field = context.mapping.field(name)
    if (field === undefined) return spanNothing(name, `unmapped field: ${name}`)
    if (field.shape !== 'text' && this.match.kind === 'prefix') {
      throw illegalArgument(
        `Can only use span prefix queries on text fields - not on [${name}] which is of type [${field.type}]`,
      )
    }
    const plan = this.match.plan(context, false, 1)
    const { terms } = expandedTerms(context, plan)
    const physical = storageName(field)
    const nodes = terms.map((term) => spanTerm(physical, term))
    const inner = plan.text(false)
    const node =
      nodes.length === 0
        ? spanNothing(physical, `no expansion found for ${inner}`)
        : nodes.length === 1 && this.match.kind !== 'fuzzy'
          ? nodes[0]!
          : spanOr(nodes)
    return { ...node, text: (rewritten) => (rewritten ? node.text(true) : `SpanMultiTermQueryWrapper(${inner})`) }
  }
}

export class SpanMaskQuery extends SpanQuery {
  override readonly kind = 'span_field_masking'
  readonly query: SpanQuery
  readonly field: string

  constructor(query: SpanQuery, field: string, options?: ClauseOptions) {
    super(options)
    this.query = query
    this.field = field
  }

  children(): readonly Query[] {
    return [this.query]
  }

  override spans(context: SearchExecutionContext): SpanNode {
    const field = context.mapping.field(this.field)
    return spanMasked(this.query.spans(context), storageName(field) ?? this.field)
  }

  /** The other field counts within an outer span query; by itself the query scores like the one it masks. */
  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const own = planSpans(context, this.query.spans(context), scoring, boost)
    const shown = this.spans(context)
    return { ...own, text: (rewritten) => shown.text(rewritten) }
  }
}
