/**
 * How long a text may be that an expression surely gets through in time.
 *
 * Engines that go back need exponential time for a repetition whose rounds can be cut in several ways, such as `(a+)+`.
 * Without one, every
 * repetition that could also have stopped elsewhere adds a power of the text's length. Most patterns have few of those,
 * and need no watch on most lines.
 *
 * The answer errs on the safe side: 0 means no more than that nothing is known.
 */
import { asciiMembers } from './emit-class.ts'
import type { RegexNode, RegexTree } from './regex-tree.ts'

/** Steps that are over in a second or so. */
const STEPS_MAX = 1e8

export function surelyFastLength(tree: RegexTree): number {
  if (!isTameNode(tree.root)) return 0
  // One power for the places a search begins at.
  return Math.floor(STEPS_MAX ** (1 / (looseRepeats(tree.root, NONE) + 1)))
}

/** Up to so many rounds count as a number and not as a repetition. */
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
      return false
    default:
      return true
  }
}

/** A piece of a round: the characters it takes, and whether it may take more or fewer of them. */
interface Piece {
  readonly members: readonly boolean[]
  readonly varies: boolean
}

/** At most one piece varies, and a fixed piece at the start or the end of the round can never be part of it. */
function roundsAreClear(body: RegexNode): boolean {
  const pieces = piecesOf(body)
  if (pieces === undefined || pieces.length === 0) return false
  const varying = pieces.filter(({ varies }) => varies)
  if (varying.length === 0) return true
  if (varying.length > 1) return false
  const edges = [pieces[0]!, pieces[pieces.length - 1]!]
  return edges.some((edge) => !edge.varies && areDisjoint(edge.members, varying[0]!.members))
}

/** Undefined for what is too involved to be sure about. */
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
      return undefined
  }
}

/**
 * Ways that begin differently and are fixed in length leave no choice; they count as one piece of their first
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
 * Repetitions on one way through a node that may stop at several places, because what follows looks like one more
 * round.
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
      // Rounds that each begin with a delimiter of their own, as in names with dots, stop at few places and go wrong at
      // once.
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

/** Asked again on every level above a node. */
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

function isNullable(node: RegexNode): boolean {
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
    case 'backreference':
      return true
    default:
      return false
  }
}

function union(a: readonly boolean[], b: readonly boolean[]): readonly boolean[] {
  return a.map((member, code) => member || b[code]!)
}
