/** Iterates over collections of any type from JavaScript. */
import { Enumerable, makeClass, nameOf, realClassOf, setClass } from '../../runtime/classes.ts'
import { compareText, order, send, truthy } from '../../runtime/dispatch.ts'
import { BreakJump, typeError } from '../../runtime/errors.ts'
import { RHash } from '../../runtime/hash.ts'
import { charge, step } from '../../runtime/limits.ts'
import { RBasic, RFloat, RProc, RRange, type Value } from '../../runtime/model.ts'
import { RString, str } from '../../runtime/string.ts'
import { succText } from '../strings/succ.ts'

/** A method call whose block is still missing, such as `[1, 2].each`. */
export class REnumerator extends RBasic {
  readonly receiver: Value
  readonly method: string
  readonly args: Value[]
  isLazy = false
  /** The items that `next` returns, read on first use. */
  buffer: Value[] | undefined
  position = 0

  constructor(receiver: Value, method: string, args: Value[]) {
    super()
    this.receiver = receiver
    this.method = method
    this.args = args
  }
}

export const EnumeratorClass = makeClass('Enumerator')
EnumeratorClass.included.push(Enumerable)
setClass(REnumerator, EnumeratorClass)

/** The class of `1.step(10, 2)` and `(1..10).step(2)`. */
export const ArithmeticSequence = makeClass('ArithmeticSequence', EnumeratorClass, EnumeratorClass)

export function enumerator(receiver: Value, method: string, args: Value[] = []): REnumerator {
  const made = new REnumerator(receiver, method, args)
  const isSteps = method === 'step' || method === '%'
  if (
    isSteps &&
    (typeof receiver === 'number' ||
      receiver instanceof RFloat ||
      (receiver instanceof RRange && typeof receiver.from !== 'object'))
  ) {
    made.cls = ArithmeticSequence
  }
  return made
}

/** Calls `visit` for each item until it returns true. */
export function iterate(self: Value, visit: (item: Value) => unknown): void {
  if (Array.isArray(self)) {
    for (let i = 0; i < self.length; i++) if (visit(self[i]!) === true) return
  } else if (self instanceof RHash) {
    self.iterating++
    try {
      for (const { key, value } of self.entries()) if (visit([key, value]) === true) return
    } finally {
      self.iterating--
    }
  } else if (self instanceof RRange) iterateRange(self, visit)
  else {
    const [receiver, method, args] =
      self instanceof REnumerator ? [self.receiver, self.method, self.args] : [self, 'each', []]
    const tag = {}
    const proc = nativeBlock((args) => {
      step()
      if (visit(args.length === 1 ? args[0]! : args) === true) throw new BreakJump(tag, null)
      return null
    })
    try {
      send(receiver, method, args, proc)
    } catch (error) {
      if (!(error instanceof BreakJump) || error.tag !== tag) throw error
    }
  }
}

/** A block written in JavaScript. */
export function nativeBlock(call: (args: Value[]) => Value): RProc {
  return new RProc((args) => call(args))
}

export function iterateRange(range: RRange, visit: (item: Value) => unknown): void {
  const { from, to, isExclusive } = range
  if (typeof from === 'number' && (to === null || typeof to === 'number' || to instanceof RFloat)) {
    const end = to === null ? Number.POSITIVE_INFINITY : to instanceof RFloat ? to.value : to
    for (let i = from; isExclusive ? i < end : i <= end; i++) {
      step()
      if (visit(i) === true) return
    }
    return
  }
  if (from instanceof RString) {
    iterateTexts(from.text, to instanceof RString ? to.text : undefined, isExclusive, visit)
    return
  }
  if (from === null || from instanceof RFloat) throw typeError(`can't iterate from ${nameOf(realClassOf(from))}`)
  if (typeof from === 'object' && (Array.isArray(from) || realClassOf(from).find('succ') === undefined))
    throw typeError(`can't iterate from ${nameOf(realClassOf(from))}`)
  for (let item: Value = from; to === null || order(item, to) < (isExclusive ? 0 : 1); item = send(item, 'succ')) {
    step()
    if (visit(item) === true) return
  }
}

function iterateTexts(
  from: string,
  to: string | undefined,
  isExclusive: boolean,
  visit: (item: Value) => unknown,
): void {
  if (to !== undefined && (from.length > to.length || (from.length === to.length && compareText(from, to) > 0))) return
  for (let item = from; ; item = succText(item)) {
    step()
    if (to !== undefined && item.length > to.length) return
    if (item === to && isExclusive) return
    if (visit(str(item)) === true || item === to) return
  }
}

/** All items as a new array. */
export function listOf(self: Value): Value[] {
  if (Array.isArray(self)) return self
  const list: Value[] = []
  iterate(self, (item) => {
    list.push(item)
    if ((list.length & 1023) === 0) charge(1024)
  })
  return list
}

/** A predicate: a block, a pattern, or the truth of the item. */
export function tester(args: Value[], block: RProc | null): (item: Value) => boolean {
  if (args.length > 0) {
    const pattern = args[0]!
    return (item) => truthy(send(pattern, '===', [item]))
  }
  if (block === null) return truthy
  return (item) => {
    step()
    return truthy(block.call1 !== undefined ? block.call1(item) : block.call([item], null))
  }
}
