/**
 * Searches that differ only in their words, found by their bytes: a body that equals the one of a checked search, but for
 * words that its shape leaves out (search-shapes.ts), has the same shape, and does not have to be parsed to know that.
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingRequest } from '../../http/dispatcher.ts'
import { TEXT_LENGTH_MAX } from './search-shapes.ts'

interface Template<V> {
  readonly method: string
  readonly contentType: string | undefined
  /** What stands before, between and behind the words, as latin1. The quotes of the words belong to it. */
  readonly parts: readonly string[]
  readonly value: V
}

const BODY_BYTES_MAX = 4096
/** Maximum templates of one target. */
const TEMPLATES_MAX = 8
const TARGETS_MAX = 100

export class SearchTemplates<V> {
  readonly #byUri = new Map<string, Template<V>[]>()
  #generation = -1

  /** The value that was kept for a search that differs only in its words. */
  find({ method, uri, headers, body }: IncomingRequest, generation: number): V | undefined {
    if (generation !== this.#generation || body.length > BODY_BYTES_MAX) return undefined
    const templates = this.#byUri.get(uri)
    if (templates === undefined) return undefined
    const contentType = headers['content-type']
    const text = body.toString('latin1')
    for (let i = 0; i < templates.length; i++) {
      const template = templates[i]!
      if (template.method !== method || template.contentType !== contentType) continue
      if (!fits(text, template.parts, body)) continue
      // A template that was just used moves forward, so that frequent ones are found early.
      if (i > 0) [templates[i - 1], templates[i]] = [template, templates[i - 1]!]
      return template.value
    }
    return undefined
  }

  /** `words` are the words of the search that its shape leaves out. */
  keep({ method, uri, headers, body }: IncomingRequest, generation: number, words: readonly string[], value: V): void {
    const parts = body.length > BODY_BYTES_MAX ? undefined : partsOf(body.toString('latin1'), words)
    if (parts === undefined) return
    if (generation !== this.#generation) {
      this.#byUri.clear()
      this.#generation = generation
    }
    let templates = this.#byUri.get(uri)
    if (templates === undefined) {
      if (this.#byUri.size >= TARGETS_MAX) this.#byUri.delete(this.#byUri.keys().next().value!)
      this.#byUri.set(uri, (templates = []))
    }
    const contentType = headers['content-type']
    const isSame = (other: Template<V>) =>
      other.method === method && other.contentType === contentType && other.parts.join('""') === parts.join('""')
    const at = templates.findIndex(isSame)
    if (at >= 0) templates.splice(at, 1)
    else if (templates.length >= TEMPLATES_MAX) templates.pop()
    templates.unshift({ method, contentType, parts, value })
  }

  clear(): void {
    this.#byUri.clear()
  }
}

/**
 * The text around the words. Undefined if the place of a word is not certain: it has to occur once, and nothing may be
 * written with escapes.
 */
function partsOf(text: string, words: readonly string[]): readonly string[] | undefined {
  if (text.includes('\\')) return undefined
  const places: [from: number, to: number][] = []
  for (const word of words) {
    const quoted = `"${Buffer.from(word).toString('latin1')}"`
    const at = text.indexOf(quoted)
    if (at < 0 || text.indexOf(quoted, at + 1) >= 0) return undefined
    places.push([at + 1, at + quoted.length - 1])
  }
  places.sort(([a], [b]) => a - b)
  const ends = places.map(([, to]) => to)
  return [0, ...ends].map((from, i) => text.slice(from, places[i]?.[0] ?? text.length))
}

/** Whether a text consists of the parts and short words between them. `body` has the bytes of the text. */
function fits(text: string, parts: readonly string[], body: Buffer): boolean {
  const first = parts[0]!
  if (!text.startsWith(first)) return false
  let at = first.length
  let isAscii = true
  for (let i = 1; i < parts.length; i++) {
    const end = text.indexOf('"', at)
    if (end < 0 || end - at > TEXT_LENGTH_MAX) return false
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code < SPACE || code === BACKSLASH) return false
      if (code > ASCII_MAX) isAscii = false
    }
    if (!text.startsWith(parts[i]!, end)) return false
    at = end + parts[i]!.length
  }
  return at === text.length && (isAscii || isUtf8(body))
}

const SPACE = 0x20
const BACKSLASH = 0x5c
const ASCII_MAX = 0x7f
