/**
 * The limits of one script execution. A script that runs without end or allocates without end is stopped with an error
 * that it cannot catch. Each thread has its own counters. They are reset for every execution.
 */
import { isMainThread } from 'node:worker_threads'
import { outOfMemory, painlessError, stackOverflow } from '../errors/java-throwable.ts'

/** Loop turns, function calls and elements handled by library methods. The main thread has others to answer meanwhile. */
const STEPS_MAX = isMainThread ? 8_000_000 : 30_000_000
/** Characters a script creates; an element of a collection counts as several. */
const MEMORY_MAX = isMainThread ? 8_000_000 : 24_000_000
const CHARACTERS_PER_ELEMENT = 8
/** Characters of one string. */
export const STRING_MAX = 8_000_000
/** The maximum depth of function and lambda calls. */
const DEPTH_MAX = 1_000

/** The maximum of iterations of all loops in one function call. */
export const LOOP_MAX = 1_000_000

let stepsMax = STEPS_MAX
let steps = STEPS_MAX
/** Steps of finished executions. */
let spent = 0
let memory = MEMORY_MAX
let depth = 0

/** Resets the counters for a new execution. */
export function resetLimits(): void {
  spent += stepsMax - steps
  steps = stepsMax
  memory = MEMORY_MAX
  depth = 0
}

/** Executions from now on may take at most so many steps. Returns the previous limit, to be restored. */
export function limitSteps(most: number): number {
  const before = stepsMax
  spent += stepsMax - steps
  stepsMax = Math.max(0, Math.min(most, STEPS_MAX))
  steps = stepsMax
  return before
}

/** The steps of all executions of this thread. */
export const spentSteps = (): number => spent + stepsMax - steps

/** Runs work of the host that the script does not pay for. It has limits of its own. */
export function withoutLimits<T>(work: () => T): T {
  const stepsBefore = steps
  const memoryBefore = memory
  const depthBefore = depth
  const spentBefore = spent
  resetLimits()
  try {
    return work()
  } finally {
    spent = spentBefore
    steps = stepsBefore
    memory = memoryBefore
    depth = depthBefore
  }
}

/** Counts the work of library methods: elements visited, characters compared. */
export function spendSteps(count: number): void {
  steps -= count
  if (steps < 0) throw tooManySteps()
}

/** Counts elements of collections and arrays that are created. */
export function spendMemory(count: number): void {
  memory -= count * CHARACTERS_PER_ELEMENT
  if (memory < 0) throw outOfMemory('the script uses more memory than scripts may use')
}

/** Called at the beginning of a function or lambda. */
export function enterFunction(): void {
  if (++depth > DEPTH_MAX) throw stackOverflow()
  if (--steps < 0) throw tooManySteps()
}

/** Called at the end of a function or lambda. `turns` is the remaining number of loop iterations. */
export function leaveFunction(turns: number): void {
  depth--
  steps -= LOOP_MAX - turns
  if (steps < 0) throw tooManySteps()
}

const tooManySteps = () => painlessError('The maximum number of statements that can be executed has been reached.')

export function loopExhausted(): never {
  throw painlessError('The maximum number of statements that can be executed in a loop has been reached.')
}

/** Checks the length of a string before it is created. */
export function checkString(length: number): void {
  if (length > STRING_MAX) throw outOfMemory('Required length exceeds implementation limit')
  memory -= length
  if (memory < 0) throw outOfMemory('the script uses more memory than scripts may use')
}
