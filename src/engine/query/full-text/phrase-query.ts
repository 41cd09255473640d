/** A phrase in a field, scored by its words together. */
import { illegalArgument } from '../../../base/api-error.ts'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { graphPaths, isGraph } from '../../analysis/token-graph.ts'
import { explainWeight } from '../../scoring/explain-weight.ts'
import { explained, notMatched } from '../../scoring/explanation.ts'
import type { QueryToken, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { PhraseScorer } from '../../scoring/scorers/phrase-scorer.ts'
import type { PhraseWord } from '../../scoring/scorers/word-cursor.ts'
import type { SimScorer } from '../../scoring/similarity.ts'
import { planAny } from '../compound/boolean-plan.ts'
import { createSimScorer, termQuery } from '../term-level/term-query.ts'
import { termText } from '../term-level/term-text.ts'
import { graphPhrase } from './graph-phrase.ts'
import { synonymQuery } from './synonym-query.ts'
import { renumbered } from './words-query.ts'

/** Documents with these words in order. */
export function phraseQuery(
  context: SearchExecutionContext,
  field: string,
  tokens: readonly QueryToken[],
  slop: number,
  scoring: boolean,
  boost: number,
): Weight {
  if (tokens.length === 1) return termQuery(context, field, Buffer.from(tokens[0]!.term), { scoring, boost })
  if (isGraph(tokens)) {
    if (slop === 0) {
      checkPositions(context, field)
      return graphPhrase(context, field, tokens, scoring, boost)
    }
    const ways = graphPaths(tokens).map((path) => phraseQuery(context, field, renumbered(path), slop, scoring, boost))
    return planAny(ways, undefined, scoring)
  }
  const places = phrasePlaces(tokens)
  if (places.length === 1) return synonymQuery(context, field, places[0]!.terms, { scoring, boost })
  checkPositions(context, field)
  const simScorer = scoring
    ? createSimScorer(
        context,
        field,
        places.flatMap(({ terms }) => terms),
        boost,
      )
    : undefined
  return planPhrase(field, places, slop, simScorer)
}

export function checkPositions({ mapping }: SearchExecutionContext, field: string): void {
  const inverted = mapping.field(field)?.schema?.inverted
  if (inverted === undefined || inverted === 'positions') return
  throw illegalArgument(`field:[${field}] was indexed without position data; cannot run PhraseQuery`)
}

/** One position of a phrase: the word, or its alternatives. */
export interface PhrasePlace {
  readonly position: number
  readonly terms: Uint8Array[]
}

/** Words at one position are alternatives. */
export function phrasePlaces(tokens: readonly QueryToken[]): PhrasePlace[] {
  const places: PhrasePlace[] = []
  for (const { term, position } of tokens) {
    const same = places.find((place) => place.position === position)
    if (same === undefined) places.push({ position, terms: [Buffer.from(term)] })
    else same.terms.push(Buffer.from(term))
  }
  return places
}

/** Documents in which a term of each position occurs at its place in the phrase. */
export function planPhrase(
  field: string,
  places: readonly PhrasePlace[],
  slop: number,
  simScorer: SimScorer | undefined,
): Weight {
  const first = places[0]!.position
  const text = () => phraseText(field, places, slop)
  return {
    text,
    explain(segment, doc) {
      const scorer = this.scorer(segment) as PhraseScorer | undefined
      if (scorer?.next(doc) !== doc || simScorer === undefined) return notMatched('no matching terms')
      const freq = scorer.frequencyOf(doc)
      if (freq === 0) return notMatched('no matching phrase')
      const counted = explained(freq, `phraseFreq=${formatFloat(freq)}`)
      return explainWeight(text(), doc, simScorer, counted, segment.reader.norms(field)?.[doc] ?? 1)
    },
    scorer({ reader }) {
      const terms = reader.terms(field)
      if (terms === undefined) return undefined
      const words: PhraseWord[] = []
      for (const place of places) {
        const ordinals = place.terms.map((term) => terms.find(term)).filter((ordinal) => ordinal >= 0)
        if (ordinals.length === 0) return undefined
        const postings = ordinals.map((ordinal) => terms.postings(ordinal, true))
        words.push({ offset: place.position - first, postings, terms: ordinals })
      }
      return new PhraseScorer(words, slop, simScorer, simScorer === undefined ? undefined : reader.norms(field))
    },
    words: (visitor) => visitor.phrase(field, places, slop, 1),
    luceneName: places.some(({ terms }) => terms.length > 1) ? 'MultiPhraseQuery' : 'PhraseQuery',
  }
}

/** The words of the phrase, with a question mark for a removed one. */
export function phraseText(field: string, places: readonly PhrasePlace[], slop: number): string {
  const first = places[0]!.position
  const words: string[] = []
  for (const { position, terms } of places) {
    while (words.length < position - first) words.push('?')
    words.push(terms.length === 1 ? termText(terms[0]!) : `(${terms.map(termText).join(' ')})`)
  }
  return `${field}:"${words.join(' ')}"${slop === 0 ? '' : `~${slop}`}`
}
