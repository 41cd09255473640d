/** `multiplexer`: sends every token through several filters and emits all results at its position. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment, ChainSoFar } from '../registry/component-types.ts'
import { type StreamToken, withTokens } from '../token.ts'
import { removeDuplicatesFilter } from './selecting-filters.ts'

/** An entry of `filters` may be a chain: `lowercase, porter_stem`. */
export function multiplexerFilter(settings: ComponentSettings, environment: AnalysisEnvironment) {
  const names = (settings.list('filters') ?? []).map((entry) => entry.split(',').map((name) => name.trim()))
  const preserve = settings.boolean('preserve_original', true)
  return (chain: ChainSoFar): TokenFilter => {
    const branches = names.map((branch) =>
      branch.map((name) => {
        const part = environment.filter(name)
        if (part === undefined) {
          throw illegalArgument(`Multiplexing filter [${settings.name}] refers to undefined tokenfilter [${name}]`)
        }
        return part.inChain(chain)
      }),
    )
    if (preserve) branches.unshift([])
    const distinct = removeDuplicatesFilter()
    return (stream) =>
      distinct(
        withTokens(
          stream,
          stream.tokens.flatMap((token) => spread(token, branches)),
        ),
      )
  }
}

function spread(token: StreamToken, branches: readonly (readonly TokenFilter[])[]): StreamToken[] {
  const results = branches.flatMap((branch) => {
    let stream = { tokens: [{ ...token, positionIncrement: 1 }], trailingIncrement: 0, endOffset: token.endOffset }
    for (const filter of branch) stream = filter(stream) as typeof stream
    return stream.tokens
  })
  return results.map((result, i) => ({ ...result, positionIncrement: i === 0 ? token.positionIncrement : 0 }))
}
