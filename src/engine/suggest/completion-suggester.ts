/** The `completion` suggester: inputs with the text as prefix, by descending weight. */
import { illegalArgument } from '../../base/api-error.ts'
import { ALL_FLAGS, LuceneRegExp } from '../query/multi-term/lucene-regexp.ts'
import type { CompletionFuzziness, CompletionRequest } from '../request/suggest/completion-request.ts'
import type { SuggestEntry, SuggestText } from '../request/suggest/suggest-request.ts'
import type { SearchExecutionContext } from '../scoring/query.ts'
import { ContextsQuery } from './completion-contexts-query.ts'
import { analyzedForms, type CompletionEntry, CompletionType, completionEntries } from './completion-index.ts'
import { requireText, suggestField } from './term-suggester.ts'

export interface CompletionOption {
  readonly text: string
  readonly score: number
  readonly segment: number
  readonly doc: number
  /** Undefined for a field without contexts. */
  readonly contexts: Readonly<Record<string, readonly string[]>> | undefined
}

/** The matching forms: a range, and a test that also returns the number of edits. */
interface FormFilter {
  readonly prefix: string
  /** Undefined: no match. Zero leaves the weight unchanged. */
  boost(form: string): number | undefined
}

export function suggestCompletions(
  context: SearchExecutionContext,
  request: CompletionRequest,
  texts: SuggestText,
): SuggestEntry<CompletionOption>[] {
  const type = suggestField(context, request.field)
  const text = requireText(texts)
  if (!(type instanceof CompletionType)) {
    throw illegalArgument(`Field [${request.field}] is not a completion suggest field`)
  }
  const contexts = contextsQuery(type, request)
  const filters = formFilters(context, type, request, texts)
  const options = findOptions(context, type, request, filters, contexts)
  return [{ text, offset: 0, length: text.length, options }]
}

function contextsQuery(
  { completion, name }: CompletionType,
  { contexts }: CompletionRequest,
): ContextsQuery | undefined {
  const wanted = contexts !== undefined && Object.keys(contexts).length > 0
  if (completion.contexts.length === 0) {
    if (wanted) throw illegalArgument(`suggester [${name}] doesn't expect any context`)
    return undefined
  }
  const query = wanted ? new ContextsQuery(completion.contexts, contexts) : undefined
  if (query === undefined || query.isEmpty) throw illegalArgument('Missing mandatory contexts in context query')
  return query
}

/** The filters for analyzed forms; several if the text has synonyms. */
function formFilters(
  context: SearchExecutionContext,
  type: CompletionType,
  request: CompletionRequest,
  { text, prefix, regex }: SuggestText,
): FormFilter[] {
  if (prefix === undefined && regex !== undefined) {
    // Text after the pattern does not matter.
    const pattern = new LuceneRegExp(`(${regex})(.*)`, ALL_FLAGS, false)
    return [{ prefix: '', boost: (form) => (pattern.matches(form) ? 0 : undefined) }]
  }
  const analyzer = context.analyzer(request.analyzer ?? type.searchAnalyzerName ?? 'simple')
  const forms = analyzedForms(prefix ?? text ?? '', analyzer, type.completion)
  return forms.filter((form) => form !== '').map((form) => beginningFilter(form, request))
}

function beginningFilter(form: string, { fuzzy }: CompletionRequest): FormFilter {
  if (fuzzy === undefined) return { prefix: form, boost: () => 0 }
  // Elasticsearch does not know the text when it resolves AUTO, and assumes five letters.
  const edits = form.length < fuzzy.minLength ? 0 : fuzzy.fuzziness.editsFor('     ')
  // A fuzzy request rewards every letter in common, also where the text is too short for edits.
  if (edits === 0) return { prefix: form, boost: () => form.length }
  return {
    prefix: form.slice(0, fuzzy.prefixLength),
    // Only the letters up to where the candidate is near enough count.
    boost: (candidate) => {
      const length = nearLength(candidate, form, edits, fuzzy)
      return length === undefined ? undefined : commonPrefix(candidate.slice(0, length), form)
    },
  }
}

function commonPrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** The length of the shortest prefix of the text that is within the given number of edits of the word. */
function nearLength(
  text: string,
  word: string,
  edits: number,
  { transpositions, prefixLength }: CompletionFuzziness,
): number | undefined {
  // The fixed beginning of the word is never edited.
  const least = Math.min(prefixLength, word.length)
  if (word.length <= edits && least === 0) return 0
  const width = word.length + 1
  let before: number[] = []
  let previous = Array.from({ length: width }, (_, j) => j)
  for (let i = 1; i <= text.length; i++) {
    const row = [i]
    let lowest = i
    for (let j = 1; j < width; j++) {
      const cost = text[i - 1] === word[j - 1] ? 0 : 1
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost)
      const swapped = transpositions && i > 1 && j > 1 && text[i - 1] === word[j - 2] && text[i - 2] === word[j - 1]
      if (swapped) best = Math.min(best, before[j - 2]! + 1)
      row.push(best)
      lowest = Math.min(lowest, best)
    }
    if (i >= least && row[width - 1]! <= edits) return i
    if (lowest > edits && Math.min(...previous) > edits) return undefined
    before = previous
    previous = row
  }
  return undefined
}

function findOptions(
  context: SearchExecutionContext,
  type: CompletionType,
  request: CompletionRequest,
  filters: readonly FormFilter[],
  contexts: ContextsQuery | undefined,
): CompletionOption[] {
  const analyzer = context.analyzer(type.analyzerName ?? 'simple')
  const found: CompletionOption[] = []
  context.view.segments.forEach(({ reader, live }, segment) => {
    const best = new Map<number, CompletionOption>()
    const entries = completionEntries(reader, type, analyzer)
    for (const { entry, nearness } of nearEntries(entries, filters)) {
      const { doc } = entry
      if (live !== undefined && (live[doc >> 5]! & (1 << (doc & 31))) === 0) continue
      const match = contexts?.match(entry)
      if (contexts !== undefined && match === undefined) continue
      const boost = nearness + (match === undefined ? 0 : match.boost)
      const option = { text: entry.input, score: weigh(entry.weight, boost), segment, doc, contexts: match?.matched }
      // A document is suggested once, by its best input.
      const known = best.get(doc)
      if (known === undefined || compareOptions(option, known) < 0) best.set(doc, option)
    }
    found.push(...best.values())
  })
  return topOptions(found, request)
}

function weigh(weight: number, boost: number): number {
  if (boost === 0) return weight
  return Math.fround(weight === 0 ? boost : weight * boost)
}

function* nearEntries(entries: readonly CompletionEntry[], filters: readonly FormFilter[]) {
  for (const { prefix, boost } of filters) {
    for (const entry of entriesWithPrefix(entries, prefix)) {
      const nearness = boost(entry.form)
      if (nearness !== undefined) yield { entry, nearness }
    }
  }
}

function* entriesWithPrefix(entries: readonly CompletionEntry[], prefix: string): Iterable<CompletionEntry> {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.form < prefix) low = middle + 1
    else high = middle
  }
  for (; low < entries.length && entries[low]!.form.startsWith(prefix); low++) yield entries[low]!
}

export interface RankedCompletion {
  readonly text: string
  readonly score: number
}

function compareOptions(a: RankedCompletion, b: RankedCompletion): number {
  return b.score - a.score || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
}

/** The best options; with skip_duplicates only the best of those with the same text. */
export function topOptions<Option extends RankedCompletion>(
  options: readonly Option[],
  { size, skipDuplicates }: CompletionRequest,
): Option[] {
  const sorted = [...options].sort(compareOptions)
  if (!skipDuplicates) return sorted.slice(0, size)
  const seen = new Set<string>()
  return sorted.filter(({ text }) => !seen.has(text) && seen.add(text)).slice(0, size)
}
