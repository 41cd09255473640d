/** Patterns of the dissect processor: `%{clientip} [%{@timestamp}] %{+name/2}`. */
import { ApiError } from '../../../base/api-error.ts'

type Modifier = 'none' | 'skip' | 'append' | 'name' | 'value'

interface Key {
  readonly name: string
  readonly modifier: Modifier
  /** The position of an appended key (`%{+name/2}`). */
  readonly order: number
  readonly skipsPadding: boolean
  readonly delimiter: string
}

const PAIR = /%\{([^}]*?)\}([\s\S]*?)(?=%\{|$)/g

export class DissectPattern {
  readonly source: string
  readonly #leading: string
  readonly #keys: readonly Key[]
  readonly #separator: string

  /** Throws pattern_parse for an invalid pattern. */
  constructor(source: string, separator: string) {
    this.source = source
    this.#separator = separator
    const first = source.indexOf('%{')
    this.#leading = first < 0 ? '' : source.slice(0, first)
    const pairs = [...source.slice(this.#leading.length).matchAll(PAIR)]
    if (first < 0 || pairs.length === 0) throw badPattern(source, 'Unable to find any keys or delimiters.')
    this.#keys = pairs.map(([, key, delimiter]) => parseKey(key!, delimiter!))
    this.#checkReferences()
  }

  /** The values of the keys in pattern order; undefined if the text does not match. */
  match(text: string): Map<string, string> | undefined {
    const values = this.#values(text)
    return values === undefined ? undefined : this.#combine(values)
  }

  #values(text: string): string[] | undefined {
    const keys = this.#keys
    if (text.length <= this.#leading.length || !text.startsWith(this.#leading)) return undefined
    const values: string[] = []
    let at = this.#leading.length
    let start = at
    let key = keys[0]!
    while (at < text.length) {
      const { delimiter } = key
      const found = delimiter === '' ? -1 : text.indexOf(delimiter, at)
      if (found < 0) break
      values.push(text.slice(start, found))
      at = found + delimiter.length
      // Consecutive delimiters are padding, or enclose empty values.
      while (at < text.length && text.startsWith(delimiter, at)) {
        at += delimiter.length
        if (key.skipsPadding) continue
        if (values.length === keys.length) break
        key = keys[values.length]!
        values.push('')
      }
      if (values.length >= keys.length) break
      key = keys[values.length]!
      start = at
    }
    if (values.length < keys.length && key.delimiter === '') values.push(text.slice(start))
    return values.length === keys.length ? values : undefined
  }

  #combine(values: readonly string[]): Map<string, string> {
    const results = new Map<string, string>()
    const appended = new Map<string, { order: number; value: string }[]>()
    const references = new Map<string, { name?: string; value?: string }>()
    const appends = new Set(this.#keys.filter(({ modifier }) => modifier === 'append').map(({ name }) => name))
    this.#keys.forEach(({ name, modifier, order }, i) => {
      const value = values[i]!
      // A key without a modifier is the first part of a value to which other keys append.
      if (modifier === 'none' && !appends.has(name)) results.set(name, value)
      else if (modifier === 'none' || modifier === 'append')
        appended.set(name, [...(appended.get(name) ?? []), { order, value }])
      else if (modifier === 'name') references.set(name, { ...references.get(name), name: value })
      else if (modifier === 'value') references.set(name, { ...references.get(name), value })
    })
    for (const [name, parts] of appended) {
      const sorted = [...parts].sort((a, b) => a.order - b.order).map(({ value }) => value)
      results.set(name, sorted.join(this.#separator))
    }
    for (const { name, value } of references.values()) {
      results.set(name!, value!)
    }
    return results
  }

  #checkReferences(): void {
    const named = (modifier: Modifier) =>
      new Set(this.#keys.filter((key) => key.modifier === modifier).map(({ name }) => name))
    const names = named('name')
    const values = named('value')
    const alone = [...names].filter((name) => !values.has(name)).concat([...values].filter((name) => !names.has(name)))
    if (alone.length === 0) return
    throw badPattern(
      this.source,
      `Found invalid key/reference associations: '${alone.join(',')}' Please ensure each '*<key>' is matched with a matching '&<key>`,
    )
  }
}

const MODIFIERS: Readonly<Record<string, Modifier>> = { '?': 'skip', '+': 'append', '*': 'name', '&': 'value' }

function parseKey(text: string, delimiter: string): Key {
  const skipsPadding = text.endsWith('->')
  const rest = skipsPadding ? text.slice(0, -2) : text
  const modifier = MODIFIERS[rest[0] ?? ''] ?? (rest === '' ? 'skip' : 'none')
  const order = modifier === 'append' ? /^\+(.*)\/(\d+)$/.exec(rest) : null
  const name = order?.[1] ?? (rest === '' || modifier === 'none' ? rest : rest.slice(1))
  // Only appended keys have an order.
  if ((name === '' && modifier !== 'skip') || name.includes('/')) {
    throw badKey(text, 'The key name could not be determined')
  }
  return { name, modifier, order: order === null ? 0 : Number(order[2]), skipsPadding, delimiter }
}

const badPattern = (source: string, reason: string) =>
  new ApiError(400, 'pattern_parse', `Unable to parse pattern: ${source} Reason: ${reason}`)

const badKey = (key: string, reason: string) =>
  new ApiError(400, 'key_parse', `Unable to parse key: ${key} Reason: ${reason}`)
