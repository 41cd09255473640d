/** Streams of objects and of primitives. They are lazy and can be consumed once. */
import { illegalArgument, illegalState, nullPointer } from '../../errors/java-throwable.ts'
import { toDef } from '../boxing.ts'
import { castFailure, checkInstance } from '../class-of.ts'
import { streams } from '../collections/collection.ts'
import { JHashMap } from '../collections/hash-map.ts'
import { iteratorFrom, JIterator } from '../collections/iterable.ts'
import { compareDoubles, compareTo } from '../equality.ts'
import { JArray, type JFunction, JObject } from '../java-object.ts'
import { charStreams } from '../lang/strings.ts'
import { spendMemory, spendSteps } from '../limits.ts'
import { registerStatics } from '../registry.ts'
import { sortInPlace } from '../sorting.ts'
import type { Collector } from './collectors.ts'
import { JOptional, optionalOf } from './optional.ts'
import { Statistics } from './statistics.ts'

type Kind = '' | 'Int' | 'Long' | 'Double'

const ELEMENTS: Readonly<Record<Kind, string>> = { '': 'def', Int: 'int', Long: 'long', Double: 'double' }

export class JStream extends JObject {
  readonly kind: Kind
  #values: Iterable<unknown> | undefined
  readonly #source: boolean
  /** The number of elements, if it is known without running the steps. */
  readonly #size: (() => number) | undefined

  constructor(values: Iterable<unknown>, kind: Kind = '', source = true, size?: () => number) {
    super()
    this.#values = values
    this.kind = kind
    this.#source = source
    this.#size = size
  }

  get $class(): string {
    const name = this.kind === '' ? 'Reference' : this.kind
    return `java.util.stream.${name}Pipeline$${this.#source ? 'Head' : '3'}`
  }

  override get $listed(): string {
    return `java.util.stream.${this.kind}Stream`
  }

  /** The elements. This consumes the stream. */
  #take(): Iterable<unknown> {
    const values = this.#values
    if (values === undefined) throw illegalState('stream has already been operated upon or closed')
    this.#values = undefined
    return counted(values)
  }

  #next(
    generate: (values: Iterable<unknown>) => Generator<unknown>,
    kind: Kind = this.kind,
    size?: () => number,
  ): JStream {
    const values = this.#take()
    return new JStream({ [Symbol.iterator]: () => generate(values) }, kind, false, size)
  }

  #mapped(map: JFunction, kind: Kind): JStream {
    return this.#next(
      function* (values) {
        for (const value of values) yield map.call(value)
      },
      kind,
      this.#size,
    )
  }

  #convert(convert: (value: unknown) => unknown, kind: Kind): JStream {
    return this.#next(
      function* (values) {
        for (const value of values) yield convert(value)
      },
      kind,
      this.#size,
    )
  }

  map_1(map: JFunction): JStream {
    return this.#mapped(map, this.kind)
  }

  mapToObj_1(map: JFunction): JStream {
    return this.#mapped(map, '')
  }

  mapToInt_1(map: JFunction): JStream {
    return this.#mapped(map, 'Int')
  }

  mapToLong_1(map: JFunction): JStream {
    return this.#mapped(map, 'Long')
  }

  mapToDouble_1(map: JFunction): JStream {
    return this.#mapped(map, 'Double')
  }

  boxed_0(): JStream {
    return this.#convert((value) => toDef(value, ELEMENTS[this.kind]), '')
  }

  asLongStream_0(): JStream {
    return this.#convert((value) => BigInt(value as number), 'Long')
  }

  asDoubleStream_0(): JStream {
    return this.#convert((value) => Number(value), 'Double')
  }

  sequential_0(): JStream {
    return this
  }

  unordered_0(): JStream {
    return this
  }

  isParallel_0(): boolean {
    return false
  }

  close_0 = (): void => {}

  #flat(map: JFunction, kind: Kind): JStream {
    const type = `java.util.stream.${kind}Stream`
    return this.#next(function* (values) {
      for (const value of values) {
        const inner: JStream | null = checkInstance(map.call(value), type)
        if (inner !== null) yield* inner.elements()
      }
    }, kind)
  }

  flatMap_1(map: JFunction): JStream {
    return this.#flat(map, this.kind)
  }

  flatMapToInt_1(map: JFunction): JStream {
    return this.#flat(map, 'Int')
  }

  flatMapToLong_1(map: JFunction): JStream {
    return this.#flat(map, 'Long')
  }

  flatMapToDouble_1(map: JFunction): JStream {
    return this.#flat(map, 'Double')
  }

  elements(): Iterable<unknown> {
    return this.#take()
  }

  filter_1(test: JFunction): JStream {
    return this.#next(function* (values) {
      for (const value of values) if (test.call(value)) yield value
    })
  }

  peek_1(action: JFunction): JStream {
    return this.#next(
      function* (values) {
        for (const value of values) {
          action.call(value)
          yield value
        }
      },
      this.kind,
      this.#size,
    )
  }

  distinct_0(): JStream {
    const { kind } = this
    return this.#next(function* (values) {
      const seen = new JHashMap(true)
      for (const value of values) {
        const key = toDef(value, ELEMENTS[kind])
        if (seen.containsKey_1(key)) continue
        seen.put_2(key, true)
        yield value
      }
    })
  }

  limit_1(count: bigint): JStream {
    if (count < 0n) throw illegalArgument(String(count))
    const most = Number(count)
    return this.#next(
      function* (values) {
        if (most === 0) return
        let taken = 0
        for (const value of values) {
          yield value
          if (++taken >= most) return
        }
      },
      this.kind,
      resized(this.#size, (size) => Math.min(size, most)),
    )
  }

  skip_1(count: bigint): JStream {
    if (count < 0n) throw illegalArgument(String(count))
    return this.#next(
      function* (values) {
        let left = Number(count)
        for (const value of values) if (left-- <= 0) yield value
      },
      this.kind,
      resized(this.#size, (size) => Math.max(0, size - Number(count))),
    )
  }

  sorted_0(): JStream {
    return this.#sorted(null)
  }

  sorted_1(order: JFunction): JStream {
    return this.#sorted(order)
  }

  #sorted(order: JFunction | null): JStream {
    const { kind } = this
    return this.#next(
      function* (values) {
        const items = [...values]
        if (kind === 'Double') items.sort((a, b) => compareDoubles(a as number, b as number))
        else sortInPlace(items, order)
        yield* items
      },
      kind,
      this.#size,
    )
  }

  forEach_1(action: JFunction): void {
    for (const value of this.#take()) action.call(value)
  }

  forEachOrdered_1(action: JFunction): void {
    this.forEach_1(action)
  }

  count_0(): bigint {
    const values = this.#take()
    // Java does not run the steps if it knows the number of elements.
    if (this.#size !== undefined) return BigInt(this.#size())
    let count = 0
    for (const _ of values) count++
    return BigInt(count)
  }

  anyMatch_1(test: JFunction): boolean {
    for (const value of this.#take()) if (test.call(value)) return true
    return false
  }

  allMatch_1(test: JFunction): boolean {
    for (const value of this.#take()) if (!test.call(value)) return false
    return true
  }

  noneMatch_1(test: JFunction): boolean {
    for (const value of this.#take()) if (test.call(value)) return false
    return true
  }

  findFirst_0(): JOptional {
    for (const value of this.#take())
      return this.kind === '' ? this.#some(value) : new JOptional(this.kind, true, value)
    return new JOptional(this.kind, false)
  }

  findAny_0(): JOptional {
    return this.findFirst_0()
  }

  /** An Optional cannot hold null. */
  #some(value: unknown): JOptional {
    if (value === null) throw new TypeError("Cannot read properties of null (reading 'value')")
    return optionalOf(value)
  }

  #extreme(order: (a: unknown, b: unknown) => number): JOptional {
    let best: { value: unknown } | undefined
    for (const value of this.#take()) if (best === undefined || order(value, best.value) > 0) best = { value }
    if (best === undefined) return new JOptional(this.kind, false)
    return this.kind === '' ? this.#some(best.value) : new JOptional(this.kind, true, best.value)
  }

  max_1(order: JFunction): JOptional {
    return this.#extreme((a, b) => (order.call(b, a) < 0 ? 1 : 0))
  }

  min_1(order: JFunction): JOptional {
    return this.#extreme((a, b) => (order.call(a, b) < 0 ? 1 : 0))
  }

  max_0(): JOptional {
    return this.#extreme(this.#natural())
  }

  min_0(): JOptional {
    return this.#extreme((a, b) => this.#natural()(b, a))
  }

  #natural(): (a: unknown, b: unknown) => number {
    return this.kind === 'Double' ? (a, b) => compareDoubles(a as number, b as number) : compareTo
  }

  sum_0(): unknown {
    const values = this.#take()
    if (this.kind === 'Double') {
      const statistics = new Statistics('Double')
      for (const value of values) statistics.accept(value as number)
      return statistics.sum()
    }
    if (this.kind === 'Int') {
      let sum = 0
      for (const value of values) sum = (sum + (value as number)) | 0
      return sum
    }
    let sum = 0n
    for (const value of values) sum = BigInt.asIntN(64, sum + (value as bigint))
    return sum
  }

  average_0(): JOptional {
    const statistics = this.summaryStatistics_0()
    return statistics.count === 0
      ? new JOptional('Double', false)
      : new JOptional('Double', true, statistics.getAverage_0())
  }

  summaryStatistics_0(): Statistics {
    const statistics = new Statistics(this.kind)
    for (const value of this.#take()) statistics.accept(value as number | bigint)
    return statistics
  }

  reduce_1(operator: JFunction): JOptional {
    let result: { value: unknown } | undefined
    for (const value of this.#take())
      result = { value: result === undefined ? value : operator.call(result.value, value) }
    if (result === undefined) return new JOptional(this.kind, false)
    return this.kind === '' ? this.#some(result.value) : new JOptional(this.kind, true, result.value)
  }

  reduce_2(identity: unknown, operator: JFunction): unknown {
    let result = identity
    for (const value of this.#take()) result = operator.call(result, value)
    return result
  }

  reduce_3(identity: unknown, accumulator: JFunction): unknown {
    return this.reduce_2(identity, accumulator)
  }

  collect_1(collector: Collector): unknown {
    return collector.collect(this.#take())
  }

  collect_3(supplier: JFunction, accumulator: JFunction): unknown {
    const container = supplier.call()
    for (const value of this.#take()) accumulator.call(container, value)
    return container
  }

  toArray_0(): JArray {
    const items = [...this.#take()]
    spendMemory(items.length)
    return new JArray(`${ELEMENTS[this.kind]}[]`, items)
  }

  toArray_1(generator: JFunction): JArray {
    const items = [...this.#take()]
    const array: unknown = generator.call(items.length)
    if (!(array instanceof JArray)) throw array === null ? nullPointer() : castFailure(array, '[Ljava.lang.Object;')
    return new JArray(array.type, items)
  }

  iterator_0(): JIterator {
    if (this.kind === '') return iteratorFrom(this.#take())
    const values = this.#take()[Symbol.iterator]()
    return new PrimitiveIterator(() => values.next(), undefined, `java.util.PrimitiveIterator.Of${this.kind}`)
  }
}

/** `next` boxes the values, which are unboxed in a stream of primitives. */
class PrimitiveIterator extends JIterator {
  override get $listed(): string {
    return this.$class
  }

  nextInt_0(): unknown {
    return super.next_0()
  }

  nextLong_0(): unknown {
    return super.next_0()
  }

  nextDouble_0(): unknown {
    return super.next_0()
  }

  override next_0(): unknown {
    return toDef(super.next_0(), this.$class.slice('java.util.PrimitiveIterator.Of'.length).toLowerCase())
  }
}

const resized = (size: (() => number) | undefined, change: (size: number) => number) =>
  size === undefined ? undefined : () => change(size())

/** Counts every element that passes as work. */
function* counted(values: Iterable<unknown>): Generator<unknown> {
  for (const value of values) {
    spendSteps(1)
    yield value
  }
}

streams.of = (values, size) => new JStream(values, '', true, size)
charStreams.ints = (values) => new JStream(values, 'Int', true, () => [...values].length)

function* range(from: number, to: number): Generator<number> {
  for (let i = from; i < to; i++) yield i
}

function* longRange(from: bigint, to: bigint): Generator<bigint> {
  for (let i = from; i < to; i++) yield i
}

function* both(a: JStream, b: JStream): Generator<unknown> {
  yield* a.elements()
  yield* b.elements()
}

class Builder extends JObject {
  readonly #items: unknown[] = []
  readonly #kind: Kind

  constructor(kind: Kind) {
    super()
    this.#kind = kind
  }

  get $class(): string {
    return `java.util.stream.Streams$${this.#kind}StreamBuilderImpl`
  }

  override get $listed(): string {
    return `java.util.stream.${this.#kind}Stream.Builder`
  }

  accept_1(value: unknown): void {
    spendMemory(1)
    this.#items.push(value)
  }

  add_1(value: unknown): this {
    this.accept_1(value)
    return this
  }

  build_0(): JStream {
    return new JStream(this.#items, this.#kind)
  }
}

for (const kind of ['', 'Int', 'Long', 'Double'] as const)
  registerStatics(`java.util.stream.${kind}Stream`, {
    of_1: (array: JArray) => new JStream(array.items, kind, true, () => array.items.length),
    empty_0: () => new JStream([], kind),
    concat_2: (a: JStream, b: JStream) => new JStream(both(a, b), kind),
    builder_0: () => new Builder(kind),
  })
registerStatics('java.util.stream.IntStream', {
  range_2: (from: number, to: number) => new JStream(range(from, to), 'Int', true, () => Math.max(0, to - from)),
  rangeClosed_2: (from: number, to: number) =>
    new JStream(range(from, to + 1), 'Int', true, () => Math.max(0, to + 1 - from)),
})
registerStatics('java.util.stream.LongStream', {
  range_2: (from: bigint, to: bigint) => new JStream(longRange(from, to), 'Long'),
  rangeClosed_2: (from: bigint, to: bigint) => new JStream(longRange(from, to + 1n), 'Long'),
})
