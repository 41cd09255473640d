/** `asciifolding`: replaces letters, digits and symbols outside ASCII by their ASCII equivalent, if there is one. */
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { withTokens } from '../token.ts'
import { ASCII_FOLDINGS } from './ascii-folding.generated.ts'
import { mapTerms } from './map-terms.ts'

let table: ReadonlyMap<string, string> | undefined

export function foldToAscii(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  table ??= new Map(ASCII_FOLDINGS.flatMap(([replacement, chars]) => [...chars].map((char) => [char, replacement])))
  let out = ''
  for (const char of text) out += table.get(char) ?? char
  return out
}

export function asciiFoldingFilter(settings: ComponentSettings): TokenFilter {
  if (!settings.boolean('preserve_original', false)) return mapTerms(foldToAscii)
  return (stream) =>
    withTokens(
      stream,
      stream.tokens.flatMap((token) => {
        const folded = foldToAscii(token.term)
        return folded === token.term
          ? [token]
          : [
              { ...token, term: folded },
              { ...token, positionIncrement: 0 },
            ]
      }),
    )
}
