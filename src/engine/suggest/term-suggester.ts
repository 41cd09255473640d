/** The `term` suggester: similar index terms for each word of a text. */
import { illegalArgument } from '../../base/api-error.ts'
import type { Token } from '../analysis/token.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { storageName } from '../mapping/storage-name.ts'
import type { SuggestEntry, SuggestText } from '../request/suggest/suggest-request.ts'
import type { TermRequest } from '../request/suggest/term-request.ts'
import type { QueryToken, SearchExecutionContext } from '../scoring/query.ts'
import { byScore, type SpellingCandidate, spellingCandidates } from './spelling.ts'

export function suggestTerms(
  context: SearchExecutionContext,
  request: TermRequest,
  texts: SuggestText,
): SuggestEntry<SpellingCandidate>[] {
  const field = suggestField(context, request.field)
  const name = storageName(field)
  return suggestTokens(context, field, requireText(texts), request.analyzer).map(
    ({ term, startOffset, endOffset }) => ({
      text: term,
      offset: startOffset,
      length: endOffset - startOffset,
      options: spellingCandidates(context.view.segments, name, term, request.shardSize, request.spelling),
    }),
  )
}

export function suggestField(context: SearchExecutionContext, name: string): FieldType {
  const field = context.mapping.field(name)
  if (field === undefined) throw illegalArgument(`no mapping found for field [${name}]`)
  return field
}

export function requireText({ text, prefix, regex }: SuggestText): string {
  const given = text ?? prefix ?? regex
  if (given === undefined) throw illegalArgument('The required text option is missing')
  return given
}

/** For a field without an analyzer the text is a single word. */
export function suggestTokens(
  context: SearchExecutionContext,
  field: FieldType,
  text: string,
  analyzerName: string | undefined,
): readonly QueryToken[] {
  const name = analyzerName ?? field.searchAnalyzerName ?? field.analyzerName
  if (name === undefined) {
    const whole: Token = {
      term: text,
      position: 0,
      startOffset: 0,
      endOffset: text.length,
      type: 'word',
      positionLength: 1,
    }
    return [whole]
  }
  const analyzer = context.analyzer(name)
  if (analyzer === undefined) throw illegalArgument(`analyzer [${name}] doesn't exists`)
  return analyzer.tokens(text)
}

/** Merges the lists of several shards; frequencies are added. */
export function mergeTerms(
  lists: readonly (readonly SpellingCandidate[])[],
  { size, byFrequency }: TermRequest,
): SpellingCandidate[] {
  const merged = new Map<string, SpellingCandidate>()
  for (const option of lists.flat()) {
    const known = merged.get(option.text)
    merged.set(
      option.text,
      known === undefined ? option : { ...known, docFrequency: known.docFrequency + option.docFrequency },
    )
  }
  const byCount = (a: SpellingCandidate, b: SpellingCandidate) => b.docFrequency - a.docFrequency || byScore(a, b)
  return [...merged.values()].sort(byFrequency ? byCount : byScore).slice(0, size)
}
