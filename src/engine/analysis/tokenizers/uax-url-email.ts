/** `uax_url_email`: the standard tokenizer, but URLs and e-mail addresses stay whole. */
import type { Tokenizer } from '../component.ts'
import { newToken, type StreamToken } from '../token.ts'
import { standardTokenizer } from './standard.ts'
import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts'

const LABEL = '[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?'
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const IP4 = `${OCTET}(?:\\.${OCTET}){3}(?![.\\d])`
const IP6 = '\\[[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\\]'
/** Without a scheme only a known ending makes a host name out of words with dots. */
const DOMAIN = `(?:(?:${LABEL}|[a-zA-Z0-9_]+)\\.)+(?:${TOP_LEVEL_DOMAINS.join('|')})(?![-a-zA-Z0-9])`
const ANY_HOST = `(?:${LABEL}(?:\\.${LABEL})*|${IP4}|${IP6})`
const PATH = '(?:/(?:[-\\w~:@.]|%[0-9a-fA-F]{2})*)*'
const QUERY = `(?:\\?(?:[-\\w~!$&'()*+,;=:@./?]|%[0-9a-fA-F]{2})*)?`
const FRAGMENT = `(?:#(?:[-\\w~!$&'()*+,;=:@./?]|%[0-9a-fA-F]{2})*)?`
const USER = `(?:[-\\w.~!$&'()*+,;=:]+@)?`
const URL = new RegExp(
  `(?:https?://${USER}${ANY_HOST}|file://${ANY_HOST}?|${DOMAIN}|${IP4}|${IP6})(?::\\d+)?${PATH}${QUERY}${FRAGMENT}`,
  'iy',
)
const ATOM = "[-\\w!#$%&'*+/=?^`{|}~]+"
const EMAIL = new RegExp(`(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\]|\\\\.)*")@(?:${DOMAIN}|\\[${IP4}\\]|${IP6})`, 'iy')

const MAY_START = /[a-zA-Z0-9!#$%&'*+/=?^_`{|}~"[-]/

export function uaxUrlEmailTokenizer(maxTokenLength: number): Tokenizer {
  const standard = standardTokenizer(maxTokenLength)
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
      const found = MAY_START.test(text[at]!) ? longest(text, at) : undefined
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

function longest(text: string, at: number): { end: number; type: string } | undefined {
  let best: { end: number; type: string } | undefined
  for (const [pattern, type] of [
    [URL, '<URL>'],
    [EMAIL, '<EMAIL>'],
  ] as const) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null && at + match[0].length > (best?.end ?? 0)) best = { end: at + match[0].length, type }
  }
  return best
}

/** An address never begins inside a word. */
function afterWord(text: string, at: number): number {
  let end = at
  while (end < text.length && /[\p{L}\p{N}_]/u.test(text[end]!)) end++
  return end === at ? at + 1 : end
}
