/** `uax_url_email`: the standard tokenizer, but URLs and e-mail addresses stay whole. */
import type { Tokenizer } from '../component.ts'
import { newToken, type StreamToken } from '../token.ts'
import { standardTokenizer } from './standard.ts'

const LABEL = '[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?'
const TOP_LEVEL =
  '(?:com|org|net|edu|gov|mil|int|info|biz|name|pro|aero|coop|museum|arpa|asia|cat|jobs|mobi|post|tel|travel|xxx|app|dev|io|' +
  'online|site|shop|store|tech|blog|cloud|xyz|club|top|news|live|page|design|agency|digital|email|global|group|media|world|[a-z]{2})'
const DOMAIN = `(?:${LABEL}\\.)+${TOP_LEVEL}(?![-a-zA-Z0-9])`
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const IP = `${OCTET}(?:\\.${OCTET}){3}(?![.\\d])`
const PATH = `(?:/(?:[-\\w~!$&'()*+,;=:@.]|%[0-9a-fA-F]{2})*)*`
const QUERY = `(?:\\?(?:[-\\w~!$&'()*+,;=:@./?]|%[0-9a-fA-F]{2})*)?`
const FRAGMENT = `(?:#(?:[-\\w~!$&'()*+,;=:@./?]|%[0-9a-fA-F]{2})*)?`
const URL = new RegExp(
  `(?:(?:https?|ftp|file)://(?:${DOMAIN}|${IP}|localhost)|(?:${DOMAIN}|${IP}))(?::\\d+)?${PATH}${QUERY}${FRAGMENT}`,
  'iy',
)
const EMAIL = new RegExp(`[-\\w!#$%&'*+/=?^\`{|}~]+(?:\\.[-\\w!#$%&'*+/=?^\`{|}~]+)*@${DOMAIN}`, 'iy')

const MAY_START = /[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]/

export function uaxUrlEmailTokenizer(maxTokenLength: number): Tokenizer {
  const standard = standardTokenizer(maxTokenLength)
  return (text) => {
    const tokens: StreamToken[] = []
    let plainFrom = 0
    const plainUntil = (end: number) => {
      for (const token of standard(text.slice(plainFrom, end)).tokens) {
        token.startOffset += plainFrom
        token.endOffset += plainFrom
        tokens.push(token)
      }
    }
    for (let at = 0; at < text.length; ) {
      const found = MAY_START.test(text[at]!) ? longest(text, at) : undefined
      if (found === undefined || found.end - at > maxTokenLength) {
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
