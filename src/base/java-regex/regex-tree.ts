/**
 * The syntax tree of a regular expression. Every node matches at a position of the text and advances it. Java's parser
 * is in this folder; the parser of Ruby's expressions (text/regex) makes trees of these nodes, too.
 */
import type { CharSet } from './char-set.ts'

export type RepeatMode = 'greedy' | 'lazy' | 'possessive'

/**
 * Zero-width assertions. The multiline and UNIX_LINES variants have their own names, so that the matcher needs no
 * flags.
 */
export type Assertion =
  | 'input-begin'
  | 'input-end'
  | 'line-begin'
  | 'line-end'
  | 'last-line-end'
  | 'unix-line-begin'
  | 'unix-line-end'
  | 'unix-last-line-end'
  | 'word-boundary'
  | 'no-word-boundary'
  | 'unicode-word-boundary'
  | 'no-unicode-word-boundary'
  | 'search-begin'
  /** After a line feed, but not at the end of the text. */
  | 'ruby-line-begin'
  | 'ruby-word-boundary'
  | 'no-ruby-word-boundary'

export type RegexNode =
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly RegexNode[] }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'group'; readonly index: number; readonly body: RegexNode }
  | {
      readonly kind: 'repeat'
      readonly body: RegexNode
      readonly min: number
      /** Infinity without an upper limit. */
      readonly max: number
      readonly mode: RepeatMode
      /** Ruby's rule for empty iterations: one that sets a group does not end the loop. */
      readonly asksGroups?: boolean
    }
  | { readonly kind: 'atomic'; readonly body: RegexNode }
  | {
      readonly kind: 'look'
      readonly ahead: boolean
      readonly negated: boolean
      readonly body: RegexNode
    }
  | { readonly kind: 'reference'; readonly index: number; readonly ignoreCase: 'no' | 'ascii' | 'unicode' }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** Ruby's `(?(1)yes|no)`: continues by whether the group has matched. */
  | { readonly kind: 'conditional'; readonly index: number; readonly yes: RegexNode; readonly no: RegexNode }
  /** Ruby's `\\K`: the match begins here. */
  | { readonly kind: 'keep' }
  /** Ruby's `\\X`: a grapheme cluster, as a whole. */
  | { readonly kind: 'grapheme' }

export function children(node: RegexNode): readonly RegexNode[] {
  if (node.kind === 'sequence') return node.items
  if (node.kind === 'choice') return node.branches
  if (node.kind === 'conditional') return [node.yes, node.no]
  return 'body' in node ? [node.body] : []
}

/** The minimum and maximum number of UTF-16 code units that a node can match. */
export interface Width {
  readonly min: number
  readonly max: number
}

const NOTHING: Width = { min: 0, max: 0 }

export function widthOf(node: RegexNode): Width {
  switch (node.kind) {
    case 'set':
      return { min: 1, max: node.set.beyondBmp ? 2 : 1 }
    case 'sequence':
      return node.items.map(widthOf).reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }), NOTHING)
    case 'choice': {
      const widths = node.branches.map(widthOf)
      return { min: Math.min(...widths.map((w) => w.min)), max: Math.max(...widths.map((w) => w.max)) }
    }
    case 'group':
    case 'atomic':
      return widthOf(node.body)
    case 'repeat': {
      const body = widthOf(node.body)
      return { min: body.min * node.min, max: body.max === 0 || node.max === 0 ? 0 : body.max * node.max }
    }
    case 'reference':
      return { min: 0, max: Number.POSITIVE_INFINITY }
    case 'conditional': {
      const [yes, no] = [widthOf(node.yes), widthOf(node.no)]
      return { min: Math.min(yes.min, no.min), max: Math.max(yes.max, no.max) }
    }
    case 'grapheme':
      return { min: 1, max: Number.POSITIVE_INFINITY }
    default:
      return NOTHING
  }
}
