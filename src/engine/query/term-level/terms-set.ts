/** `terms_set`: documents with enough of the terms, where a field of the document gives the required number. */
import { illegalArgument, illegalState } from '../../../base/api-error.ts'
import { setBit } from '../../../base/bit-set.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import { END_ARRAY, END_OBJECT, FIELD_NAME, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { withShownNames } from '../../document/derived-doc-values.ts'
import { scriptFieldsOf } from '../../mapping/runtime-field-types.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { fromJava } from '../../painless/index.ts'
import { readScript } from '../../request/script.ts'
import { type Explanation, explained, notMatched } from '../../scoring/explanation.ts'
import { rewrittenToNone, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { Scorer } from '../../scoring/scorers/scorer.ts'
import { UnionScorer } from '../../scoring/union.ts'
import { releaseScratch, takeScratch, WINDOW_WORDS } from '../../scoring/window.ts'
import { DocumentScript, scriptText } from '../../scripts/document-script.ts'
import type { Script } from '../../scripts/script.ts'
import type { NumericDocValues, SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { planAny, writtenAs } from '../compound/boolean-plan.ts'
import { minimumShouldMatch } from '../compound/minimum-should-match.ts'
import { QueryNode } from '../query-node.ts'
import { exactValue } from './exact-value.ts'
import { metadataValue } from './metadata-field.ts'
import { scoredTerm } from './term-query.ts'

/** The source of the required number of terms. */
export type Enough =
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'constant'; readonly spec: string }
  | { readonly kind: 'script'; readonly script: Script }

class TermsSetQuery extends QueryNode {
  override readonly kind = 'terms_set'
  readonly field: string
  readonly values: readonly unknown[]
  readonly enough: Enough | undefined

  constructor(
    field: string,
    values: readonly unknown[],
    enough: Enough | undefined,
    options: ClauseOptions = newOptions(),
  ) {
    super(options)
    this.field = field
    this.values = values
    this.enough = enough
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const { values, enough } = this
    if (values.length === 0) return rewrittenToNone('terms_set')
    if (values.length > context.limits.maxTermsCount) {
      throw illegalArgument(
        `The number of terms [${values.length}] used in the Terms Set Query request has exceeded the allowed maximum ` +
          `of [${context.limits.maxTermsCount}]. This maximum can be set by changing the [index.max_terms_count] ` +
          'index level setting.',
      )
    }
    if (enough === undefined) {
      throw illegalState('No minimum should match has been specified')
    }
    const field = context.mapping.field(this.field)
    const parts = values.map((value) =>
      field === undefined
        ? (metadataValue(context, this.field, value, { scoring, boost }, 'terms_set') ??
          scoredTerm(this.field, Buffer.from(String(value)), undefined, boost))
        : exactValue(context, field, value, { scoring, boost }),
    )
    const texts = () => [...parts.map((part) => part.text(true))].sort().join(', ')
    if (enough.kind === 'constant') {
      const needed = minimumShouldMatch(parts.length, enough.spec)
      const plan = planAny(parts, needed, scoring)
      return writtenAs(plan, () => `CoveringQuery(queries=[${texts()}], minimumNumberMatch=constant(${needed}))`)
    }
    const { column, shown } = neededNumbers(context, enough, parts.length)
    return {
      scorer(segment) {
        const needed = column(segment)
        if (needed === undefined) return undefined
        const scorers = parts.map((part) => part.scorer(segment)).filter((scorer) => scorer !== undefined)
        return scorers.length === 0 ? undefined : new CoveringScorer(scorers, needed)
      },
      words(visitor) {
        for (const part of parts) part.words?.(visitor)
      },
      text: () => `CoveringQuery(queries=[${texts()}], minimumNumberMatch=${shown})`,
      explain: (segment, doc) => explainCovering(parts, column(segment), segment, doc),
    }
  }
}

/** The number of terms that each document requires. */
interface NeededNumbers {
  readonly has: (doc: number) => boolean
  readonly of: (doc: number) => number
}

function neededNumbers(
  context: SearchExecutionContext,
  enough: Exclude<Enough, { kind: 'constant' }>,
  termCount: number,
): { column: (segment: SegmentView) => NeededNumbers | undefined; shown: string } {
  if (enough.kind === 'script') {
    const params = { ...enough.script.params, num_terms: termCount }
    const script = new DocumentScript({ ...enough.script, params }, 'terms_set', scriptFieldsOf(context.mapping))
    const column = ({ reader }: SegmentView) => {
      const open = script.open(reader)
      return { has: () => true, of: (doc: number) => Math.max(1, javaNumber(open.run(doc))) }
    }
    return { column, shown: `script(${scriptText(enough.script)})` }
  }
  const number = context.mapping.field(enough.field)
  if (number === undefined) {
    throw queryShardError(context.index, `failed to find minimum_should_match field [${enough.field}]`)
  }
  const name = storageName(number)
  const column = ({ reader }: SegmentView) => {
    const numbers = reader.numericDocValues(name)
    return numbers && { has: (doc: number) => numbers.has(doc), of: (doc: number) => neededFor(numbers, doc) }
  }
  return { column, shown: `long(${withShownNames(name)})` }
}

/** A number returned by a script, without its fraction. */
function javaNumber(value: unknown): number {
  const plain = fromJava(value)
  return Math.trunc(plain instanceof Double ? plain.value : Number(plain))
}

function explainCovering(
  parts: readonly Weight[],
  column: NeededNumbers | undefined,
  segment: SegmentView,
  doc: number,
): Explanation {
  if (!column?.has(doc)) return notMatched('minimumNumberMatch has no value on the current document')
  const needed = column.of(doc)
  const each = parts.map((part) => part.explain(segment, doc))
  const matched = each.filter(({ match }) => match)
  const found = `${matched.length} matches for ${needed} required matches`
  if (matched.length < needed) return notMatched(found, each)
  return explained(Math.fround(matched.reduce((sum, { value }) => sum + value, 0)), `${found}, sum of:`, each)
}

function neededFor(docValues: NumericDocValues, doc: number): number {
  return Math.max(1, Math.trunc(docValues.valueAt(docValues.start(doc))))
}

/** Counts the matching clauses of each document, and compares the count with the document's own number. */
class CoveringScorer extends Scorer {
  readonly cost: number
  readonly #parts: readonly Scorer[]
  readonly #union: UnionScorer
  readonly #needed: NeededNumbers

  constructor(parts: readonly Scorer[], needed: NeededNumbers) {
    super()
    this.#parts = parts
    this.#union = new UnionScorer(parts)
    this.#needed = needed
    this.cost = this.#union.cost
  }

  override next(target: number): number {
    return this.#union.next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const scratch = takeScratch()
    this.matchScored(base, limit, bits, scratch.scores)
    releaseScratch(scratch)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    const counts = new Uint16Array(limit - base)
    const sums = takeScratch()
    sums.sums.fill(0)
    const scratch = takeScratch()
    for (const part of this.#parts) {
      scratch.bits.fill(0)
      part.matchScored(base, limit, scratch.bits, scratch.scores)
      for (let i = 0; i < WINDOW_WORDS; i++) {
        for (let word = scratch.bits[i]!; word !== 0; word &= word - 1) {
          const at = (i << 5) + (31 - Math.clz32(word & -word))
          counts[at] = counts[at]! + 1
          sums.sums[at] = sums.sums[at]! + scratch.scores[at]!
        }
      }
    }
    releaseScratch(scratch)
    for (let at = 0; at < counts.length; at++) {
      if (counts[at] === 0 || !this.#needed.has(base + at)) continue
      if (counts[at]! < this.#needed.of(base + at)) continue
      setBit(bits, at)
      scores[at] = sums.sums[at]!
    }
    releaseScratch(sums)
  }
}

export const termsSetClause: QueryClause = {
  name: 'terms_set',
  parse(reader) {
    const options = newOptions()
    const unknown = () => reader.parsingError(`[terms_set] unknown token [${reader.tokenName}]`)
    if (reader.next() !== FIELD_NAME) throw unknown()
    const field = reader.name
    if (reader.next() !== START_OBJECT) throw unknown()
    const values: unknown[] = []
    let enough: Enough | undefined
    const decide = (found: Enough) => {
      if (enough !== undefined) {
        throw illegalArgument(
          'A field or script has already been specified. Cannot specify both a value and a script or field',
        )
      }
      enough = found
    }
    while (reader.next() !== END_OBJECT) {
      if (reader.is(FIELD_NAME)) continue
      const member = reader.name
      if (reader.is(START_ARRAY)) {
        if (member !== 'terms') throw doesNotSupport(reader, 'terms_set', member)
        // Elasticsearch ends the list at the first closing bracket, also at that of an inner list.
        while ((reader.next() as number) !== END_ARRAY) {
          if (reader.is(NULL)) throw reader.parsingError('No value specified for terms query')
          if (!reader.is(START_ARRAY)) values.push(reader.fieldValue())
        }
      } else if (reader.is(END_ARRAY)) throw reader.unknownTokenAfter('terms_set', member)
      else if (reader.is(START_OBJECT)) {
        if (member !== 'minimum_should_match_script') throw doesNotSupport(reader, 'terms_set', member)
        decide({ kind: 'script', script: readScript(reader) })
      } else if (member === 'minimum_should_match_field') decide({ kind: 'field', field: reader.text() })
      else if (member === 'minimum_should_match') decide({ kind: 'constant', spec: reader.text() })
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'terms_set', member)
    }
    if (reader.next() !== END_OBJECT) throw unknown()
    return new TermsSetQuery(field, values, enough, options)
  },
}
