/** `uax_url_email`: the standard tokenizer, but URLs and e-mail addresses stay whole. */
import type { Tokenizer } from '../registry/component.ts'
import { newToken, type StreamToken } from '../token.ts'
import { standardTokenizer } from './standard.ts'
import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts'

interface AddressPattern {
  type: string
  pattern: RegExp
}

/** Compiled with the first tokenizer, because most nodes never need it. */
function addressPatterns(): AddressPattern[] {
  const label = '[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?'
  const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
  const ip4 = `${octet}(?:\\.${octet}){3}(?![.\\d])`
  const ip6 = '\\[[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\\]'
  // Without a scheme only a known top-level domain makes dotted words a host name.
  const domain = `(?:(?:${label}|[a-zA-Z0-9_]+)\\.)+(?:${TOP_LEVEL_DOMAINS.join('|')})(?![-a-zA-Z0-9])`
  const anyHost = `(?:${label}(?:\\.${label})*|${ip4}|${ip6})`
  const path = '(?:/(?:[-\\w~:@.]|%[0-9a-fA-F]{2})*)*'
  const tail = "(?:[-\\w~!$&'()*+,;=:@./?]|%[0-9a-fA-F]{2})*"
  const user = "(?:[-\\w.~!$&'()*+,;=:]+@)?"
  const host = `(?:https?://${user}${anyHost}|file://${anyHost}?|${domain}|${ip4}|${ip6})`
  const atom = "[-\\w!#$%&'*+/=?^`{|}~]+"
  const mailbox = `(?:${atom}(?:\\.${atom})*|"(?:[^"\\\\]|\\\\.)*")`
  return [
    { type: '<URL>', pattern: new RegExp(`${host}(?::\\d+)?${path}(?:\\?${tail})?(?:#${tail})?`, 'iy') },
    { type: '<EMAIL>', pattern: new RegExp(`${mailbox}@(?:${domain}|\\[${ip4}\\]|${ip6})`, 'iy') },
  ]
}

const MAY_START = /[a-zA-Z0-9!#$%&'*+/=?^_`{|}~"[-]/

export function uaxUrlEmailTokenizer(maxTokenLength: number): Tokenizer {
  const standard = standardTokenizer(maxTokenLength)
  const patterns = addressPatterns()
  return (text) => {
    const tokens: StreamToken[] = []
    let plainFrom = 0
    const wordEnd = (from: string, at: number) => {
      const [word] = standard(from.slice(at, at + maxTokenLength)).tokens
      return word?.startOffset === 0 ? at + word.endOffset : 0
    }
    const plainUntil = (end: number) => {
      for (const token of standard(text.slice(plainFrom, end)).tokens) {
        token.startOffset += plainFrom
        token.endOffset += plainFrom
        tokens.push(token)
      }
    }
    for (let at = 0; at < text.length; ) {
      const found = MAY_START.test(text[at]!)
        ? longest(patterns, text.slice(at, at + maxTokenLength + 1), at)
        : undefined
      if (found === undefined || found.end - at > maxTokenLength || wordEnd(text, at) > found.end) {
        at = afterWord(text, at)
        continue
      }
      plainUntil(at)
      tokens.push(newToken(text.slice(at, found.end), at, found.end, found.type))
      at = found.end
      plainFrom = at
    }
    plainUntil(text.length)
    return { tokens, trailingIncrement: 0, endOffset: text.length }
  }
}

/** Looks no further than the maximum token length, which also bounds the cost of hostile texts. */
function longest(patterns: readonly AddressPattern[], window: string, at: number) {
  let best: { end: number; type: string } | undefined
  for (const { type, pattern } of patterns) {
    pattern.lastIndex = 0
    const length = pattern.exec(window)?.[0].length ?? 0
    if (at + length > (best?.end ?? at)) best = { end: at + length, type }
  }
  return best
}

/** An address never starts inside a word. */
function afterWord(text: string, at: number): number {
  let end = at
  while (end < text.length && /[\p{L}\p{N}_]/u.test(text[end]!)) end++
  return end === at ? at + 1 : end
}
