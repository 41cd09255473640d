/** Dissect patterns: literal delimiters with fields in between. Matching never backtracks. */

import { PluginOptionError } from '../plugin/plugin-context.ts'

export interface DissectField {
  readonly name: string
  /** The value is not stored, but an indirect field may use it. */
  readonly skip: boolean
  readonly append: boolean
  readonly order: number
  /** The field name is the value of another field. */
  readonly indirect: boolean
  /** Repeated delimiters after the field count as one. */
  readonly padded: boolean
  /** The delimiter before the field joins appended values. */
  readonly before: string
  readonly after: string
}

export class DissectPattern {
  readonly fields: readonly DissectField[]
  /** The indexes of fields that are appended to another field, in the order of appending. */
  readonly appended: readonly number[]
  readonly #start: string

  /** Throws `PluginOptionError` for an empty or contradictory pattern. */
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

  /** The values of the fields, or undefined if a delimiter is missing. */
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
