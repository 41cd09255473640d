/** Parses `suggest`: named suggestions, and a text for all without their own. */
import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { END_OBJECT, START_OBJECT } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../request-reader.ts'
import { parseCompletion } from './completion-request.ts'
import { parsePhrase } from './phrase-request.ts'
import type { NamedSuggestion, Suggester, SuggestRequest } from './suggest-request.ts'
import { parseTerm } from './term-request.ts'

const SUGGESTERS: Readonly<Record<string, (reader: RequestReader) => Suggester>> = {
  term: parseTerm,
  phrase: parsePhrase,
  completion: parseCompletion,
}

export function parseSuggest(reader: RequestReader): SuggestRequest {
  let shared: string | undefined
  const suggestions: NamedSuggestion[] = []
  while (reader.next() !== END_OBJECT) {
    const { name } = reader
    reader.next()
    if (reader.isValue) {
      if (name !== 'text') throw illegalArgument(`[suggest] does not support [${name}]`)
      shared = reader.text()
    } else if (reader.is(START_OBJECT)) suggestions.push(parseNamed(reader, name))
    else throw illegalSuggestion(reader, `unexpected token [${reader.tokenName}] after [${name}]`)
  }
  const hasOwn = ({ text, prefix, regex }: NamedSuggestion) => (text ?? prefix ?? regex) !== undefined
  return suggestions.map((suggestion) => (hasOwn(suggestion) ? suggestion : { ...suggestion, text: shared }))
}

const illegalSuggestion = (reader: RequestReader, reason: string) => reader.parsingError(reason)

function parseNamed(reader: RequestReader, name: string): NamedSuggestion {
  const texts: { text?: string; prefix?: string; regex?: string } = {}
  let suggester: Suggester | undefined
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (reader.isValue) {
      if (member !== 'text' && member !== 'prefix' && member !== 'regex') {
        throw illegalSuggestion(reader, `suggestion does not support [${member}]`)
      }
      texts[member] = reader.text()
    } else if (reader.is(START_OBJECT)) {
      const parse = Object.hasOwn(SUGGESTERS, member) ? SUGGESTERS[member] : undefined
      if (parse === undefined) throw reader.unknownKind(member)
      suggester = parse(reader)
    }
  }
  if (suggester === undefined) throw parseFailure('missing suggestion object')
  return { name, text: texts.text, prefix: texts.prefix, regex: texts.regex, suggester }
}
