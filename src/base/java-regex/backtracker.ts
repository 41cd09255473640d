/**
 * Runs a compiled program over a text by backtracking, with an explicit stack and a step budget.
 *
 * After a number of steps the matcher starts to record which instructions failed at which positions. A pattern without
 * back references fails again whenever it reaches a recorded pair, so the work is bounded by instructions times
 * positions. Patterns that take exponential time in Java or JavaScript end early in this matcher. Look-arounds, atomic
 * groups and long counted loops are limited by the budget alone.
 */
import { assertionHolds } from './assertions.ts'
import { toLower, toUpper } from './char-set.ts'
import { NO_LIMIT, Op, type Program, STRIDE } from './program.ts'
import type { StepBudget } from './step-budget.ts'

const CHOICE = 0
const RESTORE = 1
const RUN = 2
const LAZY_RUN = 3
const FRAME = 4

const LEAVE = 0
const GO_ON = 1
const FAIL = 2

/** Maximum stack entries (32 MB). */
const MAX_STACK = 1 << 23
/** Steps before failures are recorded. */
const STEPS_BEFORE_MEMO = 4_000
/** Maximum bits of the failure table (16 MB). */
const MAX_MEMO_BITS = 1 << 27
/** Steps are charged to the budget in batches of this size. */
const LOT = 1_024

export class Backtracker {
  private readonly program: Program
  private readonly pattern: string
  private text = ''
  private budget!: StepBudget
  private mustEndAt = -1
  private searchBegin = 0
  private steps = 0
  private charged = 0
  private stack = new Int32Array(256)
  private top = 0
  readonly slots: Int32Array
  private memo: Int32Array | undefined
  private triesMemo = false

  constructor(program: Program, pattern: string) {
    this.program = program
    this.pattern = pattern
    this.slots = new Int32Array(program.slotCount)
  }

  /** Prepares for attempts on one text. Failures recorded in one attempt stay valid for the next. */
  begin(text: string, searchBegin: number, isWhole: boolean, budget: StepBudget): void {
    this.text = text
    this.searchBegin = searchBegin
    this.mustEndAt = isWhole ? text.length : -1
    this.budget = budget
    this.steps = 0
    this.charged = 0
    this.memo = undefined
    this.triesMemo = this.program.memoRows > 0
  }

  /** Charges the remaining steps to the budget and releases the text. */
  end(): void {
    this.text = ''
    this.memo = undefined
    if (this.stack.length > 1 << 16) this.stack = new Int32Array(256)
    const left = this.steps - this.charged
    this.charged = this.steps
    this.budget.spend(left, this.pattern)
  }

  /** Returns the end of the match that starts at `position`, or -1. The slots then hold the group positions. */
  attempt(position: number): number {
    this.slots.fill(-1)
    this.top = 0
    return this.run(0, position, this.mustEndAt)
  }

  /** Charges a position at which no match can start. */
  countSkipped(): void {
    if (++this.steps - this.charged >= LOT) this.charge()
  }

  private charge(): void {
    const lot = this.steps - this.charged
    this.charged = this.steps
    this.budget.spend(lot, this.pattern)
    if (this.triesMemo && this.steps > STEPS_BEFORE_MEMO) {
      this.triesMemo = false
      const bits = this.program.memoRows * (this.text.length + 1)
      if (bits > MAX_MEMO_BITS) return
      this.memo = new Int32Array((bits >> 5) + 1)
      this.resetRuns()
      this.budget.spend(this.memo.length >> 4, this.pattern)
    }
  }

  private push(kind: number, a: number, b: number, c: number): void {
    if (this.top + FRAME > this.stack.length) {
      if (this.stack.length >= MAX_STACK) this.budget.spend(Number.POSITIVE_INFINITY, this.pattern)
      const larger = new Int32Array(this.stack.length * 4)
      larger.set(this.stack)
      this.stack = larger
    }
    const { stack, top } = this
    stack[top] = kind
    stack[top + 1] = a
    stack[top + 2] = b
    stack[top + 3] = c
    this.top = top + FRAME
  }

  private setSlot(slot: number, value: number): void {
    this.push(RESTORE, slot, this.slots[slot]!, 0)
    this.slots[slot] = value
  }

  /** Returns whether this row was recorded at this position before, and records it. */
  private wasHere(row: number, position: number): boolean {
    const bit = row * (this.text.length + 1) + position
    const memo = this.memo!
    const word = memo[bit >> 5]!
    const mask = 1 << (bit & 31)
    if ((word & mask) !== 0) return true
    memo[bit >> 5] = word | mask
    return false
  }

  /** Runs from an instruction until Accept. `endAt` is the required end, or -1. Returns the end position, or -1. */
  private run(start: number, from: number, endAt: number): number {
    const { code, sets } = this.program
    const { text, slots } = this
    const { length } = text
    const base = this.top
    let pc = start
    let at = from
    for (;;) {
      if (++this.steps - this.charged >= LOT) this.charge()
      let failed = false
      switch (code[pc]) {
        case Op.Accept:
          if (endAt < 0 || at === endAt) return at
          failed = true
          break
        case Op.Char: {
          const wanted = code[pc + 1]!
          if (at < length && (text.codePointAt(at) as number) === wanted) {
            at += wanted > 0xffff ? 2 : 1
            pc += STRIDE
          } else failed = true
          break
        }
        case Op.Set: {
          const found = at < length ? text.codePointAt(at)! : -1
          if (found >= 0 && sets[code[pc + 1]!]!.has(found)) {
            at += found > 0xffff ? 2 : 1
            pc += STRIDE
          } else failed = true
          break
        }
        case Op.Split: {
          const row = code[pc + 4]!
          if (row >= 0 && this.memo !== undefined && this.wasHere(row, at)) {
            failed = true
            break
          }
          this.push(CHOICE, code[pc + 2]!, at, 0)
          pc = code[pc + 1]!
          break
        }
        case Op.Jump:
          pc = code[pc + 1]!
          break
        case Op.Save:
          this.setSlot(code[pc + 1]!, at)
          pc += STRIDE
          break
        case Op.SetSlot:
          this.setSlot(code[pc + 1]!, code[pc + 2]!)
          pc += STRIDE
          break
        case Op.Assert:
          if (assertionHolds(code[pc + 1]!, text, at, this.searchBegin)) pc += STRIDE
          else failed = true
          break
        case Op.Reference: {
          const end = this.reference(code[pc + 1]!, code[pc + 2]!, at)
          if (end >= 0) {
            at = end
            pc += STRIDE
          } else failed = true
          break
        }
        case Op.RunGreedy:
        case Op.RunPossessive: {
          const end = this.greedyRun(pc, at)
          if (end >= 0) {
            at = end
            pc += STRIDE
          } else failed = true
          break
        }
        case Op.RunLazy: {
          const row = code[pc + 4]!
          if (row >= 0 && this.memo !== undefined && this.wasHere(row, at)) {
            failed = true
            break
          }
          const min = code[pc + 2]!
          const end = this.scan(code[pc + 1]!, at, min, min)
          if (end >= 0) {
            if (code[pc + 3]! > min) this.push(LAZY_RUN, pc, end, code[pc + 3]! - min)
            at = end
            pc += STRIDE
          } else failed = true
          break
        }
        case Op.Look:
          if (this.lookAround(pc, at)) pc = code[pc + 2]!
          else failed = true
          break
        case Op.Atomic: {
          const before = this.top
          const end = this.run(pc + STRIDE, at, -1)
          this.keepRestores(before)
          if (end >= 0) {
            at = end
            pc = code[pc + 1]!
          } else failed = true
          break
        }
        case Op.ExitIfEmpty:
          pc = this.slots[code[pc + 1]!] === at ? code[pc + 2]! : pc + STRIDE
          break
        case Op.ExitIfIdle: {
          const way = this.idleWay(pc, at)
          if (way === FAIL) failed = true
          else pc = way === LEAVE ? code[pc + 2]! : pc + STRIDE
          break
        }
        case Op.IfGroup:
          pc = code[pc + (slots[2 * code[pc + 1]! + 1]! >= 0 ? 2 : 3)]!
          break
        case Op.Grapheme: {
          const end = at < length ? graphemeEnd(text, at) : -1
          if (end >= 0) {
            this.steps += end - at
            at = end
            pc += STRIDE
          } else failed = true
          break
        }
        case Op.Loop: {
          const slot = code[pc + 1]!
          const done = this.slots[slot]!
          const { min, max, mode } = this.program.counts[code[pc + 3]!]!
          if (done < min || (done < max && mode !== 'lazy')) {
            if (done >= min) this.push(CHOICE, pc + STRIDE, at, 0)
            this.setSlot(slot, done + 1)
            pc = code[pc + 2]!
          } else {
            if (done < max) this.push(CHOICE, pc + 2 * STRIDE, at, 0)
            pc += STRIDE
          }
          break
        }
        case Op.Increment: {
          const slot = code[pc + 1]!
          this.setSlot(slot, this.slots[slot]! + 1)
          pc = code[pc + 2]!
        }
      }
      if (!failed) continue
      pc = this.backtrack(base)
      if (pc < 0) return -1
      at = this.resumeAt
    }
  }

  /**
   * How a loop goes on after an iteration. One of no length ends the loop, unless it has begun a group: Ruby then lets
   * the iteration count if the group was not empty before or had no end, and fails if it was elsewhere.
   */
  private idleWay(pc: number, at: number): number {
    const { code, watched } = this.program
    const { slots, stack } = this
    const begin = code[pc + 1]!
    if (slots[begin] !== at) return GO_ON
    const { first, last } = watched[code[pc + 3]!]!
    let way = LEAVE
    // The groups that this iteration has begun are the entries on the stack since the loop's own.
    let frame = this.top - FRAME
    while (frame >= 0 && !(stack[frame] === RESTORE && stack[frame + 1] === begin)) frame -= FRAME
    for (frame += FRAME; frame < this.top; frame += FRAME) {
      const slot = stack[frame + 1]!
      if (stack[frame] !== RESTORE || (slot & 1) !== 0 || slot < 2 * first || slot > 2 * last) continue
      const start = stack[frame + 2]!
      const end = this.slotBefore(slot + 1, frame)
      if (end < 0 || start !== end) return GO_ON
      if (end !== at) way = FAIL
    }
    return way
  }

  /** The value that a slot had when an entry of the stack was made. */
  private slotBefore(slot: number, entry: number): number {
    const { stack } = this
    for (let frame = entry + FRAME; frame < this.top; frame += FRAME) {
      if (stack[frame] === RESTORE && stack[frame + 1] === slot) return stack[frame + 2]!
    }
    return this.slots[slot]!
  }

  private resumeAt = 0

  /**
   * Resumes at the most recent untried alternative. Returns its instruction, with the position in `resumeAt`; -1 when
   * none is left.
   */
  private backtrack(base: number): number {
    const { code } = this.program
    while (this.top > base) {
      if (++this.steps - this.charged >= LOT) this.charge()
      const { stack } = this
      const frame = this.top - FRAME
      const a = stack[frame + 1]!
      const b = stack[frame + 2]!
      switch (stack[frame]) {
        case CHOICE:
          this.top = frame
          this.resumeAt = b
          return a
        case RESTORE:
          this.top = frame
          this.slots[a] = b
          break
        case RUN: {
          // `b` is the shortest end; the third number is the end tried last.
          let end = stack[frame + 3]!
          end -= isPairBefore(this.text, end) ? 2 : 1
          if (end <= b) this.top = frame
          else stack[frame + 3] = end
          if (end < b) break
          if (this.memo !== undefined && code[a + 4]! >= 0) this.noteEnd(code[a + 4]!, end)
          this.resumeAt = end
          return a + STRIDE
        }
        case LAZY_RUN: {
          const end = this.scan(code[a + 1]!, b, 1, 1)
          const left = stack[frame + 3]! - 1
          if (end < 0 || left <= 0) this.top = frame
          else {
            stack[frame + 2] = end
            stack[frame + 3] = left
          }
          if (end < 0) break
          this.resumeAt = end
          return a + STRIDE
        }
      }
    }
    return -1
  }

  /**
   * Per memo row, for unbounded greedy runs: the last run examined, and the range of ends from which the continuation
   * was already tried. A run that starts inside another run ends at the same place and need not try those ends again.
   */
  private runBegins = new Int32Array(0)
  private runEnds = new Int32Array(0)
  private triedFrom = new Int32Array(0)
  private triedTo = new Int32Array(0)

  private resetRuns(): void {
    const rows = this.program.memoRows
    this.runBegins = new Int32Array(rows).fill(-1)
    this.runEnds = new Int32Array(rows).fill(-1)
    this.triedFrom = new Int32Array(rows).fill(-1)
    this.triedTo = new Int32Array(rows).fill(-1)
  }

  /** Records that the continuation of a run is tried from this end. Ends are tried from longest to shortest. */
  private noteEnd(row: number, end: number): void {
    const from = this.triedFrom[row]!
    if (end >= from && end <= this.triedTo[row]! && from >= 0) return
    if (from !== end + 1) this.triedTo[row] = end
    this.triedFrom[row] = end
  }

  /** Matches as many characters as possible and leaves the shorter ends as alternatives. Returns the end, or -1. */
  private greedyRun(pc: number, at: number): number {
    const { code } = this.program
    const min = code[pc + 2]!
    const max = code[pc + 3]!
    const row = code[pc + 4]!
    if (code[pc] === Op.RunPossessive) return this.scan(code[pc + 1]!, at, min, max)
    const remembers = row >= 0 && this.memo !== undefined
    if (remembers && this.wasHere(row, at)) return -1
    if (!remembers || max <= this.text.length) {
      const end = this.scan(code[pc + 1]!, at, min, max)
      if (end < 0) return -1
      const shortest = min === 0 ? at : this.scan(code[pc + 1]!, at, min, min)
      if (end > shortest) this.push(RUN, pc, shortest, end)
      return end
    }
    const shortest = this.scan(code[pc + 1]!, at, min, min)
    if (shortest < 0) return -1
    const end = this.endOfRun(code[pc + 1]!, row, at)
    const triedFrom = this.triedFrom[row]!
    if (triedFrom >= 0 && end >= triedFrom && end <= this.triedTo[row]!) {
      // The ends down to this one were tried before and failed.
      if (triedFrom > shortest) this.push(RUN, pc, shortest, triedFrom)
      return -1
    }
    this.noteEnd(row, end)
    if (end > shortest) this.push(RUN, pc, shortest, end)
    return end
  }

  private endOfRun(set: number, row: number, at: number): number {
    const begin = this.runBegins[row]!
    const knownEnd = this.runEnds[row]!
    let end: number
    if (at >= begin && at < knownEnd) return knownEnd
    if (at < begin && knownEnd > begin) {
      end = this.scan(set, at, 0, NO_LIMIT, begin)
      if (end === begin) end = knownEnd
    } else end = this.scan(set, at, 0, NO_LIMIT)
    this.runBegins[row] = at
    this.runEnds[row] = end
    return end
  }

  /**
   * The end of a run of at least `min` and at most `max` code points of the set, before `length`; -1 when there are
   * fewer.
   */
  private scan(set: number, at: number, min: number, max: number, length = this.text.length): number {
    const { text } = this
    const members = this.program.sets[set]!
    let end = at
    let count = 0
    while (count < max && end < length) {
      const found = text.codePointAt(end)!
      if (!members.has(found)) break
      end += found > 0xffff ? 2 : 1
      count++
    }
    this.steps += count
    return count < min ? -1 : end
  }

  /** Drops the untried alternatives above `before`, but keeps the entries that restore slots on backtracking. */
  private keepRestores(before: number): void {
    const { stack } = this
    let kept = before
    for (let frame = before; frame < this.top; frame += FRAME) {
      if (stack[frame] !== RESTORE) continue
      stack.copyWithin(kept, frame, frame + FRAME)
      kept += FRAME
    }
    this.top = kept
  }

  /** Undoes all entries above `before`. */
  private undo(before: number): void {
    const { stack } = this
    for (let frame = this.top - FRAME; frame >= before; frame -= FRAME) {
      if (stack[frame] === RESTORE) this.slots[stack[frame + 1]!] = stack[frame + 2]!
    }
    this.top = before
  }

  private lookAround(pc: number, at: number): boolean {
    const { ahead, negated, width } = this.program.looks[this.program.code[pc + 1]!]!
    const before = this.top
    let found = false
    if (ahead) found = this.run(pc + STRIDE, at, -1) >= 0
    else {
      const furthest = Math.max(0, at - width.max)
      for (let begin = at - width.min; begin >= furthest && !found; begin--) {
        found = this.run(pc + STRIDE, begin, at) >= 0
      }
    }
    if (negated) this.undo(before)
    else this.keepRestores(before)
    return found !== negated
  }

  /** The end of the text that repeats a group at this position; -1 when the text differs or the group did not match. */
  private reference(group: number, ignoreCase: number, at: number): number {
    const { text, slots } = this
    if (2 * group + 1 >= this.program.slotCount) return -1
    const begin = slots[2 * group]!
    const end = slots[2 * group + 1]!
    if (begin < 0 || end < begin) return -1
    const size = end - begin
    if (at + size > text.length) return -1
    this.steps += size
    for (let i = 0; i < size; i++) {
      const expected = text.charCodeAt(begin + i)
      const found = text.charCodeAt(at + i)
      if (expected === found) continue
      if (ignoreCase === 0 || (ignoreCase === 1 && (expected > 127 || found > 127))) return -1
      if (toLower(toUpper(expected)) !== toLower(toUpper(found))) return -1
    }
    return at + size
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The longest cluster that is looked at. */
const CLUSTER_MAX = 1_000

function graphemeEnd(text: string, at: number): number {
  for (const { segment } of graphemes.segment(text.slice(at, at + CLUSTER_MAX))) return at + segment.length
  return -1
}

function isPairBefore(text: string, at: number): boolean {
  if (at < 2) return false
  const low = text.charCodeAt(at - 1)
  if (low < 0xdc00 || low > 0xdfff) return false
  const high = text.charCodeAt(at - 2)
  return high >= 0xd800 && high <= 0xdbff
}
