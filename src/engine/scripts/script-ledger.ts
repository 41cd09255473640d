/**
 * Data about scripts that all threads share: settings that can change at run time, the token bucket that limits
 * compilations, and counters. It is in shared memory that the main thread passes to every thread that it starts.
 */
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import type { CompilationRate } from '../running/script-settings.ts'

const KEY = 'sandpiper.scripts'

/**
 * Indexes of the counters. They are followed by the minutes of a day, each with its number and the number of
 * compilations in it.
 */
const COMPILATIONS = 0
const EVICTIONS = 1
const LIMITED = 2
const LOCK = 3
/** Counts the changes of the limits in force. */
const LIMITS_VERSION = 4
const MINUTES_FROM = 5
const MINUTES = 1440
const COUNTERS = MINUTES_FROM + 2 * MINUTES

/** Indexes of the 64-bit values. */
const TOKENS = 0
const REFILLED_AT = 1
const RATE_COUNT = 2
const RATE_MS = 3
/** Indexes of the limits in force. The first is 0 until the limits are shared. */
const MAX_SIZE = 4
const LIMIT_COUNT = 5
const LIMIT_MS = 6
const CACHE_MAX = 7
const NUMBERS = 8

interface Ledger {
  readonly counters: Int32Array
  readonly numbers: Float64Array
}

function openLedger(): Ledger {
  let memory = getEnvironmentData(KEY) as SharedArrayBuffer | undefined
  if (!(memory instanceof SharedArrayBuffer)) {
    memory = new SharedArrayBuffer(NUMBERS * 8 + COUNTERS * 4)
    if (isMainThread) setEnvironmentData(KEY, memory)
  }
  return {
    numbers: new Float64Array(memory, 0, NUMBERS),
    counters: new Int32Array(memory, NUMBERS * 8, COUNTERS),
  }
}

const { counters, numbers } = openLedger()

const nowMs = () => performance.timeOrigin + performance.now()

/** Settings for threads that have no cluster state. */
export interface SharedLimits {
  readonly maxSizeInBytes: number
  readonly maxCompilationsRate: CompilationRate | undefined
  readonly cacheMaxSize: number
}

export function shareLimits({ maxSizeInBytes, maxCompilationsRate: rate, cacheMaxSize }: SharedLimits): void {
  numbers[LIMIT_COUNT] = rate?.count ?? 0
  numbers[LIMIT_MS] = rate?.ms ?? 0
  numbers[CACHE_MAX] = cacheMaxSize
  numbers[MAX_SIZE] = maxSizeInBytes + 1
  Atomics.add(counters, LIMITS_VERSION, 1)
}

export const limitsVersion = (): number => Atomics.load(counters, LIMITS_VERSION)

/** The limits in force; undefined if none are shared yet. */
export function sharedLimits(): SharedLimits | undefined {
  if (numbers[MAX_SIZE] === 0) return undefined
  const count = numbers[LIMIT_COUNT]!
  const ms = numbers[LIMIT_MS]!
  return {
    maxSizeInBytes: numbers[MAX_SIZE]! - 1,
    maxCompilationsRate: ms === 0 ? undefined : { count, ms, text: `${count}/${ms / 60_000}m` },
    cacheMaxSize: numbers[CACHE_MAX]!,
  }
}

/** Takes one compilation from a token bucket that refills over time: bursts are allowed, floods are not. */
export function mayCompile({ count, ms }: CompilationRate): boolean {
  while (Atomics.compareExchange(counters, LOCK, 0, 1) !== 0);
  try {
    const now = nowMs()
    if (numbers[RATE_COUNT] !== count || numbers[RATE_MS] !== ms) {
      numbers[RATE_COUNT] = count
      numbers[RATE_MS] = ms
      numbers[TOKENS] = count
      numbers[REFILLED_AT] = now
    }
    const filled = numbers[TOKENS]! + ((now - numbers[REFILLED_AT]!) * count) / ms
    numbers[TOKENS] = Math.min(count, filled)
    numbers[REFILLED_AT] = now
    if (numbers[TOKENS]! < 1) return false
    numbers[TOKENS]!--
    return true
  } finally {
    Atomics.store(counters, LOCK, 0)
  }
}

export function countCompilation(): void {
  Atomics.add(counters, COMPILATIONS, 1)
  const minute = Math.floor(nowMs() / 60_000)
  const at = MINUTES_FROM + 2 * (minute % MINUTES)
  if (Atomics.exchange(counters, at, minute) !== minute) Atomics.store(counters, at + 1, 0)
  Atomics.add(counters, at + 1, 1)
}

export const countEviction = (): void => void Atomics.add(counters, EVICTIONS, 1)
export const countLimited = (): void => void Atomics.add(counters, LIMITED, 1)

export interface ScriptCounts {
  readonly compilations: number
  readonly evictions: number
  readonly limited: number
  /** Compilations of the last 5 minutes, 15 minutes and 24 hours. */
  readonly history: readonly [number, number, number]
}

/** The counters of all threads. */
export function scriptCounts(): ScriptCounts {
  const minute = Math.floor(nowMs() / 60_000)
  const within = (minutes: number) => {
    let sum = 0
    for (let i = 0; i < minutes; i++) {
      const at = MINUTES_FROM + 2 * ((minute - i) % MINUTES)
      if (counters[at] === minute - i) sum += counters[at + 1]!
    }
    return sum
  }
  return {
    compilations: counters[COMPILATIONS]!,
    evictions: counters[EVICTIONS]!,
    limited: counters[LIMITED]!,
    history: [within(5), within(15), within(MINUTES)],
  }
}
