/** `more_like_this`: documents that share the characteristic terms of given texts or documents. */

import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { memberOf } from '../../../base/json/members.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { type SourceObject, valuesAt } from '../../mapping/source/source-values.ts'
import { storageName } from '../../mapping/storage-name.ts'
import {
  boosted,
  filterText,
  matchNothing,
  multiplyBoost,
  type SearchExecutionContext,
  type Weight,
} from '../../scoring/query.ts'
import { hashOrder } from '../../values/java-text.ts'
import { type ClauseOptions, newOptions } from '../clause.ts'
import { BooleanPlan, planBoolean } from '../compound/boolean-plan.ts'
import { minimumShouldMatch } from '../compound/minimum-should-match.ts'
import { QueryNode } from '../query-node.ts'
import { idValues } from '../term-level/metadata-field.ts'
import { METADATA_FIELDS } from '../term-level/searchable-field.ts'
import { termQuery } from '../term-level/term-query.ts'
import { unwrappedErrors } from '../unwrapped-errors.ts'
import { interestingTerms, type TermChoice } from './interesting-terms.ts'

/** A `like` or `unlike` document: one of an index, or an artificial one in the request. */
export interface LikeItem {
  /** Undefined: the searched index. */
  readonly index: string | undefined
  readonly id: string | undefined
  readonly routing: string | undefined
  /** The version that a document of an index must have. */
  readonly version: number | undefined
  readonly doc: SourceObject | undefined
  readonly fields: readonly string[] | undefined
  /** `per_field_analyzer` */
  readonly analyzers: Readonly<Record<string, string>>
  /** The document's source in each index in which it was looked up; filled in before the query is planned. */
  readonly found: Map<string, SourceObject>
}

export interface MoreLikeThisSettings extends TermChoice {
  readonly fields: readonly string[] | undefined
  readonly minWordLength: number
  readonly maxWordLength: number
  readonly stopWords: ReadonlySet<string>
  readonly analyzer: string | undefined
  readonly minimumShouldMatch: string
  /** 0: all terms have equal weight. */
  readonly boostTerms: number
  readonly include: boolean
  readonly failOnUnsupportedField: boolean
}

export interface Likeness {
  readonly texts: readonly string[]
  readonly items: readonly LikeItem[]
}

type Frequencies = Map<string, number>

export class MoreLikeThisQuery extends QueryNode {
  override readonly kind = 'more_like_this'
  readonly like: Likeness
  readonly unlike: Likeness
  readonly settings: MoreLikeThisSettings

  constructor(like: Likeness, unlike: Likeness, settings: MoreLikeThisSettings, options: ClauseOptions = newOptions()) {
    super(options)
    this.like = like
    this.unlike = unlike
    this.settings = settings
  }

  /** The items that refer to documents of an index. */
  get lookups(): readonly LikeItem[] {
    return [...this.like.items, ...this.unlike.items].filter(({ id }) => id !== undefined)
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const fields = this.#fields(context)
    if (fields === undefined) return matchNothing('No query left after rewrite.')
    const should: Weight[] = []
    const skipped = this.#skippedTerms(context, fields)
    if (this.like.items.length > 0) {
      const terms = this.#itemTerms(context, fields, this.like.items)
      // Elasticsearch keeps the names of the fields in a hash set.
      const chosen = hashOrder([...terms.keys()].sort()).flatMap((name) =>
        this.#queries(context, [name], without(terms.get(name)!, skipped.get(name)), scoring, boost),
      )
      should.push(...this.#enough(chosen, scoring))
    }
    if (this.like.texts.length > 0 && fields.length > 0) {
      // Free text is analyzed for the first field; its terms are searched where they are most common.
      const first = fields[0]!
      const found = this.#textTerms(context, first, this.like.texts)
      const names = fields.map(({ name }) => name)
      const chosen = this.#queries(context, names, without(found, skipped.get(first.name)), scoring, boost)
      should.push(...this.#enough(chosen, scoring))
    }
    const written = () => this.#text(context)
    const excluded = this.settings.include ? [] : this.#ownIds(context)
    const mustNot = excluded.length === 0 ? [] : [idValues(context, excluded, 1)]
    const plan =
      should.length === 0
        ? matchNothing(mustNot.length === 0 ? 'empty BooleanQuery' : 'pure negative BooleanQuery')
        : planBoolean({ must: [], filter: [], should, mustNot, excludesLast: true }, undefined, scoring)
    return {
      ...plan,
      isOpaque: true,
      isCompound: plan instanceof BooleanPlan,
      filterText: () => filterText(plan),
      scorer: (segment) => plan.scorer(segment),
      words: (visitor) => plan.words?.(visitor),
      explain: (segment, doc) => plan.explain(segment, doc),
      text: (rewritten) => (rewritten && should.length > 0 ? plan.text(true) : written()),
    }
  }

  #text(context: SearchExecutionContext): string {
    const { texts } = this.like
    const like = `like:${texts.length === 0 ? 'null' : `[${texts.join(', ')}]`}`
    const ids = this.settings.include ? [] : this.#ownIds(context)
    return ids.length === 0 ? like : `${like} -${idValues(context, ids, 1).text(false)}`
  }

  /** Documents given as examples are excluded from the hits. */
  #ownIds({ index }: SearchExecutionContext): string[] {
    return this.like.items.flatMap((item) =>
      item.id !== undefined &&
      (item.index === undefined || item.index === index.name || index.aliases?.includes(item.index) === true)
        ? [item.id]
        : [],
    )
  }

  /** Undefined if none of the given fields is supported. */
  #fields(context: SearchExecutionContext): FieldType[] | undefined {
    const { fields: names, failOnUnsupportedField } = this.settings
    if (names === undefined) {
      if (this.like.texts.length > 0) {
        throw illegalArgument(
          '[more_like_this] query cannot infer the field to analyze the free text, you should update the ' +
            '[index.query.default_field] index setting to a field that exists in the mapping or set the [fields] ' +
            'option in the query.',
        )
      }
      return wordFields(context)
    }
    const kept = names.filter((name) => {
      const field = context.mapping.field(name)
      const isSupported = field === undefined ? !METADATA_FIELDS.has(name) : field.traits.hasWords === true
      if (!isSupported && failOnUnsupportedField) {
        throw illegalArgument(`more_like_this only supports text/keyword fields: [${name}]`)
      }
      return isSupported
    })
    if (kept.length === 0) return undefined
    const found = kept.map((name) => context.mapping.field(name))
    // Free text is analyzed for the first field.
    if (found[0] === undefined && this.like.texts.length > 0 && this.settings.analyzer === undefined) {
      throw noAnalyzer(kept[0]!)
    }
    return found.filter((field) => field !== undefined)
  }

  #enough(queries: readonly Weight[], scoring: boolean): Weight[] {
    if (queries.length === 0) return []
    const needed = minimumShouldMatch(queries.length, this.settings.minimumShouldMatch)
    const clauses = { must: [], filter: [], should: queries, mustNot: [] }
    return [planBoolean(clauses, needed <= 0 ? undefined : needed, scoring)]
  }

  #queries(
    context: SearchExecutionContext,
    names: readonly string[],
    frequencies: Frequencies,
    scoring: boolean,
    boost: number,
  ): Weight[] {
    const fields = names.map((name) => storageName(context.mapping.field(name)!))
    const terms = interestingTerms(context, fields, frequencies, this.settings)
    const { boostTerms } = this.settings
    return terms.map(({ field, term, score }) => {
      const own = boostTerms === 0 ? 1 : Math.fround(Math.fround(boostTerms * score) / terms[0]!.score)
      return boosted(termQuery(context, field, Buffer.from(term), { scoring, boost: multiplyBoost(boost, own) }), own)
    })
  }

  #skippedTerms(context: SearchExecutionContext, fields: readonly FieldType[]): Map<string, Frequencies> {
    const skipped = this.#itemTerms(context, fields, this.unlike.items)
    const first = fields[0]
    if (this.unlike.texts.length > 0 && first !== undefined) {
      const own = this.#textTerms(context, first, this.unlike.texts)
      skipped.set(first.name, new Map([...(skipped.get(first.name) ?? []), ...own]))
    }
    return skipped
  }

  /** The frequency of each term in the documents, by field. */
  #itemTerms(
    context: SearchExecutionContext,
    fields: readonly FieldType[],
    items: readonly LikeItem[],
  ): Map<string, Frequencies> {
    const byField = new Map<string, Frequencies>()
    for (const item of items) {
      const source = item.doc ?? item.found.get(item.index ?? context.index.name)
      if (source === undefined) continue
      const named = item.fields?.map((name) => context.mapping.field(name)).filter((field) => field !== undefined)
      const used = named ?? (item.doc === undefined ? fields : wordFields(context))
      // An item whose term vectors cannot be computed is ignored.
      if (used.some(({ name }) => isUnknownAnalyzer(context, memberOf(item.analyzers, name)))) continue
      // An alias stands for the field, whose terms count once.
      for (const field of new Set(used)) {
        const frequencies = byField.get(field.name) ?? new Map<string, number>()
        byField.set(field.name, frequencies)
        const values = valuesAt(source, field.sourcePath).flat(Number.POSITIVE_INFINITY)
        const terms = values.flatMap((value) =>
          value === null ? [] : termsOf(context, field, String(value), memberOf(item.analyzers, field.name)),
        )
        // Term vectors list the terms in the order of their bytes, which decides between equal scores.
        this.#count(frequencies, inByteOrder(terms))
      }
    }
    return byField
  }

  #textTerms(context: SearchExecutionContext, field: FieldType, texts: readonly string[]): Frequencies {
    const frequencies: Frequencies = new Map()
    const { analyzer } = this.settings
    for (const text of texts) this.#count(frequencies, termsOf(context, field, text, analyzer))
    return frequencies
  }

  #count(frequencies: Frequencies, terms: readonly string[]): void {
    const { minWordLength, maxWordLength, stopWords } = this.settings
    for (const term of terms) {
      if (term.length < minWordLength || (maxWordLength > 0 && term.length > maxWordLength)) continue
      if (!stopWords.has(term)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
    }
  }
}

/** Detected only when the text is analyzed, so the error is not wrapped. */
function noAnalyzer(field: string): ApiError {
  const error = illegalArgument(`No analyzer configured for field ${field}`)
  unwrappedErrors.add(error)
  return error
}

function inByteOrder(terms: readonly string[]): string[] {
  return terms
    .map((term) => Buffer.from(term))
    .sort(Buffer.compare)
    .map(String)
}

function without(frequencies: Frequencies, skipped: Frequencies | undefined): Frequencies {
  if (skipped === undefined) return frequencies
  return new Map([...frequencies].filter(([term]) => !skipped.has(term)))
}

const isUnknownAnalyzer = (context: SearchExecutionContext, name: string | undefined) =>
  name !== undefined && context.analyzer(name) === undefined

/** All fields that documents are compared by. */
function wordFields({ mapping }: SearchExecutionContext): FieldType[] {
  const all = [...mapping.fieldNames()].map((name) => mapping.field(name))
  return all.filter((field) => field?.traits.hasWords === true) as FieldType[]
}

/** `named` is an analyzer in place of the field's own. */
function termsOf(context: SearchExecutionContext, field: FieldType, text: string, named: string | undefined): string[] {
  const given = named === undefined ? undefined : context.analyzer(named)
  if (field.shape !== 'text' && given === undefined) {
    return [Buffer.from(field.termValue(text) as Uint8Array).toString()]
  }
  const analyzer = given ?? context.analyzer(field.analyzerName ?? 'standard')
  return analyzer?.tokens(text).map(({ term }) => term) ?? []
}
