// Sends every hostile request to a service and prints the longest time that its main thread was busy.
//   npm run test:hostile [-- NAME…]     only those with NAME in their name
import { HOSTILE_REQUESTS, SETUP } from './hostile-requests.ts'
import { HOSTILE_SCRIPTS } from './hostile-scripts.ts'
import { WatchedService } from './watched-service.ts'

const GOAL_MS = 250
const wanted = process.argv.slice(2)
let service = await startedService()
let worst = 0
let failed = 0
try {
  console.log('pause ms   answer ms   status   rss MB   request')
  for (const request of [...HOSTILE_REQUESTS, ...HOSTILE_SCRIPTS]) {
    if (wanted.length > 0 && !wanted.some((text) => request.name.includes(text))) continue
    await service.watch()
    const start = performance.now()
    let outcome: string
    try {
      const answer = await service.send(request, AbortSignal.timeout(20_000))
      outcome = String(answer.status)
      if (answer.status >= 500) outcome += ` ${answer.body.slice(0, 300)}`
      if (process.env['SHOW'] !== undefined) outcome += ` ${answer.body.slice(0, 200)}`
    } catch (error) {
      outcome = (error as Error).name
      // Work that continues would be counted for the next request.
      await service.stop()
      service = await startedService()
    }
    const answerMs = performance.now() - start
    const { pauseMs, memory } = await service.watch()
    worst = Math.max(worst, pauseMs)
    const isBad = pauseMs > GOAL_MS || !/^[234]/.test(outcome)
    if (isBad) failed++
    const cells = [
      pauseMs.toFixed(0).padStart(8),
      answerMs.toFixed(0).padStart(9),
      outcome.padStart(8),
      (memory.rss / 2 ** 20).toFixed(0).padStart(8),
    ]
    console.log(`${cells.join('   ')}   ${request.name}${isBad ? '   <<<' : ''}`)
  }
} finally {
  await service.stop()
}
console.log(`longest pause ${worst.toFixed(0)} ms, ${failed} requests beyond ${GOAL_MS} ms or with a wrong answer`)

async function startedService(): Promise<WatchedService> {
  const started = await WatchedService.start()
  for (const request of SETUP) {
    const answer = await started.send(request)
    if (answer.status >= 300) throw new Error(`setup: ${answer.body.slice(0, 500)}`)
  }
  return started
}
