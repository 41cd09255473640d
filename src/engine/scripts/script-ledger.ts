/**
 * What all threads of the process know of their scripts together: settings that change while they run, the bucket that limits
 * compilations, and counters. It lives in shared memory that the main thread hands to every thread it starts.
 */
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

const KEY = 'sandpiper.scripts'

/** Counters; the minutes of a day follow them, each with its number and how many scripts were compiled in it. */
const COMPILATIONS = 0
const EVICTIONS = 1
const LIMITED = 2
const LOCK = 3
const MINUTES_FROM = 4
const MINUTES = 1440
const COUNTERS = MINUTES_FROM + 2 * MINUTES

/** Numbers that are set as a whole. */
const TOKENS = 0
const REFILLED_AT = 1
const RATE_COUNT = 2
const RATE_MS = 3
/** Limits in force; 0 in the first until somebody has shared them. */
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

export interface CompilationRate {
  readonly count: number
  readonly ms: number
  readonly text: string
}

/** Settings that threads without the cluster state go by. */
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
}

/** Undefined where nobody has shared any. */
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

/** Takes one compilation out of a bucket that fills with the time: bursts are allowed, floods are not. */
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
