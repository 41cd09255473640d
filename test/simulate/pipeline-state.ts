/**
 * Runs the state of the pipeline tool on a simulated disk: the persisted queue, the positions of files and the dead
 * letters.
 *
 * Every run is determined by its seed and its faults, so a failing run can be repeated exactly.
 */
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Disk } from '../../src/base/disk/disk.ts'
import { type Fault, KilledError, SimulatedDisk } from '../../src/base/disk/simulated-disk.ts'
import { silentLog } from '../../src/base/log.ts'
import { Event } from '../../src/pipeline/event/event.ts'
import { Timestamp } from '../../src/pipeline/event/timestamp.ts'
import { Sincedb } from '../../src/pipeline/inputs/watching/sincedb.ts'
import { DeadLetterQueue, segmentsOf } from '../../src/pipeline/queue/dead-letter-queue.ts'
import { DeliveredPosition } from '../../src/pipeline/queue/delivered-position.ts'
import { PageReader } from '../../src/pipeline/queue/page-file.ts'
import { PersistedQueue } from '../../src/pipeline/queue/persisted-queue.ts'
import { decodeEvent } from '../../src/pipeline/queue/stored-event.ts'

export interface RunSettings {
  readonly seed: number
  /** The fault at each disk call. */
  readonly faultAt: (call: number, random: () => number) => Fault | undefined
}

/** Returns the number of disk calls of a run. */
export type Run = (settings: RunSettings) => Promise<number>

const FOLDER = '/data'

/** A seeded random number generator, from 0 (inclusive) to 1 (exclusive). */
export function seeded(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Runs processes one after the other on one disk. A process ends at a fault that kills it, or when `body` returns. */
async function livesOn(
  { seed, faultAt }: RunSettings,
  lives: number,
  body: (life: { disk: Disk; random: () => number; isLast: boolean; pause: () => Promise<void> }) => Promise<void>,
): Promise<number> {
  const random = seeded(seed)
  const disk = new SimulatedDisk(random)
  for (let life = 1; life <= lives; life++) {
    const isLast = life === lives
    let isDead = false
    let died: () => void
    const death = new Promise<void>((resolve) => {
      died = resolve
    })
    disk.onEnd = () => {
      isDead = true
      died()
    }
    disk.faultAt = isLast ? undefined : (call) => faultAt(call, random)
    // A promise of a killed process never settles.
    const pause = () => (isDead ? new Promise<void>(() => {}) : nextTurn())
    const living = body({ disk: disk.process(), random, isLast, pause }).catch((error) => {
      // An error while opening is reported to the operator, and the next process tries again.
      const isExpected =
        error instanceof KilledError || isDead || /simulated|cannot be read/.test((error as Error).message)
      if (!isExpected || isLast) throw error
    })
    await Promise.race([living, death])
    if (isDead || isLast) continue
    isDead = true
    if (random() < 0.5) disk.kill()
    else disk.cutPower()
  }
  return disk.calls
}

const event = (id: number) => Event.ofMessage(`m${id}`, new Timestamp(id))
const idOf = (one: Event) => Number(String(one.get('message')).slice(1))

/** Every event that the queue acknowledged to its input reaches the output. */
export const queueRun: Run = async (settings) => {
  const acknowledged = new Set<number>()
  const delivered = new Set<number>()
  let nextId = 0
  const calls = await livesOn(settings, 4, async ({ disk, random, isLast, pause }) => {
    const queue = await PersistedQueue.open({
      folder: FOLDER,
      pageBytes: 300,
      bytesMax: 1_000_000,
      eventsMax: 0,
      checkpointWrites: 3,
      checkpointAcks: 2,
      checkpointIntervalMs: 1_000_000_000,
      drains: true,
      memoryCountMax: 4,
      log: silentLog,
      disk,
      pause,
    })
    const worker = (async () => {
      for (let batch = await queue.take(3, 0); batch !== undefined; batch = await queue.take(3, 0)) {
        const { events, acknowledge } = batch
        if (random() < 0.3) await nextTurn()
        for (const one of events) delivered.add(idOf(one))
        acknowledge()
      }
    })()
    for (let step = 0; step < (isLast ? 0 : 12); step++) {
      const ids = Array.from({ length: 1 + Math.floor(random() * 4) }, () => nextId++)
      await queue.push(ids.map(event), () => {
        for (const id of ids) acknowledged.add(id)
      })
      if (random() < 0.5) await nextTurn()
    }
    // Half of the processes end with events in the queue.
    if (!isLast && random() < 0.5) return
    queue.close()
    await worker
    await queue.release()
  })
  const lost = [...acknowledged].filter((id) => !delivered.has(id))
  assert.deepEqual(lost, [], `acknowledged events that reached no output (seed ${settings.seed})`)
  return calls
}

/** A position never passes a line that was not delivered. */
export const positionRun: Run = async (settings) => {
  const delivered = new Set<number>()
  const lineCount = 60
  return livesOn(settings, 4, async ({ disk, random, isLast, pause }) => {
    const sincedb = new Sincedb({ path: `${FOLDER}/.sincedb`, keepMs: 1e12, saveMs: 1e9, log: silentLog, disk, pause })
    try {
      sincedb.load(0)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      sincedb.load(0)
    }
    const start = sincedb.get('1 2 3')?.position ?? 0
    for (let line = 0; line < start; line++) {
      assert.ok(delivered.has(line), `position ${start} passed line ${line} (seed ${settings.seed})`)
    }
    const position = new DeliveredPosition((at) => sincedb.set('1 2 3', at, '/log', 0))
    const open: { line: number; done: () => void }[] = []
    for (let line = start; line < lineCount; line++) {
      open.push({ line, done: position.expect(line + 1) })
      // Batches are acknowledged in any order.
      while (open.length > 0 && (open.length > 5 || random() < 0.4)) {
        const [one] = open.splice(Math.floor(random() * open.length), 1)
        delivered.add(one!.line)
        one!.done()
      }
      if (random() < 0.3) await sincedb.save(0)
      if (random() < 0.1) await pause()
      if (!isLast && random() < 0.02) return
    }
    for (const { line, done } of open) {
      delivered.add(line)
      done()
    }
    await sincedb.close(0)
  })
}

/** A dead letter that was reported as written can be read after any restart. */
export const deadLetterRun: Run = async (settings) => {
  const written = new Set<number>()
  let nextId = 0
  let last: Disk | undefined
  const calls = await livesOn(settings, 4, async ({ disk, random, isLast, pause }) => {
    last = disk
    const letters = new DeadLetterQueue({
      folder: FOLDER,
      bytesMax: 1e9,
      policy: 'drop_newer',
      keepMs: undefined,
      log: silentLog,
      clock: { nowMs: () => 0 },
      disk,
      pause,
    })
    const waiting: Promise<void>[] = []
    for (let step = 0; step < (isLast ? 1 : 15); step++) {
      const id = nextId++
      waiting.push(letters.write(event(id), 'no', { type: 'test', id: 't' }).then(() => void written.add(id)))
      if (random() < 0.5) await Promise.all(waiting.splice(0))
    }
    await Promise.all(waiting)
    letters.close()
  })
  const found = new Set<number>()
  for (const segment of segmentsOf(FOLDER, last)) {
    const reader = PageReader.salvage(`${FOLDER}/${segment}.log`, last)
    for (let texts = reader.read(100); texts.length > 0; texts = reader.read(100)) {
      for (const text of texts) found.add(idOf(decodeEvent(text)))
    }
    reader.close()
  }
  const lost = [...written].filter((id) => !found.has(id))
  assert.deepEqual(lost, [], `dead letters that are not there (seed ${settings.seed})`)
  return calls
}
