/**
 * Renders tokens in one readable line: `quick[4-9 1 <ALPHANUM>]`, with `/length` after the position if it is more than
 * one.
 */
export function renderTokens(tokens: readonly Record<string, unknown>[]): string {
  return tokens
    .map((token) => {
      const text = String(token['token'])
      const term = text === '' || /[\s[\]"]/.test(text) ? JSON.stringify(text) : text
      const length = token['positionLength'] === undefined ? '' : `/${token['positionLength']}`
      return `${term}[${token['start_offset']}-${token['end_offset']} ${token['position']}${length} ${token['type']}]`
    })
    .join(' ')
}
