/**
 * Translates a tree to a JavaScript expression for the `v` flag with the same matches and groups as in Java. Returns
 * undefined where the two languages differ: atomic groups, possessive quantifiers, back references, line anchors,
 * groups that an iteration of a loop may skip, and look-behinds with alternatives.
 */
import type { RegexNode } from './regex-tree.ts'
import { children, widthOf } from './regex-tree.ts'

/** Patterns whose translation exceeds this length are not run natively. */
const MAX_SOURCE = 20_000
const MAX_COUNT = 1_000

export function nativeSource(node: RegexNode): string | undefined {
  const source = write(node)
  return source === undefined || source.length > MAX_SOURCE ? undefined : source
}

function write(node: RegexNode): string | undefined {
  switch (node.kind) {
    case 'set':
      return node.set.source
    case 'sequence':
      return joined(node.items.map(write), '')
    case 'choice': {
      const branches = joined(node.branches.map(write), '|')
      return branches === undefined ? undefined : `(?:${branches})`
    }
    case 'group': {
      const body = write(node.body)
      return body === undefined ? undefined : `(${body})`
    }
    case 'repeat':
      return writeRepeat(node)
    case 'look': {
      const body = hasGroup(node.body) || (!node.ahead && hasChoice(node.body)) ? undefined : write(node.body)
      return body === undefined ? undefined : `(?${node.ahead ? '' : '<'}${node.negated ? '!' : '='}${body})`
    }
    case 'assertion':
      return writeAssertion(node.assertion)
    default:
      return undefined
  }
}

function joined(parts: readonly (string | undefined)[], by: string): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(by)
}

function writeRepeat(node: RegexNode & { kind: 'repeat' }): string | undefined {
  const { min, max, mode } = node
  if (mode === 'possessive' || min > MAX_COUNT || (max > MAX_COUNT && max !== Number.POSITIVE_INFINITY))
    return undefined
  // Java accepts an empty iteration, JavaScript does not. JavaScript also resets the groups of earlier iterations.
  if (widthOf(node.body).min === 0 || hasOptionalGroup(node.body)) return undefined
  const body = write(node.body)
  if (body === undefined) return undefined
  const counts = max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`
  return `(?:${body})${counts}${mode === 'lazy' ? '?' : ''}`
}

function writeAssertion(assertion: string): string | undefined {
  if (assertion === 'input-begin') return '^'
  if (assertion === 'input-end') return '$'
  if (assertion === 'word-boundary') return '\\b'
  if (assertion === 'no-word-boundary') return '\\B'
  if (assertion === 'last-line-end') return '(?:$|(?=(?:\\r\\n|[\\r\\u0085\\u2028\\u2029])$)|(?<!\\r)(?=\\n$))'
  return undefined
}

function hasGroup(node: RegexNode): boolean {
  return node.kind === 'group' || children(node).some(hasGroup)
}

function hasChoice(node: RegexNode): boolean {
  return node.kind === 'choice' || node.kind === 'repeat' || children(node).some(hasChoice)
}

/** Whether a match of this node may skip one of its groups. */
function hasOptionalGroup(node: RegexNode): boolean {
  if (node.kind === 'choice' || (node.kind === 'repeat' && node.min === 0)) return hasGroup(node)
  return children(node).some(hasOptionalGroup)
}
