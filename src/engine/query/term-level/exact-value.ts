/** How one value is searched in a field, by the physical form of the field. Shared by term, terms and match. */

import { illegalArgument } from '../../../base/api-error.ts'
import { setBit, wordsFor } from '../../../base/bit-set.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import { mayIgnoreCase } from '../../mapping/field-traits.ts'
import type { FieldType, IndexValue } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { KEPT_SOON } from '../../scoring/filter-cache.ts'
import { constantTexts, matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { BitSetScorer } from '../../scoring/scorers/bit-set-scorer.ts'
import { ConstantScoreScorer } from '../../scoring/scorers/constant-scorer.ts'
import { failingScorer } from '../../scoring/scorers/failing-scorer.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import { TermScorer } from '../../scoring/scorers/term-scorer.ts'
import {
  docValuesTermScorer,
  numberRangeIdentity,
  numberRangeScorer,
  termKey,
  termSetScorer,
} from '../../scoring/scorers/value-scorers.ts'
import type { NumericDocValues, OrderedIndex, SegmentView } from '../../segment/segment-reader-api.ts'
import { formatIp, parseCidr } from '../../values/ip.ts'
import { featureQuery, LINEAR } from '../features/feature-query.ts'
import { foldCase, lowerCaseEquals } from '../multi-term/term-patterns.ts'
import { countedTerm } from './counted-term.ts'
import { rangeFieldHolds } from './range-field.ts'
import { runtimeQuery, runtimeQueryName, runtimeRangeText, runtimeValueText } from './runtime-query.ts'
import { checkIndexed, checkSearchable } from './searchable-field.ts'
import { termQuery } from './term-query.ts'
import { ipRangeText, numberRangeTexts, numberText, termText } from './term-text.ts'

export interface ExactValueOptions {
  readonly scoring: boolean
  readonly boost: number
  readonly caseInsensitive?: boolean
}

/** Documents whose field has `value`. Throws the field type's error for an invalid value. */
export function exactValue(
  context: SearchExecutionContext,
  field: FieldType,
  value: unknown,
  options: ExactValueOptions,
): Weight {
  const query = anyExactValue(context, field, value, options)
  if (!field.isRuntime || query.matches === 'none') return query
  if (field.traits.family === 'ip' && typeof value === 'string' && value.includes('/')) {
    return runtimeQuery(query, () => query.text(false), options.boost, runtimeQueryName(field, 'Range'))
  }
  const shown = () => `${field.name}:${runtimeExactText(field, value, context.nowMs)}`
  const weight = runtimeQuery(query, shown, options.boost, runtimeQueryName(field, 'Term'))
  if (field.traits.family !== 'keyword') return weight
  const term = field.termValue(value) as Uint8Array
  const isPlain = options.caseInsensitive !== true
  return { ...weight, words: (visitor) => isPlain && visitor.term(storageName(field), term, options.boost) }
}

function runtimeExactText(field: FieldType, value: unknown, nowMs: number): string {
  const isDate = field.traits.family === 'date'
  return runtimeValueText(field, isDate ? startOf(field, value, nowMs) : field.termValue(value))
}

/** The first instant of the period that a date names. */
export function startOf(field: FieldType, value: unknown, nowMs: number): IndexValue {
  const bound = { value, inclusive: true }
  return field.rangeValues(bound, bound, { format: field.isRuntime ? undefined : numberFormat(value), nowMs }).lower!
}

function anyExactValue(
  context: SearchExecutionContext,
  field: FieldType,
  value: unknown,
  options: ExactValueOptions,
): Weight {
  if (options.caseInsensitive === true && !mayIgnoreCase(field.traits)) {
    throw queryShardError(
      context.index,
      `[${field.name}] field which is of type [${field.type}], does not support case insensitive term queries`,
    )
  }
  if (field.shape === 'range') {
    checkIndexed(field)
    return rangeFieldHolds(field, value, options.boost)
  }
  if (options.caseInsensitive === true && field.traits.family === 'boolean' && !field.isRuntime) checkIndexed(field)
  checkSearchable(field)
  const name = storageName(field)
  if (field.traits.family === 'date') return dateValue(context, field, name, value, options.boost)
  if (field.shape === 'number' || field.shape === 'long') {
    const number = field.termValue(value) as number | bigint
    if (Number.isNaN(number)) return matchNothing(`Value [${value}] has a decimal part`)
    if (field.traits.family === 'boolean' && options.caseInsensitive !== true && !field.isRuntime)
      return booleanValue(context, name, number as number, options)
    const shown = () => `${name}:[${numberText(field, number)} TO ${numberText(field, number)}]`
    return {
      scorer: (segment) => numberRangeScorer(segment, name, number, number, options.boost),
      field: field.name,
      onlyField: field.name,
      asFilter: numberRangeIdentity(name, number, number),
      ...constantTexts(options.boost, shown),
    }
  }
  if (field.traits.family === 'ip') return ipValue(field, name, value, options)
  const bytes = field.termValue(value)
  if (!(bytes instanceof Uint8Array))
    throw illegalArgument(`Field [${field.name}] of type [${field.type}] does not support exact queries`)
  // An empty term has no letters to fold.
  if (options.caseInsensitive === true && bytes.length > 0)
    return caseInsensitiveTerm(field, name, bytes, options.boost)
  if (field.schema?.inverted === 'none') return docValuesTerm(name, bytes, options.boost)
  if (field.traits.family === 'features') {
    const place = { field: name, feature: Buffer.from(bytes).toString(), shownField: field.name }
    return featureQuery(place, LINEAR, options.boost)
  }
  return termQuery(context, name, bytes, options)
}

/** A date means the whole period it names: `2024-01-01` is that day. */
function dateValue(
  context: SearchExecutionContext,
  field: FieldType,
  name: string,
  value: unknown,
  score: number,
): Weight {
  const bound = { value, inclusive: true }
  // Runtime fields read numbers in their own format, too.
  const format = field.isRuntime ? undefined : numberFormat(value)
  const range = field.rangeValues(bound, bound, { format, nowMs: context.nowMs })
  const { lower } = range
  // For runtime dates it is one instant, the start of the day.
  const upper = field.isRuntime ? lower : range.upper
  return {
    field: field.name,
    onlyField: field.name,
    scorer: (segment) => numberRangeScorer(segment, name, lower as number, upper as number, score),
    asFilter: numberRangeIdentity(name, lower as number, upper as number),
    ...numberRangeTexts(field, lower, upper, score),
  }
}

/** A date given as a number is in milliseconds, whatever the field's format. */
export function numberFormat(...values: readonly unknown[]): string | undefined {
  return values.some((value) => typeof value === 'number' || typeof value === 'bigint') ? 'epoch_millis' : undefined
}

/** Booleans are stored as numbers, but scored like the terms they are in Lucene. */
function booleanValue(
  context: SearchExecutionContext,
  name: string,
  value: number,
  options: ExactValueOptions,
): Weight {
  let docCount = 0
  let docFreq = 0
  let sumDocFreq = 0
  for (const { reader } of context.counted) {
    const ordered = reader.orderedIndex(name)
    if (ordered === undefined) continue
    const docValues = reader.numericDocValues(name)
    docCount += docValues?.docsWithValue ?? documentsWith(ordered, 0, 1)
    const isSingle = docValues?.multiValued === false
    const [no, yes] = [documentsWith(ordered, 0, 0, isSingle), documentsWith(ordered, 1, 1, isSingle)]
    sumDocFreq += no + yes
    docFreq += value === 1 ? yes : no
  }
  const text = () => `${name}:${value === 1 ? 'T' : 'F'}`
  const find = (segment: SegmentView, score: number) => numberRangeScorer(segment, name, value, value, score)
  const query = countedTerm(context, name, { docFreq, docCount, sumDocFreq }, options, text, find)
  return { field: name, asFilter: numberRangeIdentity(name, value, value), ...query }
}

/** The number of documents with a value in [from, to]. A document may have several, unless none is known to. */
function documentsWith(ordered: OrderedIndex, from: number, to: number, isSingle = false): number {
  const [start, end] = [ordered.seek(from, false), ordered.seek(to, true)]
  if (isSingle) return end - start
  const docs = new Set<number>()
  for (let at = start; at < end; at++) docs.add(ordered.docAt(at))
  return docs.size
}

/** An address, or a network such as `10.0.0.0/8`. */
function ipValue(field: FieldType, name: string, value: unknown, options: ExactValueOptions): Weight {
  const text = value instanceof Uint8Array ? value : String(value)
  if (typeof text === 'string' && text.includes('/')) {
    const { low, high } = parseCidr(text)
    const range = termRange(field, { lower: low, upper: high }, options.boost)
    return { ...range, ...constantTexts(options.boost, () => `${name}:[${formatIp(low)} TO ${formatIp(high)}]`) }
  }
  const bytes = field.termValue(value) as Uint8Array
  if (field.schema?.inverted === 'none') return docValuesTerm(name, bytes, options.boost)
  return {
    field: field.name,
    onlyField: name,
    scorer({ reader }) {
      const terms = reader.terms(name)
      const ordinal = terms === undefined ? -1 : terms.find(bytes)
      if (terms === undefined || ordinal < 0) return undefined
      return new ConstantScoreScorer(
        new TermScorer(terms.postings(ordinal, false), undefined, undefined),
        options.boost,
      )
    },
    ...constantTexts(options.boost, () => `${name}:[${formatIp(bytes)} TO ${formatIp(bytes)}]`),
  }
}

function docValuesTerm(name: string, bytes: Uint8Array, score: number): Weight {
  return {
    scorer(segment) {
      const docValues = segment.reader.sortedSetDocValues(name)
      const wanted = docValues === undefined ? -1 : docValues.find(bytes)
      if (docValues === undefined || (wanted < 0 && docValues.failures === undefined)) return undefined
      return docValuesTermScorer(docValues, (ordinal) => ordinal === wanted, segment, score)
    },
    ...constantTexts(score, () => `${name}:${termText(bytes)}`),
  }
}

export interface TermRange {
  readonly lower: Uint8Array | undefined
  readonly upper: Uint8Array | undefined
  readonly upperExclusive?: boolean | undefined
  /** Only for the text: the bound itself is already the first term inside. */
  readonly lowerExclusive?: boolean | undefined
}

/** Terms between two bounds; undefined is open. */
export function termRange(field: FieldType, range: TermRange, score: number): Weight {
  const query = anyTermRange(field, range, score)
  if (!field.isRuntime) return query
  const isIp = field.traits.family === 'ip'
  const shown = () => (isIp ? runtimeRangeText(field, range.lower, range.upper) : query.text(false))
  return runtimeQuery(query, shown, score, runtimeQueryName(field, 'Range'))
}

function anyTermRange(field: FieldType, range: TermRange, score: number): Weight {
  const name = storageName(field)
  const { lower, upper } = range
  const withUpper = range.upperExclusive !== true
  const place = (found: number, after: boolean) => (found < 0 ? -found - 1 : after ? found + 1 : found)
  const shown = () => {
    if (field.traits.family === 'ip') return ipRangeText(field, lower, upper)
    const bound = (term: Uint8Array | undefined) => (term === undefined ? '*' : termText(term))
    // An excluded bound is stored as the next term, which has one more byte.
    const from = range.lowerExclusive === true ? lower?.subarray(0, -1) : lower
    const text = `${name}:${range.lowerExclusive === true ? '{' : '['}${bound(from)} TO ${bound(upper)}${withUpper ? ']' : '}'}`
    return { text, docValues: text }
  }
  return {
    scorer(segment) {
      const { reader } = segment
      if (field.schema?.inverted === 'none') {
        const docValues = reader.sortedSetDocValues(name)
        if (docValues === undefined) return undefined
        const from = lower === undefined ? 0 : place(docValues.find(lower), false)
        const to = upper === undefined ? docValues.termCount : place(docValues.find(upper), withUpper)
        return docValuesTermScorer(docValues, (ordinal) => ordinal >= from && ordinal < to, segment, score)
      }
      const terms = reader.terms(name)
      if (terms === undefined) return undefined
      const from = lower === undefined ? 0 : place(terms.find(lower), false)
      const to = upper === undefined ? terms.termCount : place(terms.find(upper), withUpper)
      if (from >= to) return undefined
      return termSetScorer(
        terms,
        Array.from({ length: to - from }, (_, i) => from + i),
        reader.docCount,
        score,
      )
    },
    asFilter: {
      key: () => `terms(${name};${termKey(lower)};${termKey(upper)};${withUpper})`,
      keptAtUse: KEPT_SOON,
    },
    words(visitor) {
      if (field.traits.family === 'ip') return
      const beyond = withUpper ? 1 : 0
      const inside = (term: Uint8Array) =>
        (lower === undefined || Buffer.compare(term, lower) >= 0) &&
        (upper === undefined || Buffer.compare(term, upper) < beyond)
      visitor.terms(name, inside, score)
    },
    ...constantTexts(
      score,
      () => shown().text,
      () => shown().docValues,
    ),
  }
}

/** ASCII letters of either case; Lucene's automaton folds no others by default. */
function caseInsensitiveTerm(field: FieldType, name: string, bytes: Uint8Array, score: number): Weight {
  const folded = foldCase(bytes)
  return {
    scorer(segment) {
      const { reader } = segment
      if (field.schema?.inverted === 'none') {
        const docValues = reader.sortedSetDocValues(name)
        if (docValues === undefined) return undefined
        return docValuesTermScorer(docValues, (o) => lowerCaseEquals(docValues.term(o), folded), segment, score)
      }
      const terms = reader.terms(name)
      if (terms === undefined) return undefined
      const ordinals: number[] = []
      for (let ordinal = 0; ordinal < terms.termCount; ordinal++) {
        if (lowerCaseEquals(terms.term(ordinal), folded)) ordinals.push(ordinal)
      }
      return termSetScorer(terms, ordinals, reader.docCount, score)
    },
    words: (visitor) => visitor.terms(name, (term) => lowerCaseEquals(term, folded), score),
    ...constantTexts(score, () => `CaseInsensitiveTermQuery{${name}:${termText(bytes)}}`),
  }
}

/** A set of exact values with one constant score, for any field. */
export function exactValues(field: FieldType, values: readonly IndexValue[], score: number): Weight {
  const query = anyExactValues(field, values, score)
  if (!field.isRuntime) return query
  const shown = [...new Set(values.map((value) => runtimeValueText(field, value)))]
  if (field.traits.family !== 'boolean')
    return runtimeQuery(query, () => `${field.name}:[${shown.join(', ')}]`, score, runtimeQueryName(field, 'Terms'))
  // Both values are any value.
  const className = runtimeQueryName(field, shown.length > 1 ? 'Exists' : 'Term')
  return runtimeQuery(query, () => `${field.name}:${shown.length > 1 ? className : shown[0]}`, score, className)
}

function anyExactValues(field: FieldType, values: readonly IndexValue[], score: number): Weight {
  checkSearchable(field)
  const name = storageName(field)
  return {
    field: field.name,
    onlyField: field.schema?.inverted === 'none' ? undefined : name,
    scorer(segment) {
      const { reader } = segment
      if (field.shape === 'number' || field.shape === 'long') {
        const bits = new Uint32Array((reader.docCount + 31) >> 5)
        let cost = 0
        const ordered = reader.orderedIndex(name)
        if (ordered === undefined) return docValuesOf(reader.numericDocValues(name), values, segment, score)
        for (const value of values as (number | bigint)[]) {
          if (Number.isNaN(value)) continue
          const to = ordered.seek(value, true)
          for (let at = ordered.seek(value, false); at < to; at++, cost++) {
            const doc = ordered.docAt(at)
            setBit(bits, doc)
          }
        }
        return cost === 0 ? undefined : new BitSetScorer(bits, Math.min(cost, reader.docCount), score)
      }
      if (field.schema?.inverted === 'none') {
        const docValues = reader.sortedSetDocValues(name)
        if (docValues === undefined) return undefined
        const wanted = new Set((values as Uint8Array[]).map((value) => docValues.find(value)))
        return docValuesTermScorer(docValues, (ordinal) => wanted.has(ordinal), segment, score)
      }
      const terms = reader.terms(name)
      if (terms === undefined) return undefined
      const ordinals = new Set<number>()
      for (const value of values as Uint8Array[]) {
        const ordinal = terms.find(value)
        if (ordinal >= 0) ordinals.add(ordinal)
      }
      return termSetScorer(terms, [...ordinals], reader.docCount, score)
    },
    asFilter: {
      key: () => `any(${name};${values.map((value) => (value instanceof Uint8Array ? termKey(value) : value)).join()})`,
      keptAtUse: KEPT_SOON,
    },
    words(visitor) {
      if (field.shape === 'number' || field.shape === 'long') return
      const wanted = new Set((values as Uint8Array[]).map((value) => Buffer.from(value).toString('latin1')))
      visitor.terms(name, (term) => wanted.has(Buffer.from(term).toString('latin1')), score)
    },
    ...constantTexts(score, () => valuesText(field, values)),
  }
}

/** Terms and numbers are listed in order. */
function valuesText(field: FieldType, values: readonly IndexValue[]): string {
  const name = storageName(field)
  if (field.shape !== 'number' && field.shape !== 'long') {
    const terms = [...(values as readonly Uint8Array[])].sort(Buffer.compare)
    if (field.traits.family === 'ip') return `${name}:{${terms.map((term) => formatIp(term)).join(' ')}}`
    return `${name}:(${[...new Set(terms.map(termText))].join(' ')})`
  }
  const sorted = [...new Set(values as readonly (number | bigint)[])].sort((a, b) => (a < b ? -1 : 1))
  const list = sorted.map((value) => numberText(field, value)).join(' ')
  return field.traits.family === 'boolean' ? `${name}:(${list})` : `${name}:{${list}}`
}

function docValuesOf(
  docValues: NumericDocValues | undefined,
  values: readonly IndexValue[],
  segment: SegmentView,
  score: number,
): Scorer | undefined {
  if (docValues === undefined) return undefined
  const { docCount } = segment.reader
  return failingScorer(docValues, segment, (numbers) => scannedValues(numbers, values, docCount, score))
}

function scannedValues(
  docValues: NumericDocValues,
  values: readonly IndexValue[],
  docCount: number,
  score: number,
): Scorer | undefined {
  const wanted = new Set(values.filter(isWhole).map(BigInt))
  const exact = new Set(values)
  const bits = new Uint32Array(wordsFor(docCount))
  let cost = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (!docValues.has(doc)) continue
    const end = docValues.end(doc)
    for (let slot = docValues.start(doc); slot < end; slot++) {
      if (!(docValues.exact ? exact.has(docValues.valueAt(slot)) : wanted.has(docValues.bigAt(slot)))) continue
      setBit(bits, doc)
      cost++
      break
    }
  }
  return cost === 0 ? undefined : new BitSetScorer(bits, cost, score)
}

function isWhole(value: IndexValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}
