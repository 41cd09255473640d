/**
 * Estimates the length of text that an expression is sure to process in time.
 *
 * Backtracking engines need exponential time for a repetition whose iterations can be split in several ways, such as
 * `(a+)+`. Otherwise every repetition that could also have stopped elsewhere adds one to the exponent of the text
 * length. Most patterns have few of those and need no watchdog on most lines.
 *
 * The estimate is conservative: 0 means that nothing is known.
 */
import { asciiMembers } from './emit-class.ts'
import type { RegexNode, RegexTree } from './regex-tree.ts'

/** Steps that take about a second. */
const STEPS_MAX = 1e8

export function surelyFastLength(tree: RegexTree): number {
  if (!isTameNode(tree.root)) return 0
  // One exponent for the positions at which a search starts.
  return Math.floor(STEPS_MAX ** (1 / (looseRepeats(tree.root, NONE) + 1)))
}

/** A repetition with up to this many iterations counts as fixed. */
const ROUNDS_FEW = 8

function isTameNode(node: RegexNode): boolean {
  switch (node.type) {
    case 'alternatives':
    case 'sequence':
      return node.items.every(isTameNode)
    case 'group':
    case 'atomic':
    case 'look':
      return isTameNode(node.inner)
    case 'repeat':
      if (!isTameNode(node.inner)) return false
      return node.max <= ROUNDS_FEW || roundsAreClear(node.inner)
    case 'backreference':
    case 'conditional':
    case 'grapheme':
      return false
    default:
      return true
  }
}

/** A piece of an iteration: the characters it matches, and whether its length varies. */
interface Piece {
  readonly members: readonly boolean[]
  readonly varies: boolean
}

/** At most one piece varies, and a fixed piece at the start or end of the iteration cannot match part of it. */
function roundsAreClear(body: RegexNode): boolean {
  const pieces = piecesOf(body)
  if (pieces === undefined || pieces.length === 0) return false
  const varying = pieces.filter(({ varies }) => varies)
  if (varying.length === 0) return true
  if (varying.length > 1) return false
  const edges = [pieces[0]!, pieces[pieces.length - 1]!]
  return edges.some((edge) => !edge.varies && areDisjoint(edge.members, varying[0]!.members))
}

/** Undefined if the node is too complex to analyze. */
function piecesOf(node: RegexNode): Piece[] | undefined {
  switch (node.type) {
    case 'char':
    case 'any':
    case 'class':
      return [{ members: membersOf(node), varies: false }]
    case 'sequence': {
      const lists = node.items.map(piecesOf)
      return lists.includes(undefined) ? undefined : (lists as Piece[][]).flat()
    }
    case 'group':
    case 'atomic':
      return piecesOf(node.inner)
    case 'anchor':
    case 'look':
      return []
    case 'repeat': {
      const inner = piecesOf(node.inner)
      if (inner === undefined || inner.length !== 1 || inner[0]!.varies) return undefined
      return [{ members: inner[0]!.members, varies: node.min !== node.max }]
    }
    case 'alternatives':
      return alternativePiece(node.items)
    case 'backreference':
    case 'conditional':
    case 'keep':
    case 'grapheme':
      return undefined
  }
}

/**
 * Alternatives that start differently and have fixed lengths leave no choice. They count as one piece with their first
 * characters.
 */
function alternativePiece(items: readonly RegexNode[]): Piece[] | undefined {
  const members = new Array<boolean>(128).fill(false)
  for (const item of items) {
    const pieces = piecesOf(item)
    const first = pieces?.[0]
    if (pieces === undefined || first === undefined || pieces.some(({ varies }) => varies)) return undefined
    if (!areDisjoint(members, first.members)) return undefined
    for (let code = 0; code < 128; code++) if (first.members[code]) members[code] = true
  }
  return [{ members, varies: false }]
}

function membersOf(node: Extract<RegexNode, { type: 'char' | 'any' | 'class' }>): readonly boolean[] {
  if (node.type === 'class') return asciiMembers(node.set, node.ignoreCase)
  if (node.type === 'any') return new Array<boolean>(128).fill(true)
  const members = new Array<boolean>(128).fill(false)
  const text = String.fromCodePoint(node.code)
  for (const char of node.ignoreCase ? [text.toLowerCase(), text.toUpperCase()] : [text])
    members[char.codePointAt(0)!] = true
  return members
}

function areDisjoint(a: readonly boolean[], b: readonly boolean[]): boolean {
  for (let code = 0; code < 128; code++) if (a[code] && b[code]) return false
  return true
}

const NONE: readonly boolean[] = new Array<boolean>(128).fill(false)

/**
 * The repetitions on one path through a node that may stop at several places, because what follows looks like another
 * iteration.
 */
function looseRepeats(node: RegexNode, follow: readonly boolean[]): number {
  switch (node.type) {
    case 'sequence': {
      let count = 0
      let after = follow
      for (let i = node.items.length - 1; i >= 0; i--) {
        const item = node.items[i]!
        count += looseRepeats(item, after)
        after = isNullable(item) ? union(firstOf(item), after) : firstOf(item)
      }
      return count
    }
    case 'alternatives':
      return Math.max(...node.items.map((item) => looseRepeats(item, follow)))
    case 'group':
    case 'atomic':
      return looseRepeats(node.inner, follow)
    case 'repeat': {
      const first = firstOf(node.inner)
      const inside = looseRepeats(node.inner, union(first, follow))
      const isLoose = node.max > ROUNDS_FEW && node.min !== node.max && !areDisjoint(first, follow)
      // Iterations that start with a delimiter of their own, as in dotted names, stop at few places and fail
      // immediately.
      return inside + (isLoose && !beginsWithDelimiter(node.inner) ? 1 : 0)
    }
    default:
      return 0
  }
}

function beginsWithDelimiter(body: RegexNode): boolean {
  const pieces = piecesOf(body)
  return pieces !== undefined && pieces.length > 1 && pieces[0]!.members.filter(Boolean).length === 1
}

/** A cache, because every enclosing level asks for the same node. */
const knownFirst = new WeakMap<RegexNode, readonly boolean[]>()

function firstOf(node: RegexNode): readonly boolean[] {
  let first = knownFirst.get(node)
  if (first === undefined) {
    first = computeFirst(node)
    knownFirst.set(node, first)
  }
  return first
}

function computeFirst(node: RegexNode): readonly boolean[] {
  switch (node.type) {
    case 'char':
    case 'any':
    case 'class':
      return membersOf(node)
    case 'sequence': {
      let first = NONE
      for (const item of node.items) {
        first = union(first, firstOf(item))
        if (!isNullable(item)) break
      }
      return first
    }
    case 'alternatives':
      return node.items.map(firstOf).reduce(union, NONE)
    case 'group':
    case 'atomic':
    case 'repeat':
      return firstOf(node.inner)
    default:
      return NONE
  }
}

/** Whether a match may have no length. */
export function isNullable(node: RegexNode): boolean {
  switch (node.type) {
    case 'sequence':
      return node.items.every(isNullable)
    case 'alternatives':
      return node.items.some(isNullable)
    case 'group':
    case 'atomic':
      return isNullable(node.inner)
    case 'repeat':
      return node.min === 0 || isNullable(node.inner)
    case 'anchor':
    case 'look':
    case 'keep':
    case 'backreference':
    case 'conditional':
      return true
    default:
      return false
  }
}

function union(a: readonly boolean[], b: readonly boolean[]): readonly boolean[] {
  return a.map((member, code) => member || b[code]!)
}
