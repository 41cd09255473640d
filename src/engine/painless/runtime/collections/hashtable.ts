/** java.util.Hashtable, with Java's order: from the last bucket to the first one, and the newest entry of a bucket first. */
import { nullPointer } from '../../errors/java-throwable.ts'
import { equals, hashCode } from '../equality.ts'
import { spendMemory } from '../limits.ts'
import { registerConstructors } from '../registry.ts'
import { JEnumeration } from './enumeration.ts'
import { JEntry, JMap } from './map.ts'

const SMALLEST = 11
const LOAD = 0.75

class JHashtable extends JMap {
  #buckets: JEntry[][]
  #size = 0

  constructor(capacity = SMALLEST) {
    super()
    this.#buckets = emptyBuckets(capacity)
  }

  get $class(): string {
    return 'java.util.Hashtable'
  }

  entries(): readonly JEntry[] {
    return this.#buckets.toReversed().flat()
  }

  entry(key: unknown): JEntry | undefined {
    return this.#bucketOf(key).find((entry) => equals(key, entry.key))
  }

  put_2(key: unknown, value: unknown): unknown {
    if (value === null) throw nullPointer()
    const found = this.entry(key)
    if (found !== undefined) return found.setValue_1(value)
    spendMemory(2)
    if (this.#size >= Math.trunc(this.#buckets.length * LOAD)) this.#grow()
    this.#bucketOf(key).unshift(new JEntry(key, value, 'java.util.Hashtable$Entry'))
    this.#size++
    this.changes++
    return null
  }

  remove_1(key: unknown): unknown {
    const bucket = this.#bucketOf(key)
    const at = bucket.findIndex((entry) => equals(key, entry.key))
    if (at < 0) return null
    this.#size--
    this.changes++
    return bucket.splice(at, 1)[0]!.value
  }

  clear_0(): void {
    this.#buckets = emptyBuckets(this.#buckets.length)
    this.#size = 0
    this.changes++
  }

  size_0(): number {
    return this.#size
  }

  contains_1(value: unknown): boolean {
    if (value === null) throw nullPointer()
    return this.containsValue_1(value)
  }

  keys_0(): JEnumeration {
    return new JEnumeration(this.keySet_0())
  }

  elements_0(): JEnumeration {
    return new JEnumeration(this.values_0())
  }

  clone_0(): JHashtable {
    spendMemory(2 * this.#size)
    const copy = new JHashtable(0)
    copy.#buckets = this.#buckets.map((bucket) =>
      bucket.map(({ key, value, nodeClass }) => new JEntry(key, value, nodeClass)),
    )
    copy.#size = this.#size
    return copy
  }

  #bucketOf(key: unknown): JEntry[] {
    if (key === null) throw nullPointer('Cannot invoke "Object.hashCode()" because "key" is null')
    return this.#buckets[(hashCode(key) & 0x7fffffff) % this.#buckets.length]!
  }

  #grow(): void {
    const entries = this.entries()
    this.#buckets = emptyBuckets(this.#buckets.length * 2 + 1)
    for (const entry of entries) this.#bucketOf(entry.key).unshift(entry)
  }
}

const emptyBuckets = (count: number): JEntry[][] => Array.from({ length: count }, () => [])

registerConstructors('java.util.Hashtable', {
  0: () => new JHashtable(),
  1: (other: JMap | null) => {
    if (other === null) throw nullPointer('Cannot invoke "java.util.Map.size()" because "t" is null')
    const table = new JHashtable(Math.max(2 * other.size_0(), SMALLEST))
    table.putAll_1(other)
    return table
  },
})
