/** Filters with a script: `predicate_token_filter` selects tokens, `condition` sends them through other filters. */
import { illegalArgument } from '../../../base/api-error.ts'
import { scriptLanguageNotSupported } from '../../../base/errors/script-errors.ts'
import { compileScript, type ScriptInstance, TokenObject } from '../../painless/index.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment, ChainSoFar } from '../registry/component-types.ts'
import { type StreamToken, withTokens } from '../token.ts'
import { keepTokens } from './remove-tokens.ts'

export function predicateFilter(settings: ComponentSettings): TokenFilter {
  const script = readPredicate(settings)
  const filter: TokenFilter = (stream) => {
    const predicate = predicateOf(script)
    return keepTokens(predicate)(stream)
  }
  return Object.assign(filter, SHOWS_KEYWORD)
}

/** Scripts can read whether a token is a keyword, so that explanations show it. */
const SHOWS_KEYWORD = { attributes: ['keyword'] as const }

export function conditionFilter(settings: ComponentSettings, environment: AnalysisEnvironment) {
  const script = readPredicate(settings)
  const names = settings.list('filter') ?? []
  if (names.length === 0) throw illegalArgument('Empty list of filters provided to tokenfilter [condition]')
  return (chain: ChainSoFar): TokenFilter => {
    const filters = names.map((name) => {
      const part = environment.filter(name.trim())
      if (part === undefined) {
        throw illegalArgument(
          `ScriptedConditionTokenFilter [${settings.name}] refers to undefined token filter [${name}]`,
        )
      }
      return part.inChain(chain)
    })
    const filter: TokenFilter = (stream) => {
      const predicate = predicateOf(script)
      return withTokens(
        stream,
        stream.tokens.flatMap((token) => (predicate(token) ? through(token, filters) : [token])),
      )
    }
    return Object.assign(filter, SHOWS_KEYWORD)
  }
}

/** Sends one token through filters; the result takes its position. */
function through(token: StreamToken, filters: readonly TokenFilter[]): StreamToken[] {
  const { positionIncrement, endOffset } = token
  let stream = { tokens: [{ ...token, positionIncrement: 1 }], trailingIncrement: 0, endOffset }
  for (const filter of filters) stream = filter(stream) as typeof stream
  return stream.tokens.map((result, i) => (i === 0 ? { ...result, positionIncrement } : result))
}

function readPredicate(settings: ComponentSettings): ScriptInstance {
  const source = settings.string('script.source') ?? settings.string('script')
  if (source === undefined) throw illegalArgument(`Missing [script] setting for filter [${settings.name}]`)
  const lang = settings.string('script.lang') ?? 'painless'
  if (lang !== 'painless') throw scriptLanguageNotSupported(lang)
  return compileScript({ source, context: 'analysis' }).newInstance()
}

/** The predicate for the tokens of one text, called in order. */
function predicateOf(script: ScriptInstance): (token: StreamToken) => boolean {
  let position = -1
  return (token) => {
    position += token.positionIncrement
    script.set('token', new TokenObject({ ...token, position }))
    return script.execute() === true
  }
}
