// Sends every hostile request to a service and prints the longest time that its main thread was busy, and the processor time of
// all its threads. Both are processor time, so that a busy machine does not count.
//   npm run test:hostile [-- NAME…] [--memory 512mb]     only those with NAME in their name
import { HOSTILE_BREADTH } from './hostile-breadth.ts'
import { HOSTILE_DOCUMENTS, LARGE_SETUP } from './hostile-documents.ts'
import { HOSTILE_REQUESTS, SETUP } from './hostile-requests.ts'
import { HOSTILE_SCRIPTS } from './hostile-scripts.ts'
import type { HostileRequest } from './request-builders.ts'
import { WatchedService } from './watched-service.ts'

const PAUSE_MS_MAX = 250
const CPU_MS_MAX = 10_000
/** A request that never ends. On a busy machine others take many times their processor time. */
const GIVE_UP_MS = 180_000
const IS_ANSWER = /^[234]/
const AT_ONCE = 16

const words = process.argv.slice(2)
const memoryAt = words.indexOf('--memory')
const memory = memoryAt < 0 ? undefined : words.splice(memoryAt, 2)[1]
let service = await startedService()
let worst = 0
let failed = 0
try {
  console.log('pause ms     cpu ms   status   rss MB   request')
  for (const request of [...HOSTILE_REQUESTS, ...HOSTILE_SCRIPTS, ...HOSTILE_DOCUMENTS, ...HOSTILE_BREADTH]) {
    if (words.length > 0 && !words.some((text) => request.name.includes(text))) continue
    await service.watch()
    const outcome = await outcomeOf(request)
    const watched = service.exit === undefined ? await service.watch() : undefined
    if (watched === undefined || outcome.endsWith('Error')) {
      // Work that continues would be counted for the next request.
      await service.stop()
      service = await startedService()
    }
    const { pauseMs, cpuMs, memory: used } = watched ?? (await service.watch())
    worst = Math.max(worst, pauseMs)
    const isBad = pauseMs > PAUSE_MS_MAX || cpuMs / (request.times ?? 1) > CPU_MS_MAX || !IS_ANSWER.test(outcome)
    if (isBad) failed++
    const cells = [
      pauseMs.toFixed(0).padStart(8),
      cpuMs.toFixed(0).padStart(8),
      outcome.padStart(6),
      (used.rss / 2 ** 20).toFixed(0).padStart(6),
    ]
    console.log(`${cells.join('   ')}   ${request.name}${isBad ? '   <<<' : ''}`)
  }
} finally {
  await service.stop()
}
console.log(`longest pause ${worst.toFixed(0)} ms, ${failed} requests beyond a limit or with a wrong answer`)
if (failed > 0) process.exitCode = 1

/** The worst answer of a request. */
async function outcomeOf(request: HostileRequest): Promise<string> {
  let left = request.times ?? 1
  let worstOutcome = ''
  const send = async () => {
    while (left-- > 0) {
      const answer = await service.send(request, AbortSignal.timeout(GIVE_UP_MS))
      let outcome = String(answer.status)
      if (answer.status >= 500) outcome += ` ${answer.body.slice(0, 300)}`
      if (process.env['SHOW'] !== undefined) outcome += ` ${answer.body.slice(0, 200)}`
      if (outcome > worstOutcome) worstOutcome = outcome
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, send))
    return worstOutcome
  } catch (error) {
    return (error as Error).name
  }
}

async function startedService(): Promise<WatchedService> {
  const started = await WatchedService.start({ memory })
  const wantsLarge =
    words.length === 0 || HOSTILE_DOCUMENTS.some(({ name }) => words.some((text) => name.includes(text)))
  for (const request of [...SETUP, ...(wantsLarge ? LARGE_SETUP : [])]) {
    const answer = await started.send(request)
    if (answer.status >= 300) throw new Error(`setup: ${answer.body.slice(0, 500)}`)
  }
  return started
}
