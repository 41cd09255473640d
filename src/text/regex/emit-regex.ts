/**
 * Emits a Ruby expression as a JavaScript expression, in one of two forms.
 *
 * The ASCII form is for texts of ASCII only, which are nearly all log lines: word boundaries are native, every class is
 * a list of ranges, and no Unicode mode slows the engine down. The Unicode form gives the same results for any text.
 */
import { asciiClass, UNICODE_WORD, unicodeClass } from './emit-class.ts'
import type { AnchorKind, RegexNode, RegexTree } from './regex-tree.ts'

export type RegexForm = 'ascii' | 'unicode'

export interface EmittedRegex {
  readonly source: string
  readonly flags: string
  /** JavaScript's group number of each Ruby group. They differ, because atomic groups need additional groups. */
  readonly groupNumbers: readonly number[]
  /** Repetitions that contain captures. */
  readonly loops: readonly CapturingLoop[]
}

/**
 * A repetition with captures inside. JavaScript resets them at the start of every iteration, where Ruby keeps earlier
 * captures. The whole repetition is therefore captured too, and its iterations are matched again.
 */
export interface CapturingLoop {
  /** The group that captures the whole repetition. */
  readonly whole: number
  /** One iteration. */
  readonly round: EmittedRegex
  /** The Ruby groups inside, from 0, in the order of the groups of `round`. */
  readonly rubyGroups: readonly number[]
}

export function emitRegex(tree: RegexTree, form: RegexForm): EmittedRegex {
  const emitter = new Emitter(form, tree.groups.length)
  const source = emitter.emit(tree.root)
  return { source, flags: form === 'ascii' ? '' : 'u', groupNumbers: emitter.groupNumbers, loops: emitter.loops }
}

class Emitter {
  readonly #form: RegexForm
  #groupCount = 0
  readonly groupNumbers: number[]
  readonly loops: CapturingLoop[] = []

  constructor(form: RegexForm, rubyGroupCount: number) {
    this.#form = form
    this.groupNumbers = new Array<number>(rubyGroupCount).fill(0)
  }

  emit(node: RegexNode): string {
    switch (node.type) {
      case 'alternatives':
        return node.items.map((item) => this.emit(item)).join('|')
      case 'sequence':
        return node.items.map((item) => this.#item(item)).join('')
      case 'char':
        return this.#char(node.code, node.ignoreCase)
      case 'any':
        return node.newline ? (this.#form === 'ascii' ? '[^]' : '[\\s\\S]') : '[^\\n]'
      case 'class':
        return this.#form === 'ascii' ? asciiClass(node.set, node.ignoreCase) : unicodeClass(node.set, node.ignoreCase)
      case 'anchor':
        return this.#anchor(node.kind)
      case 'group':
        return this.#group(node.inner, node.number)
      case 'atomic':
        return this.#atomic(node.inner)
      case 'look':
        return `(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}${this.emit(node.inner)})`
      case 'repeat':
        return this.#repeat(node)
      case 'backreference':
        return this.#backreference(node.numbers)
    }
  }

  /** Alternatives inside a sequence need parentheses. */
  #item(node: RegexNode): string {
    return node.type === 'alternatives' ? `(?:${this.emit(node)})` : this.emit(node)
  }

  #group(inner: RegexNode, number: number | undefined): string {
    if (number === undefined) return `(?:${this.emit(inner)})`
    this.groupNumbers[number - 1] = ++this.#groupCount
    return `(${this.emit(inner)})`
  }

  /** A look-ahead never backtracks, so a back reference to its capture matches atomically. */
  #atomic(inner: RegexNode): string {
    const number = ++this.#groupCount
    return `(?=(${this.emit(inner)}))\\${number}(?:)`
  }

  #repeat(node: Extract<RegexNode, { type: 'repeat' }>): string {
    const inside = node.max > 1 ? groupsIn(node.inner) : []
    if (inside.length > 0 && node.mode === 'greedy') return this.#loop(node, inside)
    const possessive = node.mode === 'possessive'
    const number = possessive ? ++this.#groupCount : 0
    const inner = this.emit(node.inner)
    const atom = isSingle(node.inner) ? inner : `(?:${inner})`
    const repeated = `${atom}${quantifier(node.min, node.max)}${node.mode === 'lazy' ? '?' : ''}`
    return possessive ? `(?=(${repeated}))\\${number}(?:)` : repeated
  }

  #loop(node: Extract<RegexNode, { type: 'repeat' }>, inside: readonly number[]): string {
    const whole = ++this.#groupCount
    const source = `((?:${this.emit(node.inner)})${quantifier(node.min, node.max)})`
    const alone = new Emitter(this.#form, this.groupNumbers.length)
    const round = alone.emit(node.inner)
    this.loops.push({
      whole,
      round: { source: round, flags: this.#form === 'ascii' ? 'y' : 'uy', groupNumbers: alone.groupNumbers, loops: [] },
      rubyGroups: inside,
    })
    return source
  }

  #backreference(numbers: readonly number[]): string {
    // In JavaScript a group that did not match matches the empty string, so the references can be concatenated.
    return `(?:${numbers.map((number) => `\\${this.groupNumbers[number - 1] ?? 0}`).join('')})`
  }

  #anchor(kind: AnchorKind): string {
    switch (kind) {
      case 'line-start':
        return '(?<![^\\n])'
      case 'line-end':
        return '(?![^\\n])'
      case 'text-start':
        return '^'
      case 'text-end':
        return '$'
      case 'text-end-or-newline':
        return '(?=\\n?$)'
      case 'word':
        return this.#form === 'ascii' ? '\\b' : `(?:${WORD_EDGE})`
      case 'not-word':
        return this.#form === 'ascii' ? '\\B' : `(?!${WORD_EDGE})`
    }
  }

  #char(code: number, ignoreCase: boolean): string {
    const text = String.fromCodePoint(code)
    const other = ignoreCase ? otherCase(text) : text
    const escaped = this.#escapeChar(code)
    return other === text ? escaped : `[${text}${other}]`
  }

  #escapeChar(code: number): string {
    if (code > 0xffff) return this.#form === 'unicode' ? `\\u{${code.toString(16)}}` : String.fromCodePoint(code)
    const text = String.fromCharCode(code)
    if (/[\^$\\.*+?()[\]{}|/]/.test(text)) return `\\${text}`
    return code < 32 || code > 126 ? `\\u${code.toString(16).padStart(4, '0')}` : text
  }
}

const WORD_EDGE = `(?<=${UNICODE_WORD})(?!${UNICODE_WORD})|(?<!${UNICODE_WORD})(?=${UNICODE_WORD})`

/** The Ruby groups inside a node, from 0. */
function groupsIn(node: RegexNode): number[] {
  switch (node.type) {
    case 'alternatives':
    case 'sequence':
      return node.items.flatMap(groupsIn)
    case 'group':
      return [...(node.number === undefined ? [] : [node.number - 1]), ...groupsIn(node.inner)]
    case 'atomic':
    case 'look':
    case 'repeat':
      return groupsIn(node.inner)
    default:
      return []
  }
}

function otherCase(text: string): string {
  const lower = text.toLowerCase()
  const other = lower === text ? text.toUpperCase() : lower
  return [...other].length === 1 ? other : text
}

function isSingle(node: RegexNode): boolean {
  return node.type === 'char' || node.type === 'any' || node.type === 'class' || node.type === 'group'
}

function quantifier(min: number, max: number): string {
  if (min === 0 && max === Number.POSITIVE_INFINITY) return '*'
  if (min === 1 && max === Number.POSITIVE_INFINITY) return '+'
  if (min === 0 && max === 1) return '?'
  if (max === Number.POSITIVE_INFINITY) return `{${min},}`
  return min === max ? `{${min}}` : `{${min},${max}}`
}
