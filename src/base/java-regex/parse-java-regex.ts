/** Parses a pattern in the syntax of `java.util.regex` into a tree. */
import { ANY, LINE_TERMINATORS } from './char-properties.ts'
import { CharSet } from './char-set.ts'
import {
  CASE_INSENSITIVE,
  COMMENTS,
  DOTALL,
  FLAGS_BY_LETTER,
  LITERAL,
  MULTILINE,
  UNICODE_CASE,
  UNICODE_CHARACTER_CLASS,
  UNIX_LINES,
} from './flags.ts'
import { literalSet, parseClass } from './parse-class.ts'
import { parseCharEscape, parseSetEscape } from './parse-escape.ts'
import { PatternCursor } from './pattern-cursor.ts'
import { type Assertion, children, type RegexNode } from './regex-tree.ts'

export interface ParsedRegex {
  readonly root: RegexNode
  /** The number of capturing groups, not counting group 0. */
  readonly groupCount: number
  readonly groupNames: ReadonlyMap<string, number>
}

/**
 * Maximum nesting of groups. Java overflows its stack beyond a thousand levels; this limit keeps ours from overflowing.
 */
const MAX_DEPTH = 250
const MAX_COUNT = 0x7fffffff

const UNIX_TERMINATOR = CharSet.range(0x0a, 0x0a)
const LINE_BREAK: RegexNode = {
  kind: 'choice',
  branches: [
    {
      kind: 'sequence',
      items: [
        { kind: 'set', set: CharSet.range(0x0d, 0x0d) },
        { kind: 'set', set: CharSet.range(0x0a, 0x0a) },
      ],
    },
    { kind: 'set', set: CharSet.ranges(0x0a, 0x0d, 0x85, 0x85, 0x2028, 0x2029) },
  ],
}

export function parseJavaRegex(pattern: string, flags = 0): ParsedRegex {
  return new Parser(pattern, flags).parse()
}

class Parser {
  private readonly cursor: PatternCursor
  private flags: number
  private groupCount = 0
  private depth = 0
  private readonly groupNames = new Map<string, number>()

  constructor(pattern: string, flags: number) {
    this.cursor = new PatternCursor(pattern)
    this.flags = flags & UNICODE_CHARACTER_CLASS ? flags | UNICODE_CASE : flags
  }

  parse(): ParsedRegex {
    const { cursor } = this
    const root = this.has(LITERAL) ? this.quoted(cursor.pattern) : this.choice()
    if (!this.has(LITERAL) && !cursor.isDone) throw cursor.error("Unmatched closing ')'", cursor.at - 1)
    return { root, groupCount: this.groupCount, groupNames: this.groupNames }
  }

  private has(flag: number): boolean {
    return (this.flags & flag) !== 0
  }

  /** Parses branches up to a closing parenthesis or the end. */
  private choice(): RegexNode {
    if (++this.depth > MAX_DEPTH) throw this.cursor.error('Groups are nested too deeply')
    const branches = [this.sequence()]
    while (this.cursor.take('|')) branches.push(this.sequence())
    this.depth--
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches }
  }

  private sequence(): RegexNode {
    const items: RegexNode[] = []
    const { cursor } = this
    for (;;) {
      if (this.has(COMMENTS)) cursor.skipComments()
      if (cursor.isDone || cursor.looksAt('|') || cursor.looksAt(')')) break
      if (cursor.take('\\Q')) {
        this.quotation(items)
        continue
      }
      const atom = this.atom()
      if (atom !== undefined) items.push(this.repeated(atom))
    }
    return items.length === 1 ? items[0]! : { kind: 'sequence', items }
  }

  /** Parses `\Q…\E`. A quantifier after it applies to its last character. */
  private quotation(items: RegexNode[]): void {
    const { cursor } = this
    const close = cursor.pattern.indexOf('\\E', cursor.at)
    const text = cursor.pattern.slice(cursor.at, close < 0 ? undefined : close)
    cursor.at = close < 0 ? cursor.pattern.length : close + 2
    const chars = [...text].map((char): RegexNode => ({ kind: 'set', set: this.literal(char.codePointAt(0)!) }))
    const last = chars.pop()
    items.push(...chars)
    if (last !== undefined) items.push(this.repeated(last))
  }

  private quoted(text: string): RegexNode {
    return {
      kind: 'sequence',
      items: [...text].map((char) => ({ kind: 'set', set: this.literal(char.codePointAt(0)!) })),
    }
  }

  private literal(codePoint: number): CharSet {
    return literalSet(codePoint, this.flags)
  }

  /** Undefined for constructs that match nothing by themselves, such as `(?i)`. */
  private atom(): RegexNode | undefined {
    const { cursor } = this
    const start = cursor.at
    const char = String.fromCodePoint(cursor.next())
    switch (char) {
      case '(':
        return this.group()
      case '[':
        return { kind: 'set', set: parseClass(cursor, this.flags) }
      case '\\':
        return this.escape()
      case '^':
        return assertion(!this.has(MULTILINE) ? 'input-begin' : this.has(UNIX_LINES) ? 'unix-line-begin' : 'line-begin')
      case '$':
        if (this.has(MULTILINE)) return assertion(this.has(UNIX_LINES) ? 'unix-line-end' : 'line-end')
        return assertion(this.has(UNIX_LINES) ? 'unix-last-line-end' : 'last-line-end')
      case '.':
        return { kind: 'set', set: this.dot() }
      case '*':
      case '+':
      case '?':
        throw cursor.error(`Dangling meta character '${char}'`, start)
      case '{':
        // A numeric brace expression at this place would quantify nothing. Java ignores it.
        cursor.at = start
        this.counts()
        return undefined
      default:
        return { kind: 'set', set: this.literal(char.codePointAt(0)!) }
    }
  }

  private dot(): CharSet {
    if (this.has(DOTALL)) return ANY
    return (this.has(UNIX_LINES) ? UNIX_TERMINATOR : LINE_TERMINATORS).negate()
  }

  private escape(): RegexNode {
    const { cursor } = this
    const set = parseSetEscape(cursor, this.flags)
    if (set !== undefined) return { kind: 'set', set }
    const letter = cursor.pattern[cursor.at] ?? ''
    if (letter >= '1' && letter <= '9') return this.numberedReference()
    const simple = this.assertionOf(letter)
    if (simple !== undefined) {
      cursor.at++
      return simple
    }
    if (letter === 'R') {
      cursor.at++
      return LINE_BREAK
    }
    if (letter === 'k') return this.namedReference()
    if (letter === 'N') throw cursor.error('Illegal character name escape sequence', cursor.at + 1)
    return { kind: 'set', set: this.literal(parseCharEscape(cursor)) }
  }

  private assertionOf(letter: string): RegexNode | undefined {
    const unicode = this.has(UNICODE_CHARACTER_CLASS)
    switch (letter) {
      case 'A':
        return assertion('input-begin')
      case 'G':
        return assertion('search-begin')
      case 'Z':
        return assertion(this.has(UNIX_LINES) ? 'unix-last-line-end' : 'last-line-end')
      case 'z':
        return assertion('input-end')
      case 'b':
        return assertion(unicode ? 'unicode-word-boundary' : 'word-boundary')
      case 'B':
        return assertion(unicode ? 'no-unicode-word-boundary' : 'no-word-boundary')
      default:
        return undefined
    }
  }

  /** `\12` refers to group 12 if the pattern has opened that many groups, otherwise to group 1 followed by a 2. */
  private numberedReference(): RegexNode {
    const { cursor } = this
    let index = Number(cursor.pattern[cursor.at++])
    for (;;) {
      const digit = cursor.pattern[cursor.at]
      if (digit === undefined || !/[0-9]/.test(digit) || index * 10 + Number(digit) > this.groupCount) break
      index = index * 10 + Number(digit)
      cursor.at++
    }
    return this.reference(index)
  }

  private reference(index: number): RegexNode {
    const ignoreCase = !this.has(CASE_INSENSITIVE) ? 'no' : this.has(UNICODE_CASE) ? 'unicode' : 'ascii'
    return { kind: 'reference', index, ignoreCase }
  }

  private namedReference(): RegexNode {
    const { cursor } = this
    cursor.at++
    if (!cursor.take('<')) throw cursor.error("\\k is not followed by '<' for named capturing group", cursor.at)
    const name = this.groupName()
    const index = this.groupNames.get(name)
    if (index === undefined) throw cursor.error(`named capturing group <${name}> does not exist`, cursor.at - 1)
    return this.reference(index)
  }

  private groupName(): string {
    const { cursor } = this
    const name = /^[a-zA-Z][a-zA-Z0-9]*/.exec(cursor.pattern.slice(cursor.at))?.[0]
    if (name === undefined) throw cursor.error('capturing group name does not start with a Latin letter', cursor.at)
    cursor.at += name.length
    if (!cursor.take('>')) throw cursor.error("named capturing group is missing trailing '>'", cursor.at)
    return name
  }

  /** Parses a group whose opening parenthesis was consumed. Flags set inside end with the group. */
  private group(): RegexNode | undefined {
    const { cursor } = this
    const outer = this.flags
    if (!cursor.take('?')) return this.closed(this.capture(), outer)
    if (cursor.take(':')) return this.closed(this.choice(), outer)
    if (cursor.take('>')) return this.closed({ kind: 'atomic', body: this.choice() }, outer)
    if (cursor.take('=')) return this.closed(this.look(true, false), outer)
    if (cursor.take('!')) return this.closed(this.look(true, true), outer)
    if (cursor.take('<=')) return this.lookBehind(false, outer)
    if (cursor.take('<!')) return this.lookBehind(true, outer)
    if (cursor.take('<')) {
      const name = this.groupName()
      if (this.groupNames.has(name))
        throw cursor.error(`Named capturing group <${name}> is already defined`, cursor.at - 1)
      this.groupNames.set(name, this.groupCount + 1)
      return this.closed(this.capture(), outer)
    }
    if (cursor.looksAt('$') || cursor.looksAt('@')) throw cursor.error('Unknown group type', cursor.at)
    return this.inlineFlags(outer)
  }

  private capture(): RegexNode {
    const index = ++this.groupCount
    return { kind: 'group', index, body: this.choice() }
  }

  private look(ahead: boolean, negated: boolean): RegexNode {
    return { kind: 'look', ahead, negated, body: this.choice() }
  }

  private lookBehind(negated: boolean, outer: number): RegexNode {
    const node = this.closed(this.look(false, negated), outer)
    if (node.kind === 'look' && !hasObviousMaximum(node.body)) {
      throw this.cursor.error('Look-behind group does not have an obvious maximum length', this.cursor.at - 1)
    }
    return node
  }

  private closed(node: RegexNode, outer: number): RegexNode {
    if (!this.cursor.take(')')) throw this.cursor.error('Unclosed group', this.cursor.pattern.length)
    this.flags = outer
    return node
  }

  private inlineFlags(outer: number): RegexNode | undefined {
    const { cursor } = this
    let add = true
    for (;;) {
      const letter = cursor.pattern[cursor.at]
      if (letter === '-' && add) add = false
      else if (letter === ')') {
        cursor.at++
        return undefined
      } else if (letter === ':') {
        cursor.at++
        return this.closed(this.choice(), outer)
      } else {
        const flag = FLAGS_BY_LETTER.get(letter ?? '')
        if (flag === undefined) throw cursor.error('Unknown inline modifier', cursor.at)
        this.flags = add ? this.flags | flag : this.flags & ~flag
      }
      cursor.at++
    }
  }

  /** Applies the quantifier that follows the atom. Java reads `a{2}{3}` as `a{2}` and ignores the second braces. */
  private repeated(atom: RegexNode): RegexNode {
    const { cursor } = this
    if (this.has(COMMENTS)) cursor.skipComments()
    const counts = this.counts()
    if (counts === undefined) return atom
    const mode = cursor.take('?') ? 'lazy' : cursor.take('+') ? 'possessive' : 'greedy'
    return { kind: 'repeat', body: atom, min: counts[0], max: counts[1], mode }
  }

  private counts(): readonly [number, number] | undefined {
    const { cursor } = this
    if (cursor.take('*')) return [0, Number.POSITIVE_INFINITY]
    if (cursor.take('+')) return [1, Number.POSITIVE_INFINITY]
    if (cursor.take('?')) return [0, 1]
    if (!cursor.looksAt('{')) return undefined
    const { at } = cursor
    const digits = /^\{(\d+)(,?)(\d*)/.exec(cursor.pattern.slice(at))
    if (digits === null) throw cursor.error('Illegal repetition', at + 1)
    cursor.at += digits[0].length
    const min = Number(digits[1])
    if (min > MAX_COUNT) throw cursor.error('Illegal repetition range', at + 10)
    const max = digits[2] === '' ? min : digits[3] === '' ? Number.POSITIVE_INFINITY : Number(digits[3])
    if (!cursor.take('}')) throw cursor.error('Unclosed counted closure', cursor.at)
    if ((max > MAX_COUNT && max !== Number.POSITIVE_INFINITY) || max < min) {
      throw cursor.error('Illegal repetition range', cursor.at - 1)
    }
    return [min, max]
  }
}

/**
 * Whether Java can determine a maximum length for a look-behind. It treats the greedy repetition of one character as
 * bounded.
 */
function hasObviousMaximum(node: RegexNode): boolean {
  if (node.kind === 'reference') return false
  if (node.kind === 'repeat' && node.max === Number.POSITIVE_INFINITY) {
    return node.body.kind === 'set' && node.mode === 'greedy'
  }
  return children(node).every(hasObviousMaximum)
}

const assertion = (which: Assertion): RegexNode => ({ kind: 'assertion', assertion: which })
