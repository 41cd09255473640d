/**
 * Ruby expressions on the matcher that counts its steps (base/java-regex). It gives Ruby's captures for every
 * expression; JavaScript's engine is faster and does so for most (see emit-regex.ts).
 */
import { CharSet } from '../../base/java-regex/char-set.ts'
import type { Assertion, RegexNode as Node } from '../../base/java-regex/regex-tree.ts'
import { widthOf } from '../../base/java-regex/regex-tree.ts'
import { StepBudget } from '../../base/java-regex/step-budget.ts'
import { TreeSearch } from '../../base/java-regex/tree-search.ts'
import { asciiMembers, classHas } from './emit-class.ts'
import type { AnchorKind, ClassNode, RegexNode, RegexTree } from './regex-tree.ts'

/** The search was given up; how many steps it may take is known in advance, and no clock decides. */
export class TooManyStepsError extends Error {
  constructor(source: string) {
    super(`The expression /${source.slice(0, 1_000)}/ needs too many steps for this text`)
    this.name = 'TooManyStepsError'
  }
}

/** Steps for one search; some tens of millions take a second. */
export const STEPS_MAX = 5_000_000

export function stepBudget(steps = STEPS_MAX): StepBudget {
  return new StepBudget(steps, (source) => new TooManyStepsError(source))
}

export function stepwiseSearch(tree: RegexTree, source: string): TreeSearch {
  return new TreeSearch(nodeOf(tree.root), tree.groups.length, source)
}

function nodeOf(node: RegexNode): Node {
  switch (node.type) {
    case 'alternatives':
      return { kind: 'choice', branches: node.items.map(nodeOf) }
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(nodeOf) }
    case 'char':
      return { kind: 'set', set: setOf({ type: 'range', from: node.code, to: node.code }, node.ignoreCase) }
    case 'any':
      return { kind: 'set', set: node.newline ? ANYTHING : NO_LINE_FEED }
    case 'class':
      return { kind: 'set', set: setOf(node.set, node.ignoreCase) }
    case 'anchor':
      return { kind: 'assertion', assertion: ASSERTIONS[node.kind] }
    case 'group': {
      const body = nodeOf(node.inner)
      return node.number === undefined ? body : { kind: 'group', index: node.number, body }
    }
    case 'atomic':
      return { kind: 'atomic', body: nodeOf(node.inner) }
    case 'look':
      return node.behind ? lookBehind(node.inner, node.negated) : look(node.inner, true, node.negated)
    case 'repeat': {
      const body = nodeOf(node.inner)
      return {
        kind: 'repeat',
        body,
        min: node.min,
        max: node.max,
        mode: node.mode,
        asksGroups: widthOf(body).min === 0,
      }
    }
    case 'backreference':
      return backReference(node.numbers, node.ignoreCase)
    case 'conditional':
      return { kind: 'conditional', index: node.number, yes: nodeOf(node.yes), no: nodeOf(node.no) }
    case 'keep':
      return { kind: 'keep' }
    case 'grapheme':
      return { kind: 'grapheme' }
  }
}

const ANYTHING = new CharSet(() => true, undefined)
const NO_LINE_FEED = new CharSet((code) => code !== 10, undefined)
const NOTHING: Node = { kind: 'choice', branches: [{ kind: 'set', set: new CharSet(() => false, undefined) }] }

const ASSERTIONS: Readonly<Record<AnchorKind, Assertion>> = {
  'line-start': 'ruby-line-begin',
  'line-end': 'unix-line-end',
  'text-start': 'input-begin',
  'text-end': 'input-end',
  'text-end-or-newline': 'unix-last-line-end',
  'search-start': 'search-begin',
  word: 'ruby-word-boundary',
  'not-word': 'no-ruby-word-boundary',
}

const look = (inner: RegexNode, ahead: boolean, negated: boolean): Node => ({
  kind: 'look',
  ahead,
  negated,
  body: nodeOf(inner),
})

/** Alternatives at the top of a look-behind are tried in their order, each with its own width. */
function lookBehind(inner: RegexNode, negated: boolean): Node {
  if (inner.type === 'group' && inner.number === undefined) return lookBehind(inner.inner, negated)
  if (inner.type !== 'alternatives') return look(inner, false, negated)
  const looks = inner.items.map((item) => look(item, false, negated))
  if (negated) return { kind: 'sequence', items: looks }
  return { kind: 'atomic', body: { kind: 'choice', branches: looks } }
}

/** Of several groups with the name, the last one that has matched and is repeated here. */
function backReference(numbers: readonly number[], ignoresCase: boolean): Node {
  const ignoreCase = ignoresCase ? 'unicode' : 'no'
  const ways = [...numbers].reverse().map((index): Node => ({ kind: 'reference', index, ignoreCase }))
  if (ways.length === 0) return NOTHING
  return ways.length === 1 ? ways[0]! : { kind: 'atomic', body: { kind: 'choice', branches: ways } }
}

const known = { plain: new WeakMap<ClassNode, CharSet>(), ignoringCase: new WeakMap<ClassNode, CharSet>() }

function setOf(node: ClassNode, ignoreCase: boolean): CharSet {
  const cache = ignoreCase ? known.ignoringCase : known.plain
  let set = cache.get(node)
  if (set === undefined) {
    set = makeSet(node, ignoreCase)
    cache.set(node, set)
  }
  return set
}

function makeSet(node: ClassNode, ignoreCase: boolean): CharSet {
  if (node.type === 'range' && !ignoreCase) return CharSet.range(node.from, node.to)
  const ascii = asciiMembers(node, ignoreCase)
  return new CharSet((code) => (code < 128 ? ascii[code]! : classHas(node, code, ignoreCase)), undefined)
}
