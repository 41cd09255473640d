/** `case … in`, `value in pattern` and `value => pattern`. */
import { caseEquals, inspect, respondsTo, send, truthy } from '../runtime/dispatch.ts'
import { raise } from '../runtime/errors.ts'
import type { Frame } from '../runtime/frame.ts'
import { RHash } from '../runtime/hash.ts'
import { symbol, type Value } from '../runtime/model.ts'
import type { CaseInNode, Node, Pattern } from '../syntax/ast.ts'
import { compileStore } from './assignments.ts'
import type { Compiler } from './compiler.ts'
import type { Op } from './scope.ts'

type Test = (frame: Frame, value: Value) => boolean

export function compileCaseIn(compiler: Compiler, node: CaseInNode, isStatement: boolean): Op {
  const subject = compiler.expr(node.subject)
  const clauses = node.clauses.map(({ pattern, guard, body }) => ({
    test: compilePattern(compiler, pattern),
    guard: guard === undefined ? undefined : compiler.expr(guard),
    body: compiler.compile(body, isStatement),
  }))
  const otherwise = node.otherwise === undefined ? undefined : compiler.compile(node.otherwise, isStatement)
  return (frame) => {
    const value = subject(frame)
    for (const { test, guard, body } of clauses) {
      if (test(frame, value) && (guard === undefined || truthy(guard(frame)))) return body(frame)
    }
    if (otherwise !== undefined) return otherwise(frame)
    throw raise('NoMatchingPatternError', inspect(value))
  }
}

export function compileMatches(compiler: Compiler, node: Extract<Node, { type: 'matches' }>): Op {
  const subject = compiler.expr(node.value)
  const test = compilePattern(compiler, node.pattern)
  return (frame) => {
    const value = subject(frame)
    const isMatch = test(frame, value)
    if (node.isTest) return isMatch
    if (!isMatch) throw raise('NoMatchingPatternError', inspect(value))
    return null
  }
}

function compilePattern(compiler: Compiler, pattern: Pattern): Test {
  switch (pattern.type) {
    case 'value': {
      const op = compiler.expr(pattern.value)
      return (frame, value) => caseEquals(op(frame), value)
    }
    case 'bind': {
      const store = compileStore(compiler, { type: 'lvar', name: pattern.name, line: 0 })
      return (frame, value) => {
        store(frame, value)
        return true
      }
    }
    case 'as': {
      const test = compilePattern(compiler, pattern.pattern)
      const store = compileStore(compiler, { type: 'lvar', name: pattern.name, line: 0 })
      return (frame, value) => {
        if (!test(frame, value)) return false
        store(frame, value)
        return true
      }
    }
    case 'either': {
      const tests = pattern.patterns.map((one) => compilePattern(compiler, one))
      return (frame, value) => tests.some((test) => test(frame, value))
    }
    case 'list':
      return compileList(compiler, pattern)
    case 'keys':
      return compileKeys(compiler, pattern)
  }
}

function compileList(compiler: Compiler, pattern: Extract<Pattern, { type: 'list' }>): Test {
  const constant = pattern.constant === undefined ? undefined : compiler.expr(pattern.constant)
  const before = pattern.before.map((one) => compilePattern(compiler, one))
  const after = pattern.after.map((one) => compilePattern(compiler, one))
  const { splat } = pattern
  const store =
    splat === undefined || splat === '' ? undefined : compileStore(compiler, { type: 'lvar', name: splat, line: 0 })
  return (frame, value) => {
    if (constant !== undefined && !caseEquals(constant(frame), value)) return false
    const list = deconstructed(value)
    if (list === undefined || list.length < before.length + after.length) return false
    if (splat === undefined && list.length !== before.length) return false
    if (!before.every((test, i) => test(frame, list[i]!))) return false
    const tail = list.length - after.length
    store?.(frame, list.slice(before.length, tail))
    return after.every((test, i) => test(frame, list[tail + i]!))
  }
}

function deconstructed(value: Value): Value[] | undefined {
  if (Array.isArray(value)) return value
  if (value === null || typeof value !== 'object' || !respondsTo(value, 'deconstruct')) return undefined
  const list = send(value, 'deconstruct')
  return Array.isArray(list) ? list : undefined
}

function compileKeys(compiler: Compiler, pattern: Extract<Pattern, { type: 'keys' }>): Test {
  const constant = pattern.constant === undefined ? undefined : compiler.expr(pattern.constant)
  const pairs = pattern.pairs.map(({ key, pattern: inner }) => ({
    key: symbol(key),
    test: compilePattern(compiler, inner ?? { type: 'bind', name: key }),
  }))
  const { rest } = pattern
  const store =
    rest === undefined || rest === null || rest === ''
      ? undefined
      : compileStore(compiler, { type: 'lvar', name: rest, line: 0 })
  return (frame, value) => {
    if (constant !== undefined && !caseEquals(constant(frame), value)) return false
    const hash = deconstructedKeys(value)
    if (hash === undefined) return false
    if (pairs.length === 0 && rest === undefined && hash.size > 0) return false
    for (const { key, test } of pairs) {
      const item = hash.get(key)
      if (item === undefined || !test(frame, item)) return false
    }
    if (rest === null) return hash.size === pairs.length
    if (store !== undefined) {
      const others = hash.copy()
      for (const { key } of pairs) others.delete(key)
      store(frame, others)
    }
    return true
  }
}

function deconstructedKeys(value: Value): RHash | undefined {
  if (value instanceof RHash) return value
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !respondsTo(value, 'deconstruct_keys'))
    return undefined
  const hash = send(value, 'deconstruct_keys', [null])
  return hash instanceof RHash ? hash : undefined
}
