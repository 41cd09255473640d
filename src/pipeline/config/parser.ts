/**
 * Parses the configuration language to a syntax tree.
 *
 * The grammar follows Logstash's parsing expression grammar rule by rule and in its order of alternatives, because
 * users depend on its details: a bareword has at least two characters, `["x"]` in a condition is a field, options need
 * white space between them.
 */

import { parseCondition } from './condition-parser.ts'
import { ConfigError, lineAndColumn } from './config-error.ts'
import { Scanner } from './scanner.ts'
import { syntaxHint } from './syntax-hint.ts'
import type { Attribute, HashEntry, PluginNode, Section, SectionKind, Statement, ValueNode } from './syntax-tree.ts'

export interface ParseOptions {
  /** `config.support_escapes`: enables backslash sequences in strings. */
  readonly supportEscapes?: boolean
}

/** Throws a `ConfigError` with the position at which the text is invalid. */
export function parseConfig(source: string, file?: string, options: ParseOptions = {}): Section[] {
  return new Parser(new Scanner(source, file), options.supportEscapes === true).config()
}

const SECTIONS: readonly SectionKind[] = ['input', 'filter', 'output']

export class Parser {
  readonly scanner: Scanner
  readonly #supportEscapes: boolean
  #sectionStart = 0

  constructor(scanner: Scanner, supportEscapes: boolean) {
    this.scanner = scanner
    this.#supportEscapes = supportEscapes
  }

  config(): Section[] {
    const sections: Section[] = []
    for (;;) {
      this.scanner.skip()
      if (this.scanner.atEnd) return sections
      this.#sectionStart = this.scanner.at
      const section = this.#section()
      if (section === undefined) throw this.#syntaxError()
      sections.push(section)
    }
  }

  #section(): Section | undefined {
    const { scanner } = this
    const at = scanner.position()
    const kind = SECTIONS.find((word) => scanner.take(word))
    if (kind === undefined) return undefined
    scanner.skip()
    const body = this.block()
    return body === undefined ? undefined : { kind, body, at }
  }

  /** Parses `{ … }` with plugins and branches. */
  block(): Statement[] | undefined {
    const { scanner } = this
    if (!scanner.take('{')) return undefined
    const body: Statement[] = []
    for (;;) {
      scanner.skip()
      if (scanner.take('}')) return body
      const statement = this.#branch() ?? this.#plugin()
      if (statement === undefined) return undefined
      body.push(statement)
    }
  }

  #branch(): Statement | undefined {
    const { scanner } = this
    const start = scanner.at
    const at = scanner.position()
    const arms: { condition: ReturnType<typeof parseCondition>; body: Statement[] }[] = []
    const first = this.#arm('if')
    if (first === undefined) {
      scanner.at = start
      return undefined
    }
    arms.push(first)
    for (;;) {
      const before = scanner.at
      scanner.skip()
      if (!scanner.take('else')) {
        scanner.at = before
        return { type: 'branch', arms, at }
      }
      scanner.skip()
      const next = scanner.at
      const arm = this.#arm('if')
      if (arm !== undefined) {
        arms.push(arm)
        continue
      }
      scanner.at = next
      const body = this.block()
      if (body === undefined) {
        scanner.at = before
        return { type: 'branch', arms, at }
      }
      arms.push({ condition: undefined, body })
      return { type: 'branch', arms, at }
    }
  }

  #arm(word: string) {
    const { scanner } = this
    if (!scanner.take(word)) return undefined
    scanner.skip()
    const condition = parseCondition(this)
    if (condition === undefined) return undefined
    scanner.skip()
    const body = this.block()
    return body === undefined ? undefined : { condition, body }
  }

  #plugin(): PluginNode | undefined {
    const { scanner } = this
    const start = scanner.at
    const at = scanner.position()
    const name = this.#name(true)
    if (name === undefined) return undefined
    scanner.skip()
    if (!scanner.take('{')) {
      scanner.at = start
      return undefined
    }
    const attributes: Attribute[] = []
    scanner.skip()
    for (;;) {
      if (attributes.length > 0) {
        const before = scanner.at
        const hadBlanks = scanner.blanks()
        scanner.skip()
        if (scanner.take('}')) return { type: 'plugin', name, attributes, at }
        if (!hadBlanks) {
          scanner.at = before
          return this.#giveUp(start)
        }
      } else if (scanner.take('}')) return { type: 'plugin', name, attributes, at }
      const attribute = this.#attribute()
      if (attribute === undefined) return this.#giveUp(start)
      attributes.push(attribute)
    }
  }

  #giveUp(start: number): undefined {
    this.scanner.at = start
  }

  #attribute(): Attribute | undefined {
    const { scanner } = this
    const at = scanner.position()
    const name = this.#name(false)
    if (name === undefined) return undefined
    scanner.skip()
    if (!scanner.take('=>')) return undefined
    scanner.skip()
    const value = this.value()
    return value === undefined ? undefined : { name, value, at }
  }

  /** A plugin name keeps its quotes (no such plugin exists); an option name loses them. */
  #name(keepQuotes: boolean): string | undefined {
    const { scanner } = this
    const start = scanner.at
    const bare = scanner.match(/[A-Za-z0-9_-]+/y, '[A-Za-z0-9_-]')
    if (bare !== undefined) return bare
    const text = this.string()
    return text !== undefined && keepQuotes ? scanner.source.slice(start, scanner.at) : text
  }

  value(): ValueNode | undefined {
    const { scanner } = this
    const at = scanner.position()
    const plugin = this.#plugin()
    if (plugin !== undefined) return plugin
    const bareword = scanner.match(/[A-Za-z_][A-Za-z0-9_]+/y, '[A-Za-z_]')
    if (bareword !== undefined) return { type: 'bareword', text: bareword, at }
    const text = this.string()
    if (text !== undefined) return { type: 'string', text, at }
    const number = this.number()
    if (number !== undefined) return { type: 'number', text: number, at }
    return this.array() ?? this.#hash()
  }

  string(): string | undefined {
    const { scanner } = this
    const quoted = scanner.match(/"(?:\\"|(?!\\")[^"])*"|'(?:\\'|(?!\\')[^'])*'/y, 'a string')
    if (quoted === undefined) return undefined
    const inner = quoted.slice(1, -1)
    return this.#supportEscapes ? unescapeText(inner) : inner
  }

  number(): string | undefined {
    return this.scanner.match(/-?[0-9]+(?:\.[0-9]*)?/y, '[0-9]')
  }

  array(): ValueNode | undefined {
    const { scanner } = this
    const start = scanner.at
    const at = scanner.position()
    if (!scanner.take('[')) return undefined
    const items: ValueNode[] = []
    scanner.skip()
    if (scanner.take(']')) return { type: 'array', items, at }
    for (;;) {
      const item = this.value()
      if (item === undefined) return this.#giveUp(start)
      items.push(item)
      scanner.skip()
      if (scanner.take(']')) return { type: 'array', items, at }
      if (!scanner.take(',')) return this.#giveUp(start)
      scanner.skip()
    }
  }

  #hash(): ValueNode | undefined {
    const { scanner } = this
    const start = scanner.at
    const at = scanner.position()
    if (!scanner.take('{')) return undefined
    const entries: HashEntry[] = []
    for (;;) {
      scanner.skip()
      if (scanner.take('}')) return { type: 'hash', entries, at }
      const entry = this.#hashEntry()
      if (entry === undefined) return this.#giveUp(start)
      entries.push(entry)
    }
  }

  #hashEntry(): HashEntry | undefined {
    const { scanner } = this
    const at = scanner.position()
    const key = this.number() ?? scanner.match(/[A-Za-z_][A-Za-z0-9_]+/y, '[A-Za-z_]') ?? this.string()
    if (key === undefined) return undefined
    scanner.skip()
    if (!scanner.take('=>')) return undefined
    scanner.skip()
    const value = this.value()
    return value === undefined ? undefined : { key, value, at }
  }

  #syntaxError(): ConfigError {
    const { scanner } = this
    const at = scanner.position(scanner.furthest)
    const { line, column } = lineAndColumn(at)
    const after = scanner.source.slice(this.#sectionStart, scanner.furthest)
    const message =
      `Expected one of ${scanner.expected.join(', ')} at line ${line}, column ${column} (byte ${scanner.furthest + 1}) ` +
      `after ${after}`
    return new ConfigError([
      { message, at, suggestion: syntaxHint(scanner.source, scanner.furthest, scanner.expected) },
    ])
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/gs, (pair, char: string) => ESCAPES[char] ?? pair)
}
