/**
 * Lucene's regular expressions, matched by derivatives: what is left of an expression after a character is again an
 * expression. Union, intersection and complement are then handled alike, no input makes matching slow, and equal
 * expressions are one object, so that the steps form a small automaton built on demand.
 */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { nestedByClient } from '../../../base/errors/overflow.ts'

/** An expression. `nullable` means that it matches the empty text. */
interface Node {
  readonly id: number
  readonly nullable: boolean
  readonly kind: 'none' | 'empty' | 'set' | 'concat' | 'union' | 'intersect' | 'repeat' | 'not'
  readonly parts: readonly Node[]
  /** Ascending, disjoint code point ranges of a set. */
  readonly ranges: readonly number[]
  readonly steps: Map<number, Node>
}

const STATES_MAX = 10_000
/** Maximum parts of expressions that are visited while new ones are built. */
const EFFORT_MAX = 1_000_000
const LAST = 0x10ffff

/** The optional syntax: complement, intersection, any string, nothing, numeric intervals. */
export interface RegExpFlags {
  readonly complement: boolean
  readonly empty: boolean
  readonly intersection: boolean
  readonly interval: boolean
  readonly anyString: boolean
}

export const ALL_FLAGS: RegExpFlags = {
  complement: true,
  empty: true,
  intersection: true,
  interval: true,
  anyString: true,
}

export class LuceneRegExp {
  readonly #nodes = new Map<string, Node>()
  readonly #start: Node
  readonly #fold: boolean
  readonly #effort: Effort

  constructor(pattern: string, flags: RegExpFlags, caseInsensitive: boolean) {
    this.#fold = caseInsensitive
    this.#effort = new Effort(pattern)
    this.#start = nestedByClient(() => new Parser(pattern, flags, this.#build()).parse())
  }

  /** The text with which every match starts. */
  get literalPrefix(): string {
    return nestedByClient(() => this.#literalPrefix())
  }

  #literalPrefix(): string {
    if (this.#fold) return ''
    let prefix = ''
    let node = this.#start
    while (!node.nullable && prefix.length < 64) {
      const only = onlyFirst(node)
      if (only === undefined) break
      prefix += String.fromCodePoint(only)
      node = this.#step(node, only)
    }
    return prefix
  }

  matches(text: string): boolean {
    return nestedByClient(() => this.#matches(text))
  }

  #matches(text: string): boolean {
    let node = this.#start
    for (const character of text) {
      node = this.#step(node, character.codePointAt(0)!)
      if (node.kind === 'none') return false
    }
    return node.nullable
  }

  #step(node: Node, code: number): Node {
    let next = node.steps.get(code)
    if (next === undefined) {
      this.#effort.states(this.#nodes.size)
      next = this.#derive(node, code)
      node.steps.set(code, next)
    }
    return next
  }

  #derive(node: Node, code: number): Node {
    const make = this.#build()
    switch (node.kind) {
      case 'none':
      case 'empty':
        return make.none
      case 'set':
        return inRanges(node.ranges, code) ? make.empty : make.none
      case 'concat': {
        const [first, rest] = node.parts as [Node, Node]
        const stepped = make.concat(this.#step(first, code), rest)
        return first.nullable ? make.union([stepped, this.#step(rest, code)]) : stepped
      }
      case 'repeat':
        return make.concat(this.#step(node.parts[0]!, code), node)
      case 'not':
        return make.not(this.#step(node.parts[0]!, code))
      case 'union':
        return make.union(node.parts.map((part) => this.#step(part, code)))
      case 'intersect':
        return make.intersect(node.parts.map((part) => this.#step(part, code)))
    }
  }

  #build(): Builder {
    return new Builder(this.#nodes, this.#fold, this.#effort)
  }
}

/** The only character with which a match can start, if there is only one. */
function onlyFirst(node: Node): number | undefined {
  switch (node.kind) {
    case 'set':
      return node.ranges.length === 2 && node.ranges[0] === node.ranges[1] ? node.ranges[0] : undefined
    case 'concat':
      return node.parts[0]!.nullable ? undefined : onlyFirst(node.parts[0]!)
    default:
      return undefined
  }
}

function inRanges(ranges: readonly number[], code: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (code >= ranges[i]! && code <= ranges[i + 1]!) return true
  return false
}

/** The effort that an expression may cost before it is rejected, like Lucene's limit for determinizing automata. */
class Effort {
  readonly #pattern: string
  #left = EFFORT_MAX

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  spend(parts: number): void {
    this.#left -= parts
    if (this.#left < 0) throw this.tooComplex()
  }

  states(count: number): void {
    if (count > STATES_MAX) throw this.tooComplex()
  }

  tooComplex(): ApiError {
    const shown = this.#pattern.slice(0, 1_000)
    const reason = `Determinizing ${shown} would require more than ${STATES_MAX} effort.`
    return new ApiError(400, 'too_complex_to_determinize_exception', reason)
  }
}

/** Creates expressions, each only once. */
class Builder {
  readonly #effort: Effort
  readonly #nodes: Map<string, Node>
  readonly #fold: boolean
  readonly none: Node
  readonly empty: Node
  readonly anyString: Node

  constructor(nodes: Map<string, Node>, fold: boolean, effort: Effort) {
    this.#nodes = nodes
    this.#effort = effort
    this.#fold = fold
    this.none = this.#node('none', false, [], [])
    this.empty = this.#node('empty', true, [], [])
    this.anyString = this.repeat(this.set([0, LAST]))
  }

  tooComplex(): ApiError {
    return this.#effort.tooComplex()
  }

  set(ranges: readonly number[]): Node {
    return ranges.length === 0 ? this.none : this.#node('set', false, [], ranges)
  }

  character(code: number): Node {
    if (!this.#fold) return this.set([code, code])
    const lower = String.fromCodePoint(code).toLowerCase().codePointAt(0)!
    const upper = String.fromCodePoint(code).toUpperCase().codePointAt(0)!
    return lower === upper ? this.set([code, code]) : this.union([this.set([lower, lower]), this.set([upper, upper])])
  }

  text(text: string): Node {
    return [...text].reduceRight((rest, c) => this.concat(this.character(c.codePointAt(0)!), rest), this.empty)
  }

  concat(first: Node, rest: Node): Node {
    if (first.kind === 'none' || rest.kind === 'none') return this.none
    if (first.kind === 'empty') return rest
    if (rest.kind === 'empty') return first
    if (first.kind === 'concat') {
      this.#effort.spend(1)
      return this.concat(first.parts[0]!, this.concat(first.parts[1]!, rest))
    }
    return this.#node('concat', first.nullable && rest.nullable, [first, rest], [])
  }

  union(parts: readonly Node[]): Node {
    const flat = new Map<number, Node>()
    for (const part of parts) for (const one of part.kind === 'union' ? part.parts : [part]) flat.set(one.id, one)
    flat.delete(this.none.id)
    const sorted = [...flat.values()].sort((a, b) => a.id - b.id)
    if (sorted.length === 0) return this.none
    if (sorted.length === 1) return sorted[0]!
    return this.#node(
      'union',
      sorted.some((part) => part.nullable),
      sorted,
      [],
    )
  }

  intersect(parts: readonly Node[]): Node {
    const flat = new Map<number, Node>()
    for (const part of parts) for (const one of part.kind === 'intersect' ? part.parts : [part]) flat.set(one.id, one)
    if (flat.has(this.none.id)) return this.none
    const sorted = [...flat.values()].sort((a, b) => a.id - b.id)
    if (sorted.length === 1) return sorted[0]!
    return this.#node(
      'intersect',
      sorted.every((part) => part.nullable),
      sorted,
      [],
    )
  }

  repeat(part: Node): Node {
    if (part.kind === 'none' || part.kind === 'empty') return this.empty
    return part.kind === 'repeat' ? part : this.#node('repeat', true, [part], [])
  }

  not(part: Node): Node {
    return part.kind === 'not' ? part.parts[0]! : this.#node('not', !part.nullable, [part], [])
  }

  /** `part` at least `low` and at most `high` times. */
  times(part: Node, low: number, high: number | undefined): Node {
    let result = high === undefined ? this.repeat(part) : this.empty
    for (let i = low; i < (high ?? low); i++) result = this.union([this.empty, this.concat(part, result)])
    for (let i = 0; i < low; i++) result = this.concat(part, result)
    return result
  }

  #node(kind: Node['kind'], nullable: boolean, parts: readonly Node[], ranges: readonly number[]): Node {
    this.#effort.spend(1 + parts.length)
    this.#effort.states(this.#nodes.size)
    const key = `${kind}:${parts.map((part) => part.id).join(',')}:${ranges.join(',')}`
    let node = this.#nodes.get(key)
    if (node === undefined) {
      node = { id: this.#nodes.size, nullable, kind, parts, ranges, steps: new Map() }
      this.#nodes.set(key, node)
    }
    return node
  }
}

class Parser {
  readonly #text: readonly string[]
  readonly #flags: RegExpFlags
  readonly #make: Builder
  #at: number

  constructor(pattern: string, flags: RegExpFlags, make: Builder) {
    this.#text = [...pattern]
    this.#flags = flags
    this.#make = make
    this.#at = 0
  }

  parse(): Node {
    if (this.#text.length === 0) return this.#make.empty
    const node = this.#union()
    if (this.#at < this.#text.length) throw illegalArgument(`end-of-string expected at position ${this.#at}`)
    return node
  }

  #union(): Node {
    const first = this.#intersection()
    return this.#take('|') ? this.#make.union([first, this.#union()]) : first
  }

  #intersection(): Node {
    const first = this.#concatenation()
    if (!this.#flags.intersection || !this.#take('&')) return first
    return this.#make.intersect([first, this.#intersection()])
  }

  #concatenation(): Node {
    const first = this.#repetition()
    const ends = this.#flags.intersection ? ')|&' : ')|'
    if (this.#at >= this.#text.length || ends.includes(this.#text[this.#at]!)) return first
    return this.#make.concat(first, this.#concatenation())
  }

  #repetition(): Node {
    let node = this.#complement()
    for (;;) {
      if (this.#take('?')) node = this.#make.union([this.#make.empty, node])
      else if (this.#take('*')) node = this.#make.repeat(node)
      else if (this.#take('+')) node = this.#make.concat(node, this.#make.repeat(node))
      else if (this.#take('{')) node = this.#counted(node)
      else return node
    }
  }

  #counted(node: Node): Node {
    const low = this.#digits()
    if (low === undefined) throw illegalArgument(`integer expected at position ${this.#at}`)
    let high: number | undefined = low
    if (this.#take(',')) high = this.#digits()
    if (!this.#take('}')) throw illegalArgument(`expected '}' at position ${this.#at}`)
    if (high !== undefined && low > high) {
      throw illegalArgument(`invalid repetition range(out of order): ${low}..${high}`)
    }
    if ((high ?? low) > 1000) throw this.#make.tooComplex()
    return this.#make.times(node, low, high)
  }

  #digits(): number | undefined {
    const start = this.#at
    while (this.#at < this.#text.length && /[0-9]/.test(this.#text[this.#at]!)) this.#at++
    return this.#at === start ? undefined : Number(this.#text.slice(start, this.#at).join(''))
  }

  #complement(): Node {
    return this.#flags.complement && this.#take('~') ? this.#make.not(this.#complement()) : this.#characterClass()
  }

  #characterClass(): Node {
    if (!this.#take('[')) return this.#simple()
    const negated = this.#take('^')
    const parts = [this.#classRange()]
    while (this.#at < this.#text.length && this.#text[this.#at] !== ']') parts.push(this.#classRange())
    if (!this.#take(']')) throw illegalArgument(`expected ']' at position ${this.#at}`)
    const set = this.#make.union(parts)
    return negated ? this.#make.intersect([this.#make.set([0, LAST]), this.#make.not(set)]) : set
  }

  #classRange(): Node {
    const shorthand = this.#shorthand()
    if (shorthand !== undefined) return shorthand
    const from = this.#character()
    if (!this.#take('-')) return this.#make.character(from)
    const to = this.#character()
    if (from > to) throw illegalArgument(`invalid range: from (${from}) cannot be > to (${to})`)
    return this.#make.set([from, to])
  }

  /** `\d`, `\s`, `\w` and their negations. */
  #shorthand(): Node | undefined {
    if (this.#text[this.#at] !== '\\') return undefined
    const ranges = SHORTHANDS[this.#text[this.#at + 1]?.toLowerCase() ?? '']
    if (ranges === undefined) return undefined
    const letter = this.#text[this.#at + 1]!
    this.#at += 2
    const set = this.#make.set(ranges)
    if (letter === letter.toLowerCase()) return set
    return this.#make.intersect([this.#make.set([0, LAST]), this.#make.not(set)])
  }

  #simple(): Node {
    const make = this.#make
    const { empty, anyString, interval } = this.#flags
    if (this.#take('.')) return make.set([0, LAST])
    if (empty && this.#take('#')) return make.none
    if (anyString && this.#take('@')) return make.anyString
    if (this.#take('"')) {
      const start = this.#at
      while (this.#at < this.#text.length && this.#text[this.#at] !== '"') this.#at++
      if (!this.#take('"')) throw illegalArgument(`expected '"' at position ${this.#at}`)
      return make.text(this.#text.slice(start, this.#at - 1).join(''))
    }
    if (this.#take('(')) {
      if (this.#take(')')) return make.empty
      const node = this.#union()
      if (!this.#take(')')) throw illegalArgument(`expected ')' at position ${this.#at}`)
      return node
    }
    if (interval && this.#take('<')) return this.#interval()
    return this.#shorthand() ?? make.character(this.#character())
  }

  /** `<7-20>`: numbers, with leading zeros if both bounds have the same number of digits. */
  #interval(): Node {
    const start = this.#at
    while (this.#at < this.#text.length && this.#text[this.#at] !== '>') this.#at++
    if (!this.#take('>')) throw illegalArgument(`expected '>' at position ${this.#at}`)
    const inside = this.#text.slice(start, this.#at - 1).join('')
    const bounds = /^(\d+)-(\d+)$/.exec(inside)
    if (bounds === null) throw illegalArgument(`interval syntax error at position ${this.#at - 1}`)
    const [low, high] = [Number(bounds[1]), Number(bounds[2])].sort((a, b) => a - b) as [number, number]
    if (high - low > 10_000) throw this.#make.tooComplex()
    const digits = bounds[1]!.length === bounds[2]!.length ? bounds[1]!.length : 0
    const make = this.#make
    const numbers: Node[] = []
    for (let n = low; n <= high; n++) {
      const text = make.text(String(n).padStart(digits, '0'))
      numbers.push(digits > 0 ? text : make.concat(make.repeat(make.character(0x30)), text))
    }
    return make.union(numbers)
  }

  #character(): number {
    this.#take('\\')
    const character = this.#text[this.#at]
    if (character === undefined) throw illegalArgument('unexpected end-of-string')
    this.#at++
    return character.codePointAt(0)!
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }
}

const SHORTHANDS: Readonly<Record<string, readonly number[]>> = {
  d: [0x30, 0x39],
  s: [0x09, 0x0a, 0x0d, 0x0d, 0x20, 0x20],
  w: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
}
