/** `String#succ`: the successor of a string, with carries between letters and digits. */

export function succText(text: string): string {
  if (text === '') return ''
  const chars = Array.from(text)
  const alnum = (char: string) => /[A-Za-z0-9]/.test(char)
  let at = chars.findLastIndex(alnum)
  if (at < 0) return succPlain(chars)
  for (;;) {
    const char = chars[at]!
    if (char === 'z' || char === 'Z' || char === '9') {
      chars[at] = char === 'z' ? 'a' : char === 'Z' ? 'A' : '0'
      let left = at - 1
      // Other characters are skipped, but only if there is a letter or digit further left.
      while (left >= 0 && !alnum(chars[left]!)) left--
      if (left < 0) {
        chars.splice(at, 0, char === '9' ? '1' : chars[at]!)
        return chars.join('')
      }
      at = left
    } else {
      chars[at] = String.fromCharCode(char.charCodeAt(0) + 1)
      return chars.join('')
    }
  }
}

function succPlain(chars: string[]): string {
  for (let at = chars.length - 1; at >= 0; at--) {
    const code = chars[at]!.codePointAt(0)!
    if (code < 0x10ffff) {
      chars[at] = String.fromCodePoint(code + 1)
      return chars.join('')
    }
    chars[at] = '\u0001'
  }
  return `\u0001${chars.join('')}`
}
