/** The syntax tree of a Java regular expression. Every node matches at a position of the text and advances it. */
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

export function children(node: RegexNode): readonly RegexNode[] {
  if (node.kind === 'sequence') return node.items
  if (node.kind === 'choice') return node.branches
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
    default:
      return NOTHING
  }
}
