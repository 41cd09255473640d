/** Enumerator: method calls without their block, `with_index`, `next`, and lazy enumerators. */
import { ANY, define, defineStatic, makeClass } from '../../runtime/classes.ts'
import { toInt } from '../../runtime/convert.ts'
import { inspect, send, truthy, yield1, yield2 } from '../../runtime/dispatch.ts'
import { raise } from '../../runtime/errors.ts'
import { RObject, type RProc, RRange, type Value } from '../../runtime/model.ts'
import { str } from '../../runtime/string.ts'
import { checkedCount } from './array.ts'
import {
  ArithmeticSequence,
  EnumeratorClass,
  enumerator,
  iterate,
  listOf,
  nativeBlock,
  REnumerator,
} from './iterate.ts'

const YielderClass = makeClass('Yielder', undefined, EnumeratorClass)

/** The yielder that the block of `Enumerator.new` receives. */
class RYielder extends RObject {
  readonly give: (args: Value[]) => Value
  constructor(give: (args: Value[]) => Value) {
    super(YielderClass)
    this.give = give
  }
}
define<RYielder>(YielderClass, '<<', 1, (self, [item]) => {
  self.give([item!])
  return self
})
define<RYielder>(YielderClass, 'yield call', ANY, (self, args) => self.give(args))

class RGenerator extends RObject {
  readonly body: RProc
  constructor(body: RProc) {
    super(EnumeratorClass)
    this.body = body
  }
}
const GeneratorClass = makeClass('Generator', undefined, EnumeratorClass)
defineStatic(EnumeratorClass, 'new', ANY, (_self, _args, block) => {
  const generator = new RGenerator(block!)
  generator.cls = GeneratorClass
  return enumerator(generator, 'each')
})
define<RGenerator>(GeneratorClass, 'each', 0, (self, _args, block) =>
  self.body.call([new RYielder((args) => block!.call(args, null))], null),
)

define<REnumerator>(EnumeratorClass, 'each', ANY, (self, args, block) =>
  block === null ? self : send(self.receiver, self.method, [...self.args, ...args], block),
)
define<REnumerator>(EnumeratorClass, 'with_index each_with_index', [0, 1], (self, [offset], block) => {
  if (block === null) return enumerator(self, 'with_index', offset === undefined ? [] : [offset])
  let i = offset === undefined || offset === null ? 0 : toInt(offset)
  const proc = nativeBlock((args) => yield2(block, args.length === 1 ? args[0]! : args, i++))
  return send(self.receiver, self.method, self.args, proc)
})
define<REnumerator>(EnumeratorClass, 'with_object', 1, (self, [memo], block) => {
  if (block === null) return enumerator(self, 'with_object', [memo!])
  iterate(self, (item) => void yield2(block!, item, memo!))
  return memo!
})
define<REnumerator>(EnumeratorClass, 'size', 0, (self) => {
  if (self.method === 'loop') return null
  return Array.isArray(self.receiver) &&
    /^(?:each|map|each_with_index|select|reject|collect|filter|each_entry)$/.test(self.method)
    ? self.receiver.length
    : listOf(self).length
})
define<REnumerator>(EnumeratorClass, 'inspect to_s', 0, (self) => {
  const args = self.args.length === 0 ? '' : `(${self.args.map(inspect).join(', ')})`
  return str(
    self.isLazy
      ? `#<Enumerator::Lazy: ${inspect(self.receiver)}>`
      : `#<Enumerator: ${inspect(self.receiver)}:${self.method}${args}>`,
  )
})
define<REnumerator>(ArithmeticSequence, 'inspect to_s', 0, (self) => {
  const from = self.receiver instanceof RRange ? `(${inspect(self.receiver)})` : inspect(self.receiver)
  return str(`(${from}.${self.method}(${self.args.map(inspect).join(', ')}))`)
})
define<REnumerator>(ArithmeticSequence, 'begin', 0, (self) =>
  self.receiver instanceof RRange ? self.receiver.from : self.receiver,
)
define<REnumerator>(ArithmeticSequence, 'step', 0, (self) => self.args[self.receiver instanceof RRange ? 0 : 1] ?? 1)
define<REnumerator>(ArithmeticSequence, 'last', [0, 1], (self, args) => send(listOf(self), 'last', args))
define<REnumerator>(
  ArithmeticSequence,
  '==',
  1,
  (self, [other]) => other instanceof REnumerator && inspect(self) === inspect(other),
)
define<REnumerator>(EnumeratorClass, 'rewind', 0, (self) => {
  self.position = 0
  return self
})

/** `next` reads at most this many items, which are buffered on first use. */
const AHEAD_MAX = 100_000

function buffered(self: REnumerator): Value[] {
  if (self.buffer === undefined) {
    const items: Value[] = []
    iterate(self, (item) => {
      items.push(item)
      return items.length >= AHEAD_MAX
    })
    self.buffer = items
  }
  return self.buffer
}
define<REnumerator>(EnumeratorClass, 'next', 0, (self) => {
  const items = buffered(self)
  if (self.position >= items.length) throw raise('StopIteration', 'iteration reached an end')
  return items[self.position++]!
})
define<REnumerator>(EnumeratorClass, 'peek', 0, (self) => {
  const items = buffered(self)
  if (self.position >= items.length) throw raise('StopIteration', 'iteration reached an end')
  return items[self.position]!
})

/** A lazy step. It reads the source only as far as items are requested. */
class RLazyStep extends RObject {
  readonly source: Value
  readonly visit: (item: Value, give: (item: Value) => void) => unknown
  constructor(source: Value, visit: (item: Value, give: (item: Value) => void) => unknown) {
    super(LazyStepClass)
    this.source = source
    this.visit = visit
  }
}
const LazyStepClass = makeClass('LazyStep', undefined, EnumeratorClass)
define<RLazyStep>(LazyStepClass, 'each', 0, (self, _args, block) => {
  iterate(self.source, (item) => self.visit(item, (result) => void yield1(block!, result)))
  return null
})

function lazy(
  name: string,
  arity: Parameters<typeof define>[2],
  make: (args: Value[], block: RProc | null) => (item: Value, give: (item: Value) => void) => unknown,
): void {
  const eager = EnumeratorClass.find(name)
  for (const one of name.split(' ')) {
    const fallback = EnumeratorClass.find(one) ?? eager
    define<REnumerator>(EnumeratorClass, one, arity, (self, args, block) => {
      if (!self.isLazy) return fallback!.call(self, args, block)
      const made = enumerator(new RLazyStep(self, make(args, block)), 'each')
      made.isLazy = true
      return made
    })
  }
}
lazy('map collect', 0, (_args, block) => (item, give) => give(yield1(block!, item)))
lazy('select filter', 0, (_args, block) => (item, give) => {
  if (truthy(yield1(block!, item))) give(item)
})
lazy('reject', 0, (_args, block) => (item, give) => {
  if (!truthy(yield1(block!, item))) give(item)
})
lazy('filter_map', 0, (_args, block) => (item, give) => {
  const result = yield1(block!, item)
  if (truthy(result)) give(result)
})
lazy('flat_map', 0, (_args, block) => (item, give) => {
  const result = yield1(block!, item)
  if (Array.isArray(result)) for (const one of result) give(one)
  else give(result)
})
lazy('take_while', 0, (_args, block) => (item, give) => {
  if (!truthy(yield1(block!, item))) return true
  give(item)
  return false
})
lazy('take', 1, ([count]) => {
  let left = checkedCount(count!)
  return (item, give) => {
    if (left-- <= 0) return true
    give(item)
    return left <= 0
  }
})
lazy('drop', 1, ([count]) => {
  let left = checkedCount(count!)
  return (item, give) => {
    if (left-- > 0) return
    give(item)
  }
})
define<REnumerator>(EnumeratorClass, 'force', 0, (self) => listOf(self))
define<REnumerator>(EnumeratorClass, 'eager', 0, (self) => listOf(self))
define<REnumerator>(EnumeratorClass, 'lazy', 0, (self) => {
  const made = enumerator(self, 'each')
  made.isLazy = true
  return made
})
EnumeratorClass.constants.set('Lazy', makeClass('Lazy', EnumeratorClass, EnumeratorClass))
