/** `path_hierarchy`: a path and all its parents, `/a`, `/a/b`, `/a/b/c`; reversed, all its suffixes. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { Tokenizer } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { newToken, type StreamToken } from '../token.ts'

export function pathHierarchyTokenizer(settings: ComponentSettings): Tokenizer {
  const delimiter = single(settings, 'delimiter') ?? '/'
  const replacement = single(settings, 'replacement') ?? delimiter
  const skip = settings.integer('skip', 0)
  // Texts are read whole, so the size itself changes nothing.
  if (settings.integer('buffer_size', 1024) < 0) throw illegalArgument('bufferSize cannot be negative')
  if (skip < 0) throw illegalArgument('skip cannot be negative')
  const reverse = settings.boolean('reverse', false)
  return (text) => {
    const ranges = reverse ? tails(text, delimiter, skip) : parents(text, delimiter, skip)
    // All forms of a path have the same position.
    const tokens: StreamToken[] = ranges.map(([start, end], i) => {
      const token = newToken(text.slice(start, end).replaceAll(delimiter, replacement), start, end, 'word')
      token.positionIncrement = i === 0 ? 1 : 0
      return token
    })
    return { tokens, trailingIncrement: 0, endOffset: text.length }
  }
}

/** The paths up to each delimiter; the first delimiter is part of the first name. */
function parents(text: string, delimiter: string, skip: number): [number, number][] {
  const ends: number[] = []
  for (let i = 1; i < text.length; i++) if (text[i] === delimiter) ends.push(i)
  if (text.length > 0) ends.push(text.length)
  // `skip` omits leading names; a path that starts with a delimiter has it in its first name.
  const start = skip === 0 ? 0 : (ends[skip - 1] ?? text.length)
  return ends.slice(skip).map((end) => [start, end])
}

function tails(text: string, delimiter: string, skip: number): [number, number][] {
  const starts: number[] = [0]
  for (let i = 0; i < text.length - 1; i++) if (text[i] === delimiter) starts.push(i + 1)
  if (text === '') return []
  const end = skip === 0 ? text.length : (starts[starts.length - skip] ?? 0)
  return starts.slice(0, Math.max(0, starts.length - skip)).map((start) => [start, end])
}

function single(settings: ComponentSettings, key: string): string | undefined {
  const text = settings.string(key)
  if (text === undefined) return undefined
  if (text.length !== 1) throw illegalArgument(`${key} must be a one char value`)
  return text
}
