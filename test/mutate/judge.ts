// Judges mutants by the laws of test/model, all in one process. The parent sends the number of a mutant and gets whether a law
// is broken, and whether this process can go on. A mutant may also end this process, or keep it busy until it ends itself.
import { Worker } from 'node:worker_threads'
import { Rounds } from '../model/rounds.ts'
import { serviceInside } from '../model/service.ts'
import { FIELD_TYPES } from '../model/values.ts'

const [seed, count] = [Number(process.argv[2]), Number(process.argv[3])]
const chosen = globalThis as { sandpiperMutant?: number }

/** Seconds of processor time for one mutant. */
const LIMIT_SECONDS = 40

const startedAt = new Float64Array(new SharedArrayBuffer(8))
const WATCH = `const { workerData } = require('node:worker_threads')
setInterval(() => {
  if (process.cpuUsage().user / 1e6 - workerData[0] > ${LIMIT_SECONDS}) process.kill(process.pid, 'SIGKILL')
}, 500)`
new Worker(WATCH, { eval: true, workerData: startedAt }).unref()

async function breaksLaws(rounds: number): Promise<boolean> {
  startedAt[0] = process.cpuUsage().user / 1e6
  const service = await serviceInside()
  try {
    const laws = new Rounds(service, Object.keys(FIELD_TYPES), 'mutate', 0)
    for (let round = 0; round < rounds; round++) if ((await laws.run(seed, round)).length > 0) return true
    return false
  } catch {
    return true
  } finally {
    await service.stop()
  }
}

process.on('message', async (mutant: number) => {
  chosen.sandpiperMutant = mutant
  const isCaught = await breaksLaws(count)
  chosen.sandpiperMutant = -1
  // What a mutant has left in memory must not be counted against the next.
  const isClean = !isCaught || mutant < 0 || !(await breaksLaws(1))
  startedAt[0] = Number.POSITIVE_INFINITY
  process.send!({ isCaught, isClean })
})
startedAt[0] = Number.POSITIVE_INFINITY
