/** Literals: strings, regular expressions, arrays, hashes and ranges. */
import { splat, toHash } from '../runtime/convert.ts'
import { compare, isNumber, toS } from '../runtime/dispatch.ts'
import { argumentError } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { charge } from '../runtime/limits.ts'
import { RRange, symbol, type Value } from '../runtime/model.ts'
import { RRegexp, regexpOf } from '../runtime/regexp.ts'
import { type RString, str } from '../runtime/string.ts'
import type { HashPair, Node } from '../syntax/ast.ts'
import { RubySyntaxError } from '../syntax/ast.ts'
import type { Compiler } from './compiler.ts'
import type { Op } from './scope.ts'

export function compileText(compiler: Compiler, parts: readonly Node[], isSymbol: boolean): Op {
  const ops = parts.map((part): string | Op => (part.type === 'str' ? part.value : compiler.expr(part)))
  const join: (frame: Parameters<Op>[0]) => string = (frame) => {
    let text = ''
    for (const op of ops) text += typeof op === 'string' ? op : toS(op(frame))
    return text
  }
  return isSymbol ? (frame) => symbol(join(frame)) : (frame) => str(join(frame))
}

export function compileRegex(compiler: Compiler, node: Extract<Node, { type: 'regex' }>): Op {
  const flags = node.flags.replace(/[^imx]/g, '')
  const fixed = node.parts.every((part) => part.type === 'str')
  if (fixed) {
    const source = node.parts.map((part) => (part as { value: string }).value).join('')
    let regexp: RRegexp
    try {
      regexp = regexpOf(source, flags)
    } catch (error) {
      throw new RubySyntaxError(
        `${(error as { exception?: { message: RString } }).exception?.message.text ?? (error as Error).message}`,
        node.line,
      )
    }
    return () => regexp
  }
  const ops = node.parts.map((part): string | Op => (part.type === 'str' ? part.value : compiler.expr(part)))
  return (frame) => {
    let source = ''
    for (const op of ops) {
      if (typeof op === 'string') source += op
      else {
        const value = op(frame)
        source += value instanceof RRegexp ? embedded(value) : toS(value)
      }
    }
    return regexpOf(source, flags)
  }
}

/** An interpolated expression keeps its own options. */
export function embedded(regexp: RRegexp): string {
  const off = (regexp.multiline ? '' : 'm') + (regexp.ignoreCase ? '' : 'i') + (regexp.extended ? '' : 'x')
  return `(?${regexp.flags}${off === '' ? '' : `-${off}`}:${regexp.source})`
}

export function compileArray(compiler: Compiler, items: readonly Node[]): Op {
  if (items.some((item) => item.type === 'splat')) {
    const parts = items.map((item) => ({
      isSplat: item.type === 'splat',
      op: compiler.expr(item.type === 'splat' ? item.value : item),
    }))
    return (frame) => {
      const list: Value[] = []
      for (const { isSplat, op } of parts) {
        const value = op(frame)
        if (isSplat) {
          const spread = splat(value)
          charge(spread.length)
          for (const one of spread) list.push(one)
        } else list.push(value)
      }
      return list
    }
  }
  const ops = items.map((item) => compiler.expr(item))
  if (ops.length === 0) return () => []
  if (ops.length === 1) {
    const only = ops[0]!
    return (frame) => [only(frame)]
  }
  if (ops.length === 2) {
    const [first, second] = ops as [Op, Op]
    return (frame) => [first(frame), second(frame)]
  }
  return (frame) => {
    const list: Value[] = []
    for (let i = 0; i < ops.length; i++) list.push(ops[i]!(frame))
    return list
  }
}

/** `isKeywords` for keyword arguments such as `f(a: 1)`, which have no braces. */
export function compileHash(compiler: Compiler, pairs: readonly HashPair[], isKeywords: boolean): Op {
  const ops = pairs.map(({ key, value }) => ({
    key: key === undefined ? undefined : compiler.expr(key),
    value: compiler.expr(value),
  }))
  return (frame) => {
    const hash = new RHash()
    for (let i = 0; i < ops.length; i++) {
      const { key, value } = ops[i]!
      if (key !== undefined) hash.set(key(frame), value(frame))
      else {
        const more = value(frame)
        if (more !== null)
          for (const entry of toHash(more).entries()) {
            // A duplicate key moves to the end, as in Ruby.
            hash.delete(entry.key)
            hash.set(entry.key, entry.value)
          }
      }
    }
    hash.isKeywords = isKeywords
    return hash
  }
}

export function compileRange(compiler: Compiler, node: Extract<Node, { type: 'range' }>): Op {
  const from = node.from === undefined ? () => null : compiler.expr(node.from)
  const to = node.to === undefined ? () => null : compiler.expr(node.to)
  const { isExclusive } = node
  const isFixed = [node.from, node.to].every((end) => end === undefined || end.type === 'int')
  if (isFixed) {
    const range = new RRange(from(undefined as never), to(undefined as never), isExclusive)
    return () => range
  }
  return (frame) => makeRange(from(frame), to(frame), isExclusive)
}

export function makeRange(from: Value, to: Value, isExclusive: boolean): RRange {
  if (from !== null && to !== null && !(isNumber(from) && isNumber(to)) && comparesTo(from, to) === null)
    throw argumentError('bad value for range')
  return new RRange(from, to, isExclusive)
}

function comparesTo(a: Value, b: Value): number | null {
  try {
    return compare(a, b)
  } catch {
    return null
  }
}
