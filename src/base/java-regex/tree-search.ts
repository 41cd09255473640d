/**
 * Searches a text with a tree of an expression: the counting matcher, tried at each position where a match can start.
 * Shared by the syntaxes.
 */
import { Backtracker } from './backtracker.ts'
import { CharSet } from './char-set.ts'
import { firstSets } from './harmless.ts'
import { compileProgram } from './program.ts'
import type { RegexNode } from './regex-tree.ts'
import type { StepBudget } from './step-budget.ts'

export class TreeSearch {
  private readonly groupCount: number
  private readonly matcher: Backtracker
  private readonly first: CharSet | undefined
  private readonly beginsAtInput: boolean

  /** `source` is what errors show. */
  constructor(root: RegexNode, groupCount: number, source: string) {
    this.groupCount = groupCount
    this.matcher = new Backtracker(compileProgram(root, groupCount), source)
    const first = firstSets(root)
    this.first = first === undefined ? undefined : CharSet.union(first)
    this.beginsAtInput = beginsAtInput(root)
  }

  /** Starts and ends of the next match at or after `from` and of its groups, -1 for a group that has none. */
  find(text: string, from: number, budget: StepBudget, lastEnd = from): Int32Array | undefined {
    const { matcher, first } = this
    matcher.begin(text, lastEnd, false, budget)
    try {
      for (let at = from; at <= text.length; at += isPairAt(text, at) ? 2 : 1) {
        if (this.beginsAtInput && at > 0) return undefined
        if (first !== undefined && (at === text.length || !first.has(text.codePointAt(at)!))) {
          matcher.countSkipped()
          continue
        }
        const end = matcher.attempt(at)
        if (end >= 0) return this.placesOf(at, end)
      }
      return undefined
    } finally {
      matcher.end()
    }
  }

  /** As `find`, for a match that begins at the beginning of the text and, if `isWhole`, ends at its end. */
  attemptAtBegin(text: string, isWhole: boolean, budget: StepBudget): Int32Array | undefined {
    const { matcher } = this
    matcher.begin(text, 0, isWhole, budget)
    try {
      const end = matcher.attempt(0)
      return end < 0 ? undefined : this.placesOf(0, end)
    } finally {
      matcher.end()
    }
  }

  private placesOf(start: number, end: number): Int32Array {
    const places = this.matcher.slots.slice(0, 2 * (this.groupCount + 1))
    // Only the node `keep` sets the first slot.
    places[0] = places[0]! < 0 ? start : Math.min(places[0]!, end)
    places[1] = end
    return places
  }
}

function isPairAt(text: string, at: number): boolean {
  return text.codePointAt(at)! > 0xffff
}

/** Whether every match starts at the beginning of the text. */
function beginsAtInput(node: RegexNode): boolean {
  if (node.kind === 'assertion') return node.assertion === 'input-begin'
  if (node.kind === 'group' || node.kind === 'atomic') return beginsAtInput(node.body)
  if (node.kind === 'choice') return node.branches.every(beginsAtInput)
  return node.kind === 'sequence' && node.items.length > 0 && beginsAtInput(node.items[0]!)
}
