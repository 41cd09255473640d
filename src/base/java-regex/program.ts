/** The instruction set of the backtracking matcher, and the compiler from trees to instructions. */
import type { CharSet } from './char-set.ts'
import type { Assertion, RegexNode, RepeatMode, Width } from './regex-tree.ts'
import { children, widthOf } from './regex-tree.ts'

export const Op = {
  /** Ends the pattern, or the body of a look-around or an atomic group. */
  Accept: 0,
  /** Matches the code point `a`. */
  Char: 1,
  /** Matches a code point of set `a`. */
  Set: 2,
  /** Continues at `a`, and at `b` if that fails. */
  Split: 3,
  Jump: 4,
  /** Stores the position in slot `a`. */
  Save: 5,
  /** Checks assertion `a`. */
  Assert: 6,
  /** Matches the text of group `a`; `b` selects the case rule. */
  Reference: 7,
  /** Matches between `b` and `c` code points of set `a`, as many as possible, fewer if the continuation fails. */
  RunGreedy: 8,
  RunLazy: 9,
  RunPossessive: 10,
  /** Look-around `a` (an index into `looks`). Its body follows; continues at `b`. */
  Look: 11,
  /** An atomic group. Its body follows; continues at `a`. */
  Atomic: 12,
  /** Jumps to `b` if nothing was matched since the position in slot `a` was stored. */
  ExitIfEmpty: 13,
  /** Sets slot `a` to `b`. */
  SetSlot: 14,
  /** A counted loop: slot `a` is the counter, `b` the body, `c` an index into `counts`. The exit follows. */
  Loop: 15,
  /** Increments slot `a` and jumps to `b`. */
  Increment: 16,
  /** Continues at `b` if group `a` has matched, and at `c` otherwise. */
  IfGroup: 17,
  /** Matches a grapheme cluster. */
  Grapheme: 18,
  /** As ExitIfEmpty, unless an iteration of no length has set groups; `c` is the index into `watched`. */
  ExitIfIdle: 19,
} as const

/** Numbers per instruction: operation, a, b, c, and its row in the memo table, or -1. */
export const STRIDE = 5

export interface LookAround {
  readonly ahead: boolean
  readonly negated: boolean
  readonly width: Width
}

export interface LoopCounts {
  readonly min: number
  readonly max: number
  readonly mode: RepeatMode
}

export interface WatchedGroups {
  readonly first: number
  readonly last: number
}

export interface Program {
  readonly code: Int32Array
  readonly sets: readonly CharSet[]
  readonly looks: readonly LookAround[]
  readonly counts: readonly LoopCounts[]
  /** Per ExitIfIdle: the groups inside the loop. */
  readonly watched: readonly WatchedGroups[]
  /** Number of slots: two per group, then those of loops. */
  readonly slotCount: number
  /** Number of instructions with a row in the memo table; 0 when the outcome of an attempt may change. */
  readonly memoRows: number
}

export const ASSERTIONS: readonly Assertion[] = [
  'input-begin',
  'input-end',
  'line-begin',
  'line-end',
  'last-line-end',
  'unix-line-begin',
  'unix-line-end',
  'unix-last-line-end',
  'word-boundary',
  'no-word-boundary',
  'unicode-word-boundary',
  'no-unicode-word-boundary',
  'search-begin',
  'ruby-line-begin',
  'ruby-word-boundary',
  'no-ruby-word-boundary',
]

export const REFERENCE_CASES = ['no', 'ascii', 'unicode'] as const

/** Counted repetitions are unrolled up to this many instructions; larger ones use a counter at run time. */
const MAX_WRITTEN_OUT = 200
export const NO_LIMIT = 0x7fffffff

export function compileProgram(root: RegexNode, groupCount: number): Program {
  return new Compiler(root, groupCount).program()
}

class Compiler {
  private readonly code: number[] = []
  private readonly sets: CharSet[] = []
  private readonly setNumbers = new Map<CharSet, number>()
  private readonly looks: LookAround[] = []
  private readonly counts: LoopCounts[] = []
  private readonly watched: WatchedGroups[] = []
  private readonly root: RegexNode
  private readonly usesMemo: boolean
  private slotCount: number
  private memoRows = 0
  /**
   * Nesting depth of look-arounds, atomic groups and counted loops. Inside them an outcome depends on more than the
   * position.
   */
  private dependent = 0

  constructor(root: RegexNode, groupCount: number) {
    this.root = root
    this.slotCount = 2 * (groupCount + 1)
    this.usesMemo = !hasReference(root)
  }

  program(): Program {
    this.compile(this.root)
    this.emit(Op.Accept)
    return {
      code: Int32Array.from(this.code),
      sets: this.sets,
      looks: this.looks,
      counts: this.counts,
      watched: this.watched,
      slotCount: this.slotCount,
      memoRows: this.memoRows,
    }
  }

  private emit(op: number, a = 0, b = 0, c = 0): number {
    const at = this.code.length
    this.code.push(op, a, b, c, -1)
    return at
  }

  private emitRemembered(op: number, a = 0, b = 0, c = 0): number {
    const at = this.emit(op, a, b, c)
    if (this.usesMemo && this.dependent === 0) this.code[at + 4] = this.memoRows++
    return at
  }

  private get here(): number {
    return this.code.length
  }

  private compile(node: RegexNode): void {
    switch (node.kind) {
      case 'sequence':
        for (const item of node.items) this.compile(item)
        return
      case 'choice':
        this.choice(node.branches)
        return
      case 'set': {
        const only = node.set.only
        if (only >= 0) this.emit(Op.Char, only)
        else this.emit(Op.Set, this.setNumber(node.set))
        return
      }
      case 'group':
        this.emit(Op.Save, 2 * node.index)
        this.compile(node.body)
        this.emit(Op.Save, 2 * node.index + 1)
        return
      case 'repeat':
        this.repeat(node)
        return
      case 'atomic': {
        const at = this.emit(Op.Atomic)
        this.closedBody(node.body)
        this.code[at + 1] = this.here
        return
      }
      case 'look': {
        this.looks.push({ ahead: node.ahead, negated: node.negated, width: widthOf(node.body) })
        const at = this.emit(Op.Look, this.looks.length - 1)
        this.closedBody(node.body)
        this.code[at + 2] = this.here
        return
      }
      case 'reference':
        this.emit(Op.Reference, node.index, REFERENCE_CASES.indexOf(node.ignoreCase))
        return
      case 'assertion':
        this.emit(Op.Assert, ASSERTIONS.indexOf(node.assertion))
        return
      case 'conditional': {
        const test = this.emit(Op.IfGroup, node.index)
        this.code[test + 2] = this.here
        this.compile(node.yes)
        const jump = this.emit(Op.Jump)
        this.code[test + 3] = this.here
        this.compile(node.no)
        this.code[jump + 1] = this.here
        return
      }
      case 'keep':
        this.emit(Op.Save, 0)
        return
      case 'grapheme':
        this.emit(Op.Grapheme)
    }
  }

  private closedBody(body: RegexNode): void {
    this.dependent++
    this.compile(body)
    this.emit(Op.Accept)
    this.dependent--
  }

  private setNumber(set: CharSet): number {
    let number = this.setNumbers.get(set)
    if (number === undefined) {
      number = this.sets.push(set) - 1
      this.setNumbers.set(set, number)
    }
    return number
  }

  private choice(branches: readonly RegexNode[]): void {
    const jumps: number[] = []
    for (const [i, branch] of branches.entries()) {
      if (i === branches.length - 1) {
        this.compile(branch)
        break
      }
      const split = this.emitRemembered(Op.Split)
      this.code[split + 1] = this.here
      this.compile(branch)
      jumps.push(this.emit(Op.Jump))
      this.code[split + 2] = this.here
    }
    for (const jump of jumps) this.code[jump + 1] = this.here
  }

  private repeat(node: RegexNode & { kind: 'repeat' }): void {
    const { body, min, mode } = node
    if (node.max === 0) return
    const max = node.max === Number.POSITIVE_INFINITY ? NO_LIMIT : node.max
    if (body.kind === 'set') {
      const op = mode === 'greedy' ? Op.RunGreedy : mode === 'lazy' ? Op.RunLazy : Op.RunPossessive
      this.emitRemembered(op, this.setNumber(body.set), min, max)
      return
    }
    if (mode === 'possessive') {
      this.compile({ kind: 'atomic', body: { ...node, mode: 'greedy' } })
      return
    }
    const copies = max === NO_LIMIT ? min + 1 : max
    if (copies > 1 && copies * sizeOf(body, MAX_WRITTEN_OUT) > MAX_WRITTEN_OUT) this.countedLoop(node, max)
    else this.writtenOut(node, max)
  }

  /** Unrolls `x{2,4}` as `xx(?:x(?:x)?)?`, and `x{2,}` as `xx(?:x)*`. */
  private writtenOut(node: RegexNode & { kind: 'repeat' }, max: number): void {
    const { body, min, mode } = node
    for (let i = 0; i < min; i++) this.compile(body)
    if (max === NO_LIMIT) {
      this.loop(node, mode)
      return
    }
    const splits: number[] = []
    for (let i = min; i < max; i++) {
      splits.push(this.split(mode))
      this.compile(body)
    }
    for (const split of splits) this.exitTo(split, mode, this.here)
  }

  /** Emits a split that tries the following body first (greedy) or second (lazy). */
  private split(mode: RepeatMode): number {
    const at = this.emitRemembered(Op.Split)
    this.code[at + (mode === 'greedy' ? 1 : 2)] = this.here
    return at
  }

  private exitTo(split: number, mode: RepeatMode, target: number): void {
    this.code[split + (mode === 'greedy' ? 2 : 1)] = target
  }

  private loop({ body, asksGroups }: RegexNode & { kind: 'repeat' }, mode: RepeatMode): void {
    const groups = asksGroups === true ? groupsOf(body) : []
    // What an iteration of no length does depends on the groups, so its outcome is not recorded.
    if (groups.length > 0) this.dependent++
    const split = this.split(mode)
    if (groups.length > 0) this.dependent--
    if (widthOf(body).min > 0) {
      this.compile(body)
      this.emit(Op.Jump, split)
    } else {
      const slot = this.slotCount++
      this.emit(Op.Save, slot)
      this.compile(body)
      const test =
        groups.length === 0
          ? this.emit(Op.ExitIfEmpty, slot)
          : this.emit(
              Op.ExitIfIdle,
              slot,
              0,
              this.watched.push({ first: Math.min(...groups), last: Math.max(...groups) }) - 1,
            )
      this.emit(Op.Jump, split)
      this.code[test + 2] = this.here
    }
    this.exitTo(split, mode, this.here)
  }

  private countedLoop({ body, min, mode }: RegexNode & { kind: 'repeat' }, max: number): void {
    const counter = this.slotCount++
    const begin = this.slotCount++
    this.counts.push({ min, max, mode })
    this.emit(Op.SetSlot, counter, 0)
    const enter = this.emit(Op.Jump)
    const bodyAt = this.here
    this.dependent++
    this.emit(Op.Save, begin)
    this.compile(body)
    // An empty iteration would only repeat itself, so it counts as all remaining iterations.
    const test = this.emit(Op.ExitIfEmpty, begin)
    this.dependent--
    const loop = this.emit(Op.Loop, counter, bodyAt, this.counts.length - 1)
    this.code[enter + 1] = loop
    const done = this.emit(Op.Jump)
    // The lazy alternative that enters the body.
    this.emit(Op.Increment, counter, bodyAt)
    this.code[done + 1] = this.here
    this.code[test + 2] = this.here
  }
}

function groupsOf(node: RegexNode): number[] {
  return [...(node.kind === 'group' ? [node.index] : []), ...children(node).flatMap(groupsOf)]
}

function hasReference(node: RegexNode): boolean {
  switch (node.kind) {
    case 'reference':
    case 'conditional':
      return true
    case 'sequence':
      return node.items.some(hasReference)
    case 'choice':
      return node.branches.some(hasReference)
    case 'group':
    case 'repeat':
    case 'atomic':
    case 'look':
      return hasReference(node.body)
    default:
      return false
  }
}

/** Approximate number of instructions for a node. Counting stops beyond `limit`. */
function sizeOf(node: RegexNode, limit: number): number {
  switch (node.kind) {
    case 'sequence':
    case 'choice': {
      let size = 1
      for (const item of node.kind === 'sequence' ? node.items : node.branches) {
        size += sizeOf(item, limit)
        if (size > limit) break
      }
      return size
    }
    case 'group':
    case 'atomic':
    case 'look':
      return 2 + sizeOf(node.body, limit)
    case 'repeat': {
      if (node.body.kind === 'set') return 1
      const copies = node.max === Number.POSITIVE_INFINITY ? node.min + 1 : node.max
      return 2 + Math.min(copies, limit) * sizeOf(node.body, limit)
    }
    default:
      return 1
  }
}
