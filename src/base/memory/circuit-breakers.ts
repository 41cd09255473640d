/**
 * Circuit breakers: memory held by requests, counted across all threads, and the limits beyond which a request is
 * rejected with 429 instead of the process being killed.
 *
 * Each breaker counts one kind of memory. Every claim also needs room in the process as a whole, the parent breaker.
 * The parent compares the resident set with its limit, because most memory is not claimed by any request. The counters
 * are in shared memory, so that a claim in a searcher thread counts on the main thread too. The unit is one kilobyte.
 */
import { type Durability, dataTooLarge, processTooLarge } from './breaker-errors.ts'
import { collectGarbage } from './collect-garbage.ts'
import type { MemoryPlan } from './memory-plan.ts'

const UNIT_BYTES = 1024
/** Claims below this size do not check the resident set: the check would cost more than the claim. */
const LOOK_FROM_BYTES = 64 * 1024
/** How long a sample of the resident set stays valid. */
const SAMPLE_MS = 5
/** Garbage is collected before a request is rejected, but not more often than this. */
const COLLECT_MS = 500
/** Fraction of the parent limit from which all threads are requested to collect garbage. */
const PRESSURE_PART = 0.8

// Offsets in the shared memory.
const PARENT_TRIPPED = 0
/** Counts how often threads were requested to collect garbage. */
const PRESSURE = 1
/** The parent's limit, if an operator set one: two words. */
const PARENT_LIMIT = 2
/** 1 when the parent sums up its children instead of comparing the resident set. */
const PARENT_SUMS = 4
const FIRST_BREAKER = 8
const WORDS_PER_BREAKER = 8
const USED = 0
const TRIPPED = 1
/** A limit that an operator set: two words. */
const LIMIT = 2
/** One more than the thousandfold of an overhead that an operator set; 0 without one. */
const OVERHEAD = 4
const OVERHEAD_PARTS = 1000

/** The largest limit that two words can hold. A larger limit counts as none. */
const LIMIT_BYTES_MAX = 2 ** 41
/** Values of the first word of a limit: the planned limit applies, or there is no limit. */
const AS_PLANNED = 0
const UNLIMITED = -1
/** Part of the memory that claims may have together when the parent sums them up, as in Elasticsearch. */
const SUMMED_PART = 0.7

/** Limits set by operators. An absent limit is the planned one; -1 bytes means no limit. */
export interface BreakerLimits {
  readonly limitBytes?: number | undefined
  readonly overhead?: number | undefined
}

export interface BreakerSettings {
  readonly fielddata: BreakerLimits
  readonly inFlightRequests: BreakerLimits
  readonly request: BreakerLimits
  readonly parent: BreakerLimits
  /** Whether the parent compares the resident set. */
  readonly usesRealMemory: boolean
}

function writeLimit(words: Int32Array, at: number, bytes: number | undefined): void {
  const isUnlimited = bytes !== undefined && (bytes < 0 || bytes >= LIMIT_BYTES_MAX)
  Atomics.store(words, at + 1, bytes === undefined || isUnlimited ? 0 : bytes % UNIT_BYTES)
  // One more than the kilobytes: a limit of 0 is one, too.
  const kilobytes = bytes === undefined ? AS_PLANNED : isUnlimited ? UNLIMITED : Math.floor(bytes / UNIT_BYTES) + 1
  Atomics.store(words, at, kilobytes)
}

function readLimit(words: Int32Array, at: number, planned: number): number {
  const kilobytes = Atomics.load(words, at)
  if (kilobytes === AS_PLANNED) return planned
  return kilobytes === UNLIMITED ? -1 : (kilobytes - 1) * UNIT_BYTES + Atomics.load(words, at + 1)
}

export interface BreakerOptions {
  readonly name: string
  readonly limitBytes: number
  /** Factor between claimed bytes and the memory they eventually take. */
  readonly overhead: number
  readonly durability: Durability
}

export class Breaker {
  readonly name: string
  readonly durability: Durability
  readonly #planned: BreakerOptions
  readonly #words: Int32Array
  readonly #at: number
  readonly #parent: ParentBreaker | undefined
  /** What this thread holds, of all breakers, and the place of this one. */
  readonly #held: Int32Array
  readonly #kind: number

  constructor(
    options: BreakerOptions,
    words?: Int32Array,
    at = 0,
    parent?: ParentBreaker,
    held: Int32Array = new Int32Array(1),
    kind = 0,
  ) {
    this.#held = held
    this.#kind = kind
    this.name = options.name
    this.durability = options.durability
    this.#planned = options
    this.#words = words ?? new Int32Array(FIRST_BREAKER)
    this.#at = at
    this.#parent = parent
  }

  /** -1 without a limit. */
  get limitBytes(): number {
    return readLimit(this.#words, this.#at + LIMIT, this.#planned.limitBytes)
  }

  get overhead(): number {
    const parts = Atomics.load(this.#words, this.#at + OVERHEAD)
    return parts === 0 ? this.#planned.overhead : (parts - 1) / OVERHEAD_PARTS
  }

  configure({ limitBytes, overhead }: BreakerLimits): void {
    writeLimit(this.#words, this.#at + LIMIT, limitBytes)
    const parts = overhead === undefined ? 0 : Math.min(2 ** 31 - 1, Math.round(overhead * OVERHEAD_PARTS) + 1)
    Atomics.store(this.#words, this.#at + OVERHEAD, parts)
  }

  get usedBytes(): number {
    return Math.round(Atomics.load(this.#words, this.#at + USED) * UNIT_BYTES * this.overhead)
  }

  get tripped(): number {
    return Atomics.load(this.#words, this.#at + TRIPPED)
  }

  /** Creates an empty claim. `label` names its purpose in errors. */
  claim(label: string): MemoryClaim {
    return new MemoryClaim(this, label)
  }

  /** Takes units, or throws and takes none. */
  take(units: number, label: string): void {
    const bytes = units * UNIT_BYTES
    const used = (Atomics.add(this.#words, this.#at + USED, units) + units) * UNIT_BYTES * this.overhead
    this.#held[this.#kind]! += units
    const { name: breaker, limitBytes: limit, durability } = this
    try {
      if (limit >= 0 && used > limit) {
        Atomics.add(this.#words, this.#at + TRIPPED, 1)
        throw dataTooLarge({ breaker, label, wanted: Math.round(used), limit, durability })
      }
      if (bytes >= LOOK_FROM_BYTES) this.#parent?.check(Math.round(bytes * this.overhead), label)
    } catch (error) {
      this.give(units)
      throw error
    }
  }

  /**
   * Throws when there is no room for this many bytes. They are not counted, because another breaker is about to count
   * them.
   */
  check(bytes: number, label: string): void {
    const wanted = Math.round(bytes * this.overhead)
    const { name: breaker, limitBytes: limit, durability } = this
    if (limit >= 0 && this.usedBytes + wanted > limit) {
      Atomics.add(this.#words, this.#at + TRIPPED, 1)
      throw dataTooLarge({ breaker, label, wanted: this.usedBytes + wanted, limit, durability })
    }
    if (bytes >= LOOK_FROM_BYTES) this.#parent?.check(wanted, label)
  }

  give(units: number): void {
    this.#held[this.#kind]! -= units
    Atomics.sub(this.#words, this.#at + USED, units)
  }
}

/** Bytes held by one request. */
export class MemoryClaim {
  readonly #breaker: Breaker
  readonly #label: string
  #units = 0

  constructor(breaker: Breaker, label: string) {
    this.#breaker = breaker
    this.#label = label
  }

  /**
   * Changes the number of bytes held. Throws when there is no room for more; the previous bytes are then still held.
   */
  resize(bytes: number): void {
    const units = Math.ceil(bytes / UNIT_BYTES)
    if (units > this.#units) this.#breaker.take(units - this.#units, this.#label)
    else if (units < this.#units) this.#breaker.give(this.#units - units)
    this.#units = units
  }

  release(): void {
    this.#breaker.give(this.#units)
    this.#units = 0
  }
}

/** The limit of the process as a whole. */
class ParentBreaker {
  readonly #plan: MemoryPlan
  readonly #words: Int32Array
  readonly #children: () => readonly Breaker[]
  #sampledAtMs = Number.NEGATIVE_INFINITY
  #collectedAtMs = Number.NEGATIVE_INFINITY
  #realBytes = 0

  constructor(plan: MemoryPlan, words: Int32Array, children: () => readonly Breaker[]) {
    this.#plan = plan
    this.#words = words
    this.#children = children
  }

  /** -1 without a limit. */
  get limitBytes(): number {
    const { totalBytes, parentBytes } = this.#plan
    const planned = this.#sums ? Math.floor(totalBytes * SUMMED_PART) : parentBytes
    return readLimit(this.#words, PARENT_LIMIT, planned)
  }

  configure({ limitBytes }: BreakerLimits, usesRealMemory: boolean): void {
    writeLimit(this.#words, PARENT_LIMIT, limitBytes)
    Atomics.store(this.#words, PARENT_SUMS, usesRealMemory ? 0 : 1)
  }

  get #sums(): boolean {
    return Atomics.load(this.#words, PARENT_SUMS) === 1
  }

  get #claimedBytes(): number {
    return this.#children().reduce((sum, { usedBytes }) => sum + usedBytes, 0)
  }

  get usedBytes(): number {
    if (this.#sums) return this.#claimedBytes
    const nowMs = performance.now()
    if (nowMs - this.#sampledAtMs >= SAMPLE_MS) {
      this.#realBytes = process.memoryUsage.rss()
      this.#sampledAtMs = nowMs
    }
    return this.#realBytes
  }

  get tripped(): number {
    return Atomics.load(this.#words, PARENT_TRIPPED)
  }

  check(newBytes: number, label: string): void {
    const { limitBytes } = this
    if (limitBytes < 0) return
    if (!this.#sums && this.usedBytes + newBytes > limitBytes * PRESSURE_PART) this.#relieve()
    // Claims were counted before they are checked here.
    const usedAfter = this.#sums ? this.usedBytes : this.usedBytes + newBytes
    if (usedAfter <= (this.#claimedBytes <= newBytes ? this.#aloneBytes(limitBytes) : limitBytes)) return
    Atomics.add(this.#words, PARENT_TRIPPED, 1)
    const usages = this.#children().map(({ name, usedBytes }) => [name, usedBytes] as const)
    const permanent = this.#children().reduce((sum, { durability, usedBytes }) => {
      return durability === 'PERMANENT' ? sum + usedBytes : sum - usedBytes
    }, 0)
    const durability = permanent >= 0 && usages.some(([, bytes]) => bytes > 0) ? 'PERMANENT' : 'TRANSIENT'
    throw processTooLarge({ label, limit: this.limitBytes, durability }, this.usedBytes, newBytes, usages)
  }

  /** The planned limit leaves room that a request alone may use. One that an operator set does not. */
  #aloneBytes(limitBytes: number): number {
    return limitBytes === this.#plan.parentBytes ? this.#plan.aloneBytes : limitBytes
  }

  /** V8 does not know how little memory is left and would keep the garbage of request bodies for long. */
  #relieve(): void {
    const nowMs = performance.now()
    if (nowMs - this.#collectedAtMs < COLLECT_MS) return
    Atomics.add(this.#words, PRESSURE, 1)
    collectGarbage()
    this.#collectedAtMs = performance.now()
    this.#sampledAtMs = Number.NEGATIVE_INFINITY
  }
}

/** The shared state that another thread attaches to. */
export interface SharedBreakers {
  readonly plan: MemoryPlan
  readonly words: Int32Array
  /** What the thread holds of each breaker: it is given back when the thread has died. */
  readonly held: Int32Array
}

const KINDS = [
  { name: 'fielddata', limit: 'fielddataBytes', overhead: 1.03, durability: 'PERMANENT' },
  { name: 'inflight_requests', limit: 'inFlightBytes', overhead: 2, durability: 'TRANSIENT' },
  { name: 'request', limit: 'requestBytes', overhead: 1, durability: 'TRANSIENT' },
] as const

export class CircuitBreakers {
  readonly plan: MemoryPlan
  readonly fielddata: Breaker
  readonly inFlightRequests: Breaker
  readonly request: Breaker
  readonly parent: ParentBreaker
  readonly #words: Int32Array
  #pressure: number

  constructor(plan: MemoryPlan, words?: Int32Array, held: Int32Array = new Int32Array(KINDS.length)) {
    this.plan = plan
    this.#words = words ?? new Int32Array(new SharedArrayBuffer(4 * (FIRST_BREAKER + KINDS.length * WORDS_PER_BREAKER)))
    this.#pressure = Atomics.load(this.#words, PRESSURE)
    this.parent = new ParentBreaker(plan, this.#words, () => this.children)
    const [fielddata, inFlight, request] = KINDS.map(({ name, limit, overhead, durability }, i) => {
      const at = FIRST_BREAKER + i * WORDS_PER_BREAKER
      return new Breaker({ name, limitBytes: plan[limit], overhead, durability }, this.#words, at, this.parent, held, i)
    })
    this.fielddata = fielddata!
    this.inFlightRequests = inFlight!
    this.request = request!
  }

  get children(): readonly Breaker[] {
    return [this.fielddata, this.inFlightRequests, this.request]
  }

  /** In force for all threads at once. */
  configure(settings: BreakerSettings): void {
    this.fielddata.configure(settings.fielddata)
    this.inFlightRequests.configure(settings.inFlightRequests)
    this.request.configure(settings.request)
    this.parent.configure(settings.parent, settings.usesRealMemory)
  }

  /** The state for one other thread. */
  share(): SharedBreakers {
    const held = new Int32Array(new SharedArrayBuffer(KINDS.length * Int32Array.BYTES_PER_ELEMENT))
    return { plan: this.plan, words: this.#words, held }
  }

  /** A thread has ended in any state: what it held is free. */
  releaseThread({ held }: SharedBreakers): void {
    for (let kind = 0; kind < KINDS.length; kind++) {
      const units = Atomics.exchange(held, kind, 0)
      Atomics.sub(this.#words, FIRST_BREAKER + kind * WORDS_PER_BREAKER + USED, units)
    }
  }

  /** Called by threads between jobs: collects garbage if memory became short since the last call. */
  collectIfAsked(): void {
    const pressure = Atomics.load(this.#words, PRESSURE)
    if (pressure === this.#pressure) return
    this.#pressure = pressure
    collectGarbage()
  }
}
