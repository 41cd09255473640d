/** java.util.stream.Collectors. */
import { illegalState, nullPointer } from '../../errors/java-throwable.ts'
import { boxDouble } from '../boxing.ts'
import { castFailure, checkInstance, isInstance } from '../class-of.ts'
import type { JCollection } from '../collections/collection.ts'
import { JHashMap } from '../collections/hash-map.ts'
import { JArrayList } from '../collections/list.ts'
import type { JMap } from '../collections/map.ts'
import { newHashSet } from '../collections/sets.ts'
import { simpleEnum } from '../java-enum.ts'
import { type JArray, type JFunction, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString, spendMemory } from '../limits.ts'
import { registerStatics } from '../registry.ts'
import { EMPTY, optionalOf } from './optional.ts'
import { Statistics } from './statistics.ts'

/** Accumulates elements one by one. `finish` returns the result. */
interface Accumulator {
  add(value: unknown): void
  finish(): unknown
}

export class Collector extends JObject {
  readonly start: () => Accumulator

  constructor(start: () => Accumulator) {
    super()
    this.start = start
  }

  get $class(): string {
    return 'java.util.stream.Collectors$CollectorImpl'
  }

  override get $listed(): string {
    return 'java.util.stream.Collector'
  }

  collect(values: Iterable<unknown>): unknown {
    const accumulator = this.start()
    for (const value of values) accumulator.add(value)
    return accumulator.finish()
  }
}

const [, , IDENTITY_FINISH] = simpleEnum('java.util.stream.Collector$Characteristics', [
  'CONCURRENT', 'UNORDERED', 'IDENTITY_FINISH',
]) // biome-ignore format: a list

function custom(
  supply: JFunction,
  add: JFunction,
  combine: JFunction,
  finish: JFunction | null,
  traits: JArray,
): Collector {
  if (supply === null || add === null || combine === null || traits === null) throw nullPointer()
  const end = traits.items.includes(IDENTITY_FINISH) ? null : finish
  return new Collector(() => {
    const container = supply.call()
    return {
      add: (value) => void add.call(container, value),
      finish: () => (end === null ? container : end.call(container)),
    }
  })
}

registerStatics('java.util.stream.Collector', {
  of_4: (supply: JFunction, add: JFunction, combine: JFunction, traits: JArray) =>
    custom(supply, add, combine, null, traits),
  of_5: (supply: JFunction, add: JFunction, combine: JFunction, finish: JFunction | null, traits: JArray) => {
    if (finish === null) throw nullPointer()
    return custom(supply, add, combine, finish, traits)
  },
})

const into = (make: () => JCollection) =>
  new Collector(() => {
    const collection = make()
    return { add: (value) => void collection.add_1(value), finish: () => collection }
  })

function reducing(identity: { value: unknown } | undefined, map: JFunction | null, operator: JFunction): Collector {
  return new Collector(() => {
    let result = identity
    return {
      add(value) {
        const mapped = map === null ? value : map.call(value)
        result = { value: result === undefined ? mapped : operator.call(result.value, mapped) }
      },
      finish: () =>
        identity === undefined ? (result === undefined ? EMPTY : optionalOf(result.value)) : result!.value,
    }
  })
}

const summarized = (kind: string, map: JFunction, finish: (statistics: Statistics) => unknown) =>
  new Collector(() => {
    const statistics = new Statistics(kind)
    return { add: (value) => statistics.accept(map.call(value)), finish: () => finish(statistics) }
  })

function joining(separator = '', prefix = '', suffix = ''): Collector {
  return new Collector(() => {
    let text: string | undefined
    return {
      add(value) {
        if (value !== null && !isInstance(value, 'java.lang.CharSequence'))
          throw castFailure(value, 'java.lang.CharSequence')
        text = text === undefined ? textOf(value) : text + separator + textOf(value)
        checkString(1)
      },
      finish() {
        const result = prefix + (text ?? '') + suffix
        checkString(result.length)
        return result
      },
    }
  })
}

function toMap(key: JFunction, value: JFunction, merge: JFunction | null, make: () => JMap): Collector {
  return new Collector(() => {
    const map = make()
    return {
      add(item) {
        const k = key.call(item)
        const v = value.call(item)
        if (v === null) throw nullPointer()
        if (merge !== null) map.merge_3(k, v, merge)
        else {
          const old = map.putIfAbsent_2(k, v)
          if (old !== null)
            throw illegalState(`Duplicate key ${textOf(k)} (attempted merging values ${textOf(old)} and ${textOf(v)})`)
        }
      },
      finish: () => map,
    }
  })
}

function groupingBy(classify: JFunction, make: () => JMap, downstream: Collector): Collector {
  return new Collector(() => {
    const map = make()
    return {
      add(value) {
        const key = classify.call(value)
        if (key === null) throw nullPointer('element cannot be mapped to a null key')
        let group = map.get_1(key) as Accumulator | null
        if (group === null) {
          spendMemory(4)
          group = downstream.start()
          map.insertFirst(key, group)
        }
        group.add(value)
      },
      finish() {
        for (const entry of map.entries()) entry.setValue_1((entry.value as Accumulator).finish())
        return map
      },
    }
  })
}

function partitioningBy(test: JFunction, downstream: Collector): Collector {
  return new Collector(() => {
    const no = downstream.start()
    const yes = downstream.start()
    return {
      add: (value) => (test.call(value) ? yes : no).add(value),
      finish() {
        const map = new JHashMap(true, 16, 'java.util.LinkedHashMap')
        map.put_2(false, no.finish())
        map.put_2(true, yes.finish())
        return map
      },
    }
  })
}

const toList = () => into(() => new JArrayList())
const hashMap = () => new JHashMap()

const extreme = (order: JFunction, sign: number) =>
  new Collector(() => {
    let best: { value: unknown } | undefined
    return {
      add(value) {
        if (best === undefined) best = { value }
        else {
          const c = order.call(best.value, value) * sign
          // Both maxBy and minBy keep the first of equal elements.
          if (c < 0) best = { value }
        }
      },
      finish: () => (best === undefined ? EMPTY : optionalOf(best.value)),
    }
  })

/** The map that a supplier of the script makes. */
function madeMap(make: JFunction): JMap {
  const map: JMap | null = checkInstance(make.call(), 'java.util.Map')
  if (map === null) throw nullPointer()
  return map
}

registerStatics('java.util.stream.Collectors', {
  toList_0: toList,
  toSet_0: () => into(() => newHashSet()),
  toCollection_1: (supplier: JFunction) => into(() => supplier.call()),
  joining_0: () => joining(),
  joining_1: (separator: unknown) => joining(textOf(separator)),
  joining_3: (separator: unknown, prefix: unknown, suffix: unknown) =>
    joining(textOf(separator), textOf(prefix), textOf(suffix)),
  counting_0: () =>
    new Collector(() => {
      let count = 0n
      return {
        add() {
          count++
        },
        finish: () => count,
      }
    }),
  mapping_2: (map: JFunction, downstream: Collector) =>
    new Collector(() => {
      const inner = downstream.start()
      return { add: (value) => inner.add(map.call(value)), finish: () => inner.finish() }
    }),
  collectingAndThen_2: (downstream: Collector, finish: JFunction) =>
    new Collector(() => {
      const inner = downstream.start()
      return { add: (value) => inner.add(value), finish: () => finish.call(inner.finish()) }
    }),
  groupingBy_1: (classify: JFunction) => groupingBy(classify, hashMap, toList()),
  groupingBy_2: (classify: JFunction, downstream: Collector) => groupingBy(classify, hashMap, downstream),
  groupingBy_3: (classify: JFunction, make: JFunction, downstream: Collector) =>
    groupingBy(classify, () => madeMap(make), downstream),
  partitioningBy_1: (test: JFunction) => partitioningBy(test, toList()),
  partitioningBy_2: partitioningBy,
  toMap_2: (key: JFunction, value: JFunction) => toMap(key, value, null, hashMap),
  toMap_3: (key: JFunction, value: JFunction, merge: JFunction) => toMap(key, value, merge, hashMap),
  toMap_4: (key: JFunction, value: JFunction, merge: JFunction, make: JFunction) =>
    toMap(key, value, merge, () => madeMap(make)),
  reducing_1: (operator: JFunction) => reducing(undefined, null, operator),
  reducing_2: (identity: unknown, operator: JFunction) => reducing({ value: identity }, null, operator),
  reducing_3: (identity: unknown, map: JFunction, operator: JFunction) => reducing({ value: identity }, map, operator),
  maxBy_1: (order: JFunction) => extreme(order, 1),
  minBy_1: (order: JFunction) => extreme(order, -1),
  summingInt_1: (map: JFunction) => summarized('Int', map, (s) => Number(BigInt.asIntN(32, s.getSum_0() as bigint))),
  summingLong_1: (map: JFunction) => summarized('Long', map, (s) => s.getSum_0()),
  summingDouble_1: (map: JFunction) => summarized('Double', map, (s) => boxDouble(s.sum())),
  averagingInt_1: (map: JFunction) => summarized('Int', map, (s) => boxDouble(s.getAverage_0())),
  averagingLong_1: (map: JFunction) => summarized('Long', map, (s) => boxDouble(s.getAverage_0())),
  averagingDouble_1: (map: JFunction) => summarized('Double', map, (s) => boxDouble(s.getAverage_0())),
  summarizingInt_1: (map: JFunction) => summarized('Int', map, (s) => s),
  summarizingLong_1: (map: JFunction) => summarized('Long', map, (s) => s),
  summarizingDouble_1: (map: JFunction) => summarized('Double', map, (s) => s),
})
