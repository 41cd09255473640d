/** Parses Ruby expressions (Oniguruma's syntax). */

import { parseClass, propertyClass } from './parse-class.ts'
import { readEscape } from './read-escape.ts'
import { type AnchorKind, type ClassName, type RegexNode, RegexSyntaxError, type RegexTree } from './regex-tree.ts'

export interface RegexOptions {
  readonly ignoreCase: boolean
  /** Ruby's `m`: the dot also matches newlines. */
  readonly dotAll: boolean
  readonly extended: boolean
}

export function parseRegex(source: string, options: RegexOptions): RegexTree {
  const parser = new RegexParser(source)
  const root = parser.alternatives(options)
  if (parser.at < source.length) throw parser.fail('unmatched close parenthesis')
  return { root, groups: parser.groups }
}

class RegexParser {
  readonly source: string
  at = 0
  readonly groups: (string | undefined)[] = []
  /** With named groups, plain parentheses do not capture in Ruby. */
  readonly #hasNames: boolean
  readonly #groupCount: number

  constructor(source: string) {
    this.source = source
    // An escaped character is none of those that are counted.
    const plain = source.replace(/\\./gs, '_')
    this.#hasNames = /\(\?<[^=!]/.test(plain)
    this.#groupCount = plain.replace(/\[[^\]]*\]/g, '').match(this.#hasNames ? /\(\?<[^=!]/g : /\((?!\?)/g)?.length ?? 0
  }

  fail(message: string): RegexSyntaxError {
    return new RegexSyntaxError(message, this.source)
  }

  alternatives(options: RegexOptions): RegexNode {
    const items = [this.#sequence(options)]
    while (this.source[this.at] === '|') {
      this.at++
      items.push(this.#sequence(options))
    }
    return items.length === 1 ? items[0]! : { type: 'alternatives', items }
  }

  #sequence(options: RegexOptions): RegexNode {
    const items: RegexNode[] = []
    const { source } = this
    while (this.at < source.length && source[this.at] !== '|' && source[this.at] !== ')') {
      if (options.extended && this.#skipExtended()) continue
      const rest = this.#inlineOptions(options)
      if (rest !== undefined) {
        items.push(rest)
        continue
      }
      const atom = this.#atom(options)
      if (atom !== undefined) items.push(this.#quantified(atom, options))
    }
    return items.length === 1 ? items[0]! : { type: 'sequence', items }
  }

  #skipExtended(): boolean {
    const blank = /(?:\s+|#[^\n]*)/y
    blank.lastIndex = this.at
    const match = blank.exec(this.source)
    if (match === null) return false
    this.at += match[0].length
    return true
  }

  /** `(?i)` applies to the rest of the group, including its alternatives. */
  #inlineOptions(options: RegexOptions): RegexNode | undefined {
    const match = /\(\?([imx]*)(?:-([imx]*))?\)/y
    match.lastIndex = this.at
    const found = match.exec(this.source)
    if (found === null) return undefined
    this.at += found[0].length
    return { type: 'group', inner: this.alternatives(withOptions(options, found[1]!, found[2])), number: undefined }
  }

  #atom(options: RegexOptions): RegexNode | undefined {
    const { source } = this
    const code = source.codePointAt(this.at)!
    const char = String.fromCodePoint(code)
    this.at += char.length
    switch (char) {
      case '.':
        return { type: 'any', newline: options.dotAll }
      case '^':
        return { type: 'anchor', kind: 'line-start' }
      case '$':
        return { type: 'anchor', kind: 'line-end' }
      case '(':
        return this.#group(options)
      case '[': {
        const { set, end } = parseClass(source, this.at)
        this.at = end
        return { type: 'class', set, ignoreCase: options.ignoreCase }
      }
      case '\\':
        return this.#escape(options)
      case '*':
      case '+':
      case '?':
        throw this.fail('target of repeat operator is not specified')
      default:
        return { type: 'char', code, ignoreCase: options.ignoreCase }
    }
  }

  #group(options: RegexOptions): RegexNode | undefined {
    const { source } = this
    if (source[this.at] !== '?') {
      const number = this.#hasNames ? undefined : this.groups.push(undefined)
      return { type: 'group', inner: this.#closed(options), number }
    }
    const conditional = this.#conditional(options)
    if (conditional !== undefined) return conditional
    const head = /\?(?:#[^)]*\)|:|>|=|!|<=|<!|<([^>=!][^>]*)>|'([^']+)'|([imx]*)(?:-([imx]*))?:)/y
    head.lastIndex = this.at
    const found = head.exec(source)
    if (found === null) throw this.fail('undefined group option')
    this.at += found[0].length
    const kind = found[0]
    if (kind.startsWith('?#')) return undefined
    const name = found[1] ?? found[2]
    if (name !== undefined) {
      const number = this.groups.push(name)
      return { type: 'group', inner: this.#closed(options), number }
    }
    if (kind === '?:') return { type: 'group', inner: this.#closed(options), number: undefined }
    if (kind === '?>') return { type: 'atomic', inner: this.#closed(options) }
    if (found[3] !== undefined) {
      const inner = this.#closed(withOptions(options, found[3], found[4]))
      return { type: 'group', inner, number: undefined }
    }
    return { type: 'look', behind: kind.includes('<'), negated: kind.includes('!'), inner: this.#closed(options) }
  }

  /** `(?(1)yes|no)` or `(?(<name>)yes|no)` */
  #conditional(options: RegexOptions): RegexNode | undefined {
    const head = /\?\((?:(\d+)|<(?:(\d+)|([^>]+))>|'(?:(\d+)|([^']+))')\)/y
    head.lastIndex = this.at
    const found = head.exec(this.source)
    if (found === null) return undefined
    this.at += found[0].length
    const digits = found[1] ?? found[2] ?? found[4]
    const name = found[3] ?? found[5]
    const number = digits === undefined ? this.groups.indexOf(name) + 1 : Number(digits)
    if (number < 1 || number > this.#groupCount) throw this.fail('invalid backref number/name')
    const body = this.#closed(options)
    const ways = body.type === 'alternatives' ? body.items : [body]
    if (ways.length > 2) throw this.fail('invalid conditional pattern')
    return { type: 'conditional', number, yes: ways[0]!, no: ways[1] ?? { type: 'sequence', items: [] } }
  }

  #closed(options: RegexOptions): RegexNode {
    const inner = this.alternatives(options)
    if (this.source[this.at] !== ')') throw this.fail('end pattern with unmatched parenthesis')
    this.at++
    return inner
  }

  #escape(options: RegexOptions): RegexNode {
    const { source } = this
    const letter = source[this.at++]
    if (letter === undefined) throw this.fail('end pattern at escape')
    const anchor = ANCHORS[letter]
    if (anchor !== undefined) return { type: 'anchor', kind: anchor }
    if ('wdshWDSH'.includes(letter)) {
      const name = letter.toLowerCase() as ClassName
      return namedClass(name, letter !== name, options.ignoreCase)
    }
    if (letter === 'R') return this.#parsed('(?>\\r\\n|[\\n\\v\\f\\r\\u0085\\u2028\\u2029])', options)
    if (letter === 'p' || letter === 'P') return this.#property(letter === 'P', options)
    if (letter === 'k') return this.#namedBackreference(options)
    if (letter === 'K') return { type: 'keep' }
    if (letter === 'X') return { type: 'grapheme' }
    if (letter >= '1' && letter <= '9') return this.#numberedBackreference(letter, options)
    if (letter === 'g') throw this.fail('\\g is not supported')
    this.at--
    const { code, end } = readEscape(source, this.at)
    this.at = end
    return { type: 'char', code, ignoreCase: options.ignoreCase }
  }

  #parsed(source: string, options: RegexOptions): RegexNode {
    return parseRegex(source, options).root
  }

  #property(negated: boolean, options: RegexOptions): RegexNode {
    const found = /\{(\^?)([A-Za-z_ ]+)\}/y
    found.lastIndex = this.at
    const match = found.exec(this.source)
    if (match === null) throw this.fail('invalid character property name')
    this.at += match[0].length
    const inverted = negated !== (match[1] === '^')
    const set = propertyClass(match[2]!, inverted)
    return { type: 'class', set, ignoreCase: options.ignoreCase }
  }

  #namedBackreference({ ignoreCase }: RegexOptions): RegexNode {
    const found = /<([^>]+)>|'([^']+)'/y
    found.lastIndex = this.at
    const match = found.exec(this.source)
    if (match === null) throw this.fail('invalid backref number/name')
    this.at += match[0].length
    const name = match[1] ?? match[2]!
    if (/^\d+$/.test(name)) return this.#numbered(Number(name), ignoreCase)
    if (/^-\d+$/.test(name)) return this.#numbered(this.groups.length + 1 + Number(name), ignoreCase)
    const numbers = this.groups.flatMap((known, index) => (known === name ? [index + 1] : []))
    if (numbers.length === 0) throw this.fail(`undefined name <${name}> reference`)
    return { type: 'backreference', numbers, ignoreCase }
  }

  #numberedBackreference(first: string, options: RegexOptions): RegexNode {
    const digits = first + (/[0-9]*/y.exec(this.source.slice(this.at))?.[0] ?? '')
    const number = Number(digits)
    // A number larger than the number of groups is an octal character code.
    const octal = number > 9 && number > this.#groupCount ? /^[0-3]?[0-7]{1,2}/.exec(digits)?.[0] : undefined
    if (octal !== undefined) {
      this.at += octal.length - 1
      return { type: 'char', code: Number.parseInt(octal, 8), ignoreCase: options.ignoreCase }
    }
    const taken = number > 9 && number > this.#groupCount ? first : digits
    this.at += taken.length - 1
    return this.#numbered(Number(taken), options.ignoreCase)
  }

  #numbered(number: number, ignoreCase: boolean): RegexNode {
    if (this.#hasNames) throw this.fail('numbered backref/call is not allowed. (use name)')
    if (number < 1 || number > this.#groupCount) throw this.fail('invalid backref number/name')
    return { type: 'backreference', numbers: [number], ignoreCase }
  }

  #quantified(atom: RegexNode, options: RegexOptions): RegexNode {
    let node = atom
    for (;;) {
      if (options.extended) while (this.#skipExtended());
      const found = QUANTIFIER
      found.lastIndex = this.at
      const match = found.exec(this.source)
      if (match === null) return node
      this.at += match[0].length
      const [whole, simple, exact, from, to, suffix] = match
      const min = simple === undefined ? Number(exact ?? (from || 0)) : simple === '+' ? 1 : 0
      const max = simple === undefined ? maxOf(exact, to) : simple === '?' ? 1 : Number.POSITIVE_INFINITY
      // After an interval a plus is another repetition and not possessive, in Ruby's syntax.
      const isInterval = whole.startsWith('{')
      if (suffix === '?' && exact !== undefined) {
        // A question mark after an exact count makes the whole optional.
        const counted: RegexNode = { type: 'repeat', inner: node, min, max, mode: 'greedy' }
        node = { type: 'repeat', inner: counted, min: 0, max: 1, mode: 'greedy' }
        continue
      }
      const mode = suffix === '?' ? 'lazy' : suffix === '+' && !isInterval ? 'possessive' : 'greedy'
      node = { type: 'repeat', inner: node, min, max, mode }
      if (suffix === '+' && isInterval) node = { type: 'repeat', inner: node, min: 1, max: Infinity, mode: 'greedy' }
    }
  }
}

const QUANTIFIER = /(?:([*+?])|\{(?:(\d+)|(\d*),(\d*))(?<!\{,)\})([?+]?)/y

function maxOf(exact: string | undefined, to: string | undefined): number {
  if (exact !== undefined) return Number(exact)
  return to === undefined || to === '' ? Number.POSITIVE_INFINITY : Number(to)
}

const ANCHORS: Readonly<Record<string, AnchorKind>> = {
  A: 'text-start',
  z: 'text-end',
  Z: 'text-end-or-newline',
  b: 'word',
  B: 'not-word',
  G: 'search-start',
}

function namedClass(name: ClassName, negated: boolean, ignoreCase: boolean): RegexNode {
  return { type: 'class', set: { type: 'named', name, negated }, ignoreCase }
}

function withOptions(options: RegexOptions, on: string, off = ''): RegexOptions {
  const pick = (letter: string, value: boolean) => (on.includes(letter) ? true : off.includes(letter) ? false : value)
  return {
    ignoreCase: pick('i', options.ignoreCase),
    dotAll: pick('m', options.dotAll),
    extended: pick('x', options.extended),
  }
}
