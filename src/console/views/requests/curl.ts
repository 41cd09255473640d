/** Converts a curl command to a request of the console. */
import type { ApiRequest } from '../../api/client.ts'
import { layOut } from './console-text.ts'

/** Undefined for text that is not a curl command, or has no address. */
export function parseCurl(text: string): ApiRequest | undefined {
  const words = shellWords(text.trim())
  if (words.shift() !== 'curl') return undefined
  let method: string | undefined
  let url: string | undefined
  const data: string[] = []
  let isGet = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const [flag, attached] = splitFlag(word)
    const value = () => attached ?? words[++at] ?? ''
    if (flag === '-X' || flag === '--request') method = value().toUpperCase()
    else if (DATA.has(flag)) data.push(value().replace(/^@.*/, ''))
    else if (flag === '-G' || flag === '--get') isGet = true
    else if (flag === '-I' || flag === '--head') method = 'HEAD'
    else if (flag === '--url') url = value()
    else if (WITH_VALUE.has(flag)) value()
    else if (!word.startsWith('-')) url ??= word
  }
  if (url === undefined) return undefined
  const path = pathOf(url)
  const body = data.join('&')
  if (isGet && body !== '') {
    return { method: method ?? 'GET', path: `${path}${path.includes('?') ? '&' : '?'}${body}` }
  }
  return {
    method: method ?? (body === '' ? 'GET' : 'POST'),
    path,
    body: body === '' ? undefined : laidOut(body, path),
  }
}

const DATA: ReadonlySet<string> = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json'])
const WITH_VALUE: ReadonlySet<string> = new Set([
  '-H',
  '--header',
  '-u',
  '--user',
  '-A',
  '--user-agent',
  '-o',
  '--output',
  '-m',
  '--max-time',
  '--connect-timeout',
  '-w',
  '--write-out',
  '--cacert',
  '-b',
  '--cookie',
  '-e',
  '--referer',
  '-x',
  '--proxy',
])

/** Splits options with an attached value, such as `-XPUT` and `--request=PUT`. */
function splitFlag(word: string): readonly [flag: string, value: string | undefined] {
  const long = /^(--[\w-]+)=(.*)$/s.exec(word)
  if (long !== null) return [long[1]!, long[2]]
  const short = /^(-[XHdu])(.+)$/s.exec(word)
  return short === null ? [word, undefined] : [short[1]!, short[2]]
}

function pathOf(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '').replace(/^(localhost|[\d.]+)(:\d+)?(?=\/|$)/, '')
  return path.startsWith('/') ? path : `/${path}`
}

function laidOut(body: string, path: string): string {
  if (/_bulk|_msearch/.test(path)) return body.trimEnd()
  return /^\s*[{[]/.test(body) ? layOut(body) : body
}

/** Splits a command into words like a shell: quotes, backslashes and line continuations. */
export function shellWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\') {
      const next = text[++at] ?? ''
      if (next === '\r' && text[at + 1] === '\n') at++
      else if (next !== '\n') word = (word ?? '') + next
    } else if (char === '$' && text[at + 1] === "'") {
      const end = closing(text, at + 2, "'")
      word = (word ?? '') + text.slice(at + 2, end).replace(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c)
      at = end
    } else if (char === "'") {
      const end = text.indexOf("'", at + 1)
      word = (word ?? '') + text.slice(at + 1, end < 0 ? text.length : end)
      at = end < 0 ? text.length : end
    } else if (char === '"') {
      const end = closing(text, at + 1, '"')
      word = (word ?? '') + text.slice(at + 1, end).replace(/\\(["\\$`\n])/g, (_, c: string) => (c === '\n' ? '' : c))
      at = end
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  return word === undefined ? words : [...words, word]
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function closing(text: string, from: number, quote: string): number {
  let at = from
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return Math.min(at, text.length)
}
