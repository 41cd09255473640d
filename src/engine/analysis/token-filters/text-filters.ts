/** Small filters that change each term separately. */

import { illegalArgument } from '../../../base/api-error.ts'
import { isDigit, isWhitespace } from '../character-classes.ts'
import { mapCodePoints } from '../letter-case.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { mapTerms, stemTerms } from './map-terms.ts'

/** Removes an apostrophe and everything after it, the way Turkish attaches suffixes to names. */
export function apostropheFilter(): TokenFilter {
  return mapTerms((term) => {
    const at = term.search(/['\u2019]/)
    return at < 0 ? term : term.slice(0, at)
  })
}

/** Used after the classic tokenizer: removes 's from possessives and dots from acronyms. */
export function classicFilter(): TokenFilter {
  return (stream) => {
    for (const token of stream.tokens) {
      if (token.type === '<APOSTROPHE>' && /'[sS]$/.test(token.term)) token.term = token.term.slice(0, -2)
      else if (token.type === '<ACRONYM>') token.term = token.term.replaceAll('.', '')
    }
    return stream
  }
}

export function truncateFilter(settings: ComponentSettings): TokenFilter {
  const length = settings.integer('length', -1)
  if (length <= 0) throw illegalArgument('length parameter must be provided')
  return stemTerms((term) => (term.length > length ? term.slice(0, length) : term))
}

export function trimFilter(): TokenFilter {
  return mapTerms((term) => {
    let start = 0
    let end = term.length
    while (start < end && isWhitespace(term.charCodeAt(start))) start++
    while (end > start && isWhitespace(term.charCodeAt(end - 1))) end--
    return term.slice(start, end)
  })
}

export function reverseFilter(): TokenFilter {
  return mapTerms((term) => [...term].reverse().join(''))
}

export const FRENCH_ARTICLES = ['l', 'm', 't', 'qu', 'n', 's', 'j', 'd', 'c', 'jusqu', 'quoiqu', 'lorsqu', 'puisqu']

export function elisionFilter(settings: ComponentSettings): TokenFilter {
  const articles = settings.list('articles')
  if (articles === undefined) throw illegalArgument('elision filter requires [articles] or [articles_path] setting')
  return removeArticles(articles, settings.boolean('articles_case', false))
}

export function removeArticles(articles: Iterable<string> = FRENCH_ARTICLES, ignoreCase = true): TokenFilter {
  const set = new Set(ignoreCase ? [...articles].map((article) => article.toLowerCase()) : articles)
  return mapTerms((term) => {
    const at = term.search(/['\u2019]/)
    if (at < 0) return term
    const article = term.slice(0, at)
    return set.has(ignoreCase ? article.toLowerCase() : article) ? term.slice(at + 1) : term
  })
}

/** Converts digits of any script to 0 to 9. Digits come in runs of ten, so the start of the run gives the value. */
export function decimalDigitFilter(): TokenFilter {
  return mapTerms((term) => mapCodePoints(term, asciiDigit))
}

function asciiDigit(codePoint: number): number {
  if (codePoint < 0x80 || !isDigit(codePoint)) return codePoint
  let start = codePoint
  while (isDigit(start - 1)) start--
  return 0x30 + ((codePoint - start) % 10)
}
