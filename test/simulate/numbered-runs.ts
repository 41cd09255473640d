/**
 * Many runs with consecutive numbers: seeds, or the calls of one run. Prints the rate and the remaining time now and
 * then. With a state file a stopped series continues where it ended, with its figures so far.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { collectGarbage } from '../../src/base/memory/collect-garbage.ts'

export interface SeriesOptions<Figures extends object> {
  readonly first: number
  readonly count: number
  /** The file of the state; without it a stopped series begins anew. */
  readonly stateFile?: string | undefined
  /** The name of a run in messages, such as `seed 7`. */
  readonly nameOf: (number: number) => string
  /** One run. Its figures are added up. */
  readonly run: (number: number) => Promise<Figures>
  readonly print: (line: string) => void
}

export interface SeriesState<Figures extends object> {
  readonly first: number
  /** The number of the next run. */
  next: number
  readonly failures: { readonly number: number; readonly error: string }[]
  seconds: number
  cpuSeconds: number
  figures: Figures | undefined
}

/** The time between two lines about the progress, after each of which the state is saved. */
const REPORT_MS = 30_000
/** V8 does not know how much memory the WebAssembly memories of ended nodes hold. */
const COLLECT_EVERY = 50

export async function runSeries<Figures extends object>(
  options: SeriesOptions<Figures>,
): Promise<SeriesState<Figures>> {
  const { first, count, nameOf, run, print } = options
  const state = readState<Figures>(options)
  const end = first + count
  const [from, secondsBefore, cpuBefore] = [state.next, state.seconds, state.cpuSeconds]
  const startedMs = performance.now()
  const startedCpu = process.cpuUsage()
  if (from > first) print(`continued at ${nameOf(from)}, ${state.failures.length} failures so far`)
  const measure = () => {
    state.seconds = secondsBefore + (performance.now() - startedMs) / 1000
    const { user, system } = process.cpuUsage(startedCpu)
    state.cpuSeconds = cpuBefore + (user + system) / 1e6
  }
  let reportedMs = startedMs
  while (state.next < end) {
    const number = state.next
    try {
      state.figures = sum(state.figures, await run(number))
    } catch (error) {
      const { stack } = error as Error
      state.failures.push({ number, error: String(stack) })
      print(`${nameOf(number)}: ${stack}`)
    }
    state.next++
    if (state.next % COLLECT_EVERY === 0) await releaseMemory()
    if (performance.now() - reportedMs < REPORT_MS) continue
    reportedMs = performance.now()
    measure()
    const rate = (state.next - from) / (state.seconds - secondsBefore)
    const cpuMs = ((state.cpuSeconds - cpuBefore) / (state.next - from)) * 1000
    print(
      `${state.next - first} of ${count}, ${state.failures.length} failures, ${rate.toFixed(1)}/s, ` +
        `${cpuMs.toFixed(0)} ms CPU each, ${mb(process.memoryUsage.rss())} MB, ${((end - state.next) / rate / 60).toFixed(0)} min to go`,
    )
    saveState(options, state)
  }
  measure()
  saveState(options, state)
  return state
}

/** Memories are freed by callbacks that run after a collection, so it takes two with event loop turns in between. */
async function releaseMemory(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    collectGarbage()
  }
}

function sum<Figures extends object>(total: Figures | undefined, figures: Figures): Figures {
  if (total === undefined) return { ...figures }
  const added = Object.entries(figures).map(([name, value]) => [name, (total[name as keyof Figures] as number) + value])
  return Object.fromEntries(added) as Figures
}

function readState<Figures extends object>({ first, stateFile }: SeriesOptions<Figures>): SeriesState<Figures> {
  const fresh = { first, next: first, failures: [], seconds: 0, cpuSeconds: 0, figures: undefined }
  if (stateFile === undefined || !existsSync(stateFile)) return fresh
  const found = JSON.parse(readFileSync(stateFile, 'utf8')) as SeriesState<Figures>
  if (found.first !== first) throw new Error(`${stateFile} is the state of a series that begins at ${found.first}`)
  return found
}

/** Replaces the file at once: a series that is killed here must not lose its state. */
function saveState<Figures extends object>({ stateFile }: SeriesOptions<Figures>, state: SeriesState<Figures>): void {
  if (stateFile === undefined) return
  writeFileSync(`${stateFile}.new`, `${JSON.stringify(state, undefined, 1)}\n`)
  renameSync(`${stateFile}.new`, stateFile)
}

function mb(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0)
}
