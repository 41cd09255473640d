/** Parses the `[…]` of Ruby expressions: ranges, POSIX names, nested classes, intersections. */
import { readEscape } from './read-escape.ts'
import { type ClassName, type ClassNode, RegexSyntaxError } from './regex-tree.ts'

const POSIX: readonly string[] = [
  'alnum',
  'alpha',
  'ascii',
  'blank',
  'cntrl',
  'digit',
  'graph',
  'lower',
  'print',
  'punct',
  'space',
  'upper',
  'word',
  'xdigit',
]

/** Patterns repeat the same few classes, so equal classes share a node and are emitted once. */
const known = new Map<string, ClassNode>()
const KNOWN_MAX = 5000

/** `start` is after the opening bracket, `end` after the closing one. */
export function parseClass(source: string, start: number): { set: ClassNode; end: number } {
  const parsed = readClass(source, start)
  const text = source.slice(start, parsed.end)
  const set = known.get(text)
  if (set !== undefined) return { set, end: parsed.end }
  if (known.size < KNOWN_MAX) known.set(text, parsed.set)
  return parsed
}

function readClass(source: string, start: number): { set: ClassNode; end: number } {
  let at = start
  const negated = source[at] === '^'
  if (negated) at++
  const sides: ClassNode[] = []
  let items: ClassNode[] = []
  let first = true
  for (;;) {
    const char = source[at]
    if (char === undefined) throw new RegexSyntaxError('premature end of char-class', source)
    if (char === ']' && !first) {
      at++
      break
    }
    first = false
    if (source.startsWith('&&', at)) {
      sides.push({ type: 'union', items, negated: false })
      items = []
      at += 2
      continue
    }
    const item = readItem(source, at)
    at = item.end
    if (item.code !== undefined && isRange(source, at)) {
      const to = readItem(source, at + 1)
      if (to.code !== undefined) {
        if (to.code < item.code) throw new RegexSyntaxError('empty range in char class', source)
        items.push({ type: 'range', from: item.code, to: to.code })
        at = to.end
        continue
      }
    }
    items.push(item.code === undefined ? item.set! : { type: 'range', from: item.code, to: item.code })
  }
  if (sides.length === 0) return { set: { type: 'union', items, negated }, end: at }
  sides.push({ type: 'union', items, negated: false })
  return { set: { type: 'intersection', items: sides, negated }, end: at }
}

/** A minus before the closing bracket is literal. */
function isRange(source: string, at: number): boolean {
  return source[at] === '-' && source[at + 1] !== ']' && source[at + 1] !== undefined
}

interface Item {
  readonly code?: number
  readonly set?: ClassNode
  readonly end: number
}

function readItem(source: string, at: number): Item {
  const char = source[at]!
  if (char === '[') {
    const posix = /\[:(\^?)([a-z]+):\]/y
    posix.lastIndex = at
    const match = posix.exec(source)
    if (match !== null && POSIX.includes(match[2]!)) {
      const set: ClassNode = { type: 'named', name: match[2] as ClassName, negated: match[1] === '^' }
      return { set, end: at + match[0].length }
    }
    return parseClass(source, at + 1)
  }
  if (char !== '\\') {
    const code = source.codePointAt(at)!
    return { code, end: at + (code > 0xffff ? 2 : 1) }
  }
  const letter = source[at + 1]
  if (letter === undefined) throw new RegexSyntaxError('end pattern at escape', source)
  if ('wdshWDSH'.includes(letter)) {
    const name = letter.toLowerCase() as ClassName
    return { set: { type: 'named', name, negated: letter !== name }, end: at + 2 }
  }
  if (letter === 'p' || letter === 'P') {
    const property = /\{(\^?)([A-Za-z_ ]+)\}/y
    property.lastIndex = at + 2
    const match = property.exec(source)
    if (match === null) throw new RegexSyntaxError('invalid character property name', source)
    return { set: propertyClass(match[2]!, (letter === 'P') !== (match[1] === '^')), end: at + 2 + match[0].length }
  }
  if (letter === 'b') return { code: 8, end: at + 2 }
  return readEscape(source, at + 1)
}

/** `\p{Alpha}` and similar names are POSIX names in any case; other names are Unicode properties. */
export function propertyClass(name: string, negated: boolean): ClassNode {
  const plain = name.toLowerCase().replace(/[ _]/g, '')
  if (POSIX.includes(plain)) return { type: 'named', name: plain as ClassName, negated }
  const known = [`\\p{${name}}`, `\\p{Script=${name}}`].find(isProperty)
  if (known === undefined) throw new RegexSyntaxError(`invalid character property name {${name}}`, name)
  return { type: 'property', name: known.slice(3, -1), negated }
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(name, 'u') !== undefined
  } catch {
    return false
  }
}
