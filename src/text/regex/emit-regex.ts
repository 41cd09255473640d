/**
 * Emits a Ruby expression as a JavaScript expression, in one of two forms.
 *
 * The ASCII form is for texts of ASCII only, which are nearly all log lines: word boundaries are native, every class is
 * a list of ranges, and no Unicode mode slows the engine down. The Unicode form gives the same results for any text.
 */
import { isNullable } from './backtracking.ts'
import { caseVariants } from './case-variants.ts'
import { asciiClass, hasCasedNames, UNICODE_WORD, unicodeClass } from './emit-class.ts'
import type { AnchorKind, RegexNode, RegexTree } from './regex-tree.ts'

export type RegexForm = 'ascii' | 'unicode'

export interface EmittedRegex {
  readonly source: string
  readonly flags: string
  /** JavaScript's group number of each Ruby group. They differ, because atomic groups need additional groups. */
  readonly groupNumbers: readonly number[]
  /** Whether JavaScript's matches and groups are sure to be Ruby's. Otherwise the text is searched stepwise. */
  readonly isExact: boolean
}

export function emitRegex(tree: RegexTree, form: RegexForm): EmittedRegex {
  const emitter = new Emitter(form, tree.groups.length)
  const source = emitter.emit(tree.root)
  return { source, flags: form === 'ascii' ? '' : 'u', groupNumbers: emitter.groupNumbers, isExact: emitter.isExact }
}

class Emitter {
  readonly #form: RegexForm
  #groupCount = 0
  readonly groupNumbers: number[]
  isExact = true

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
        if (node.ignoreCase && hasCasedNames(node.set)) this.isExact = false
        return this.#form === 'ascii' ? asciiClass(node.set, node.ignoreCase) : unicodeClass(node.set, node.ignoreCase)
      case 'anchor':
        return this.#anchor(node.kind)
      case 'group':
        return this.#group(node.inner, node.number)
      case 'atomic':
        return this.#atomic(node.inner)
      case 'look':
        return this.#look(node)
      case 'repeat':
        return this.#repeat(node)
      case 'backreference':
      case 'conditional':
      case 'keep':
      case 'grapheme':
        this.isExact = false
        return ''
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

  /** JavaScript matches look-behinds from right to left, which makes no difference to whether they match. */
  #look(node: Extract<RegexNode, { type: 'look' }>): string {
    if (node.behind && (groupsIn(node.inner).length > 0 || isOneWay(node.inner))) this.isExact = false
    return `(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}${this.emit(node.inner)})`
  }

  /**
   * JavaScript forgets the groups of earlier iterations, and takes back an iteration of no length. Both make no
   * difference where every iteration has a length and sets all of its groups.
   */
  #repeat(node: Extract<RegexNode, { type: 'repeat' }>): string {
    const { inner: body, min, max, mode } = node
    const groups = groupsIn(body).length
    if (isNullable(body) && (groups > 0 || !endsWithNothing(body))) this.isExact = false
    if (max > 1 && groups > 0 && maySkipGroup(body)) this.isExact = false
    const possessive = mode === 'possessive'
    const number = possessive ? ++this.#groupCount : 0
    const inner = this.emit(body)
    const atom = isSingle(body) ? inner : `(?:${inner})`
    const repeated = `${atom}${quantifier(min, max)}${mode === 'lazy' ? '?' : ''}`
    return possessive ? `(?=(${repeated}))\\${number}(?:)` : repeated
  }

  #anchor(kind: AnchorKind): string {
    switch (kind) {
      case 'line-start':
        // Not at the end of the text, unless the text is empty.
        return '(?<![^\\n])(?:(?=[^])|(?<![^]))'
      case 'search-start':
        this.isExact = false
        return ''
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
    const escaped = this.#escapeChar(code)
    if (!ignoreCase) return escaped
    // The ASCII form is for texts of ASCII only.
    const variants = caseVariants(code).filter((one) => this.#form === 'unicode' || one < 128)
    if (variants.length === 0) return '[]'
    return variants.length === 1 && variants[0] === code ? escaped : `[${variants.map(rangeEnd).join('')}]`
  }

  #escapeChar(code: number): string {
    if (code > 0xffff) return this.#form === 'unicode' ? `\\u{${code.toString(16)}}` : String.fromCodePoint(code)
    const text = String.fromCharCode(code)
    if (/[\^$\\.*+?()[\]{}|/]/.test(text)) return `\\${text}`
    return code < 32 || code > 126 ? `\\u${code.toString(16).padStart(4, '0')}` : text
  }
}

const WORD_EDGE = `(?<=${UNICODE_WORD})(?!${UNICODE_WORD})|(?<!${UNICODE_WORD})(?=${UNICODE_WORD})`

/** Whether a match of the node may leave out one of its groups. */
function maySkipGroup(node: RegexNode): boolean {
  switch (node.type) {
    case 'alternatives':
      return node.items.length > 1 && groupsIn(node).length > 0
    case 'sequence':
      return node.items.some(maySkipGroup)
    case 'group':
    case 'atomic':
      return maySkipGroup(node.inner)
    case 'look':
      return node.negated ? groupsIn(node.inner).length > 0 : maySkipGroup(node.inner)
    case 'repeat':
      return (node.min === 0 && groupsIn(node.inner).length > 0) || maySkipGroup(node.inner)
    default:
      return false
  }
}

/**
 * Whether the last way in which the node matches is the one of no length. A loop then ends there in both languages: in
 * Ruby because it does after an iteration of no length, in JavaScript because nothing else is left to try.
 */
function endsWithNothing(node: RegexNode): boolean {
  switch (node.type) {
    case 'sequence':
      return node.items.every((item) => !isNullable(item) || endsWithNothing(item))
    case 'alternatives':
      return node.items.every((item, i) => (i === node.items.length - 1 ? endsWithNothing(item) : !isNullable(item)))
    case 'group':
      return endsWithNothing(node.inner)
    case 'repeat':
      return node.mode === 'greedy' && (!isNullable(node.inner) || endsWithNothing(node.inner))
    case 'anchor':
      return true
    case 'look':
      return groupsIn(node.inner).length === 0
    default:
      return !isNullable(node)
  }
}

/** Whether a part of the node never gives back what it has matched, so that the direction matters. */
function isOneWay(node: RegexNode): boolean {
  switch (node.type) {
    case 'alternatives':
    case 'sequence':
      return node.items.some(isOneWay)
    case 'atomic':
      return true
    case 'repeat':
      return node.mode === 'possessive' || isOneWay(node.inner)
    case 'group':
    case 'look':
      return isOneWay(node.inner)
    default:
      return false
  }
}

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
    case 'conditional':
      return [...groupsIn(node.yes), ...groupsIn(node.no)]
    default:
      return []
  }
}

const rangeEnd = (code: number) =>
  code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`

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
