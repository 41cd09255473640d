/** Dissect's patterns: literal delimiters with fields between them. No expressions, so nothing ever goes back. */

import { PluginOptionError } from '../plugin/plugin-context.ts'

export interface DissectField {
  readonly name: string
  /** Nothing is stored, but an indirect field may use what was found. */
  readonly skip: boolean
  readonly append: boolean
  readonly order: number
  /** The name of the field is what another field holds. */
  readonly indirect: boolean
  /** Repeated delimiters after it count as one. */
  readonly padded: boolean
  /** The delimiter before it joins what is appended. */
  readonly before: string
  readonly after: string
}

export class DissectPattern {
  readonly fields: readonly DissectField[]
  /** Which fields are appended to another, in the order in which this is done. */
  readonly appended: readonly number[]
  readonly #start: string

  /** Throws `PluginOptionError` for a pattern that says nothing, or two things at once. */
  constructor(pattern: string) {
    if (pattern === '') throw new PluginOptionError('The mapping string cannot be empty')
    const pieces = pattern.split(/%\{([^}]*)\}/)
    this.#start = pieces[0]!
    const fields: DissectField[] = []
    for (let i = 1; i < pieces.length; i += 2) fields.push(parseField(pieces[i]!, pieces[i - 1]!, pieces[i + 1]!))
    this.fields = fields
    this.appended = fields
      .flatMap(({ append }, i) => (append ? [i] : []))
      .sort((a, b) => fields[a]!.order - fields[b]!.order)
  }

  /** The texts of the fields, or undefined when a delimiter is missing. */
  match(text: string): string[] | undefined {
    if (!text.startsWith(this.#start)) return undefined
    let at = this.#start.length
    const found: string[] = []
    for (let i = 0; i < this.fields.length; i++) {
      const { after, padded } = this.fields[i]!
      if (after === '') {
        const isLast = i === this.fields.length - 1
        found.push(isLast ? text.slice(at) : '')
        if (isLast) at = text.length
        continue
      }
      const end = text.indexOf(after, at)
      if (end < 0) return undefined
      found.push(text.slice(at, end))
      at = end + after.length
      if (padded) while (text.startsWith(after, at)) at += after.length
    }
    return found
  }
}

function parseField(inner: string, before: string, after: string): DissectField {
  const padded = inner.endsWith('->')
  const body = padded ? inner.slice(0, -2) : inner
  const both = /^(?:\+&|&\+)/.exec(body)?.[0]
  if (both !== undefined) {
    throw new PluginOptionError(`Field cannot prefix with both Append and Indirect Prefix (${both}): ${body}`)
  }
  const match = /^([?+&]?)(.*?)(?:\/(\d+))?$/s.exec(body)!
  const sign = match[1]!
  const name = match[2]!
  return {
    name,
    skip: sign === '?' || name === '',
    append: sign === '+',
    order: match[3] === undefined ? -1 : Number(match[3]),
    indirect: sign === '&',
    padded,
    before,
    after,
  }
}
