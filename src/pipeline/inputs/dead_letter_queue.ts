/** `dead_letter_queue`: reads the events that outputs could not deliver. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from '../../base/bytes/crc32.ts'
import type { Event } from '../event/event.ts'
import { parseIsoTimestamp } from '../event/timestamp.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { segmentsOf } from '../queue/dead-letter-queue.ts'
import { PageReader } from '../queue/page-file.ts'
import { decodeEvent } from '../queue/stored-event.ts'

const POLL_MS = 500
const BATCH = 500

const OPTIONS = {
  path: option.path({ required: true }),
  pipeline_id: option.string({ default: 'main' }),
  commit_offsets: option.boolean({ default: true }),
  start_timestamp: option.string(),
  clean_consumed: option.boolean({ default: false }),
  sincedb_path: option.touching('files', option.string()),
} as const

export const deadLetterQueue = inputPlugin({
  name: 'dead_letter_queue',
  touches: 'files',
  options: OPTIONS,
  create: (options, context) => new DeadLetterInput(options, context),
})

/** A segment, and the number of its letters already read. */
interface Place {
  readonly segment: number
  readonly count: number
}

class DeadLetterInput implements Input {
  readonly #options: OptionValues<typeof OPTIONS>
  readonly #folder: string
  readonly #positionPath: string
  readonly #startMs: number | undefined
  readonly #stopping = new AbortController()
  readonly #context: PluginContext
  /** Letters that were pushed but not yet acknowledged, in order. */
  readonly #open: { readonly place: Place; done: boolean }[] = []
  /** Segments read to their end that are to be removed. */
  readonly #finished: number[] = []
  readonly #damaged = new Set<number>()

  constructor(options: OptionValues<typeof OPTIONS>, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#folder = join(options.path, options.pipeline_id)
    this.#positionPath =
      options.sincedb_path ??
      join(context.dataFolder, 'plugins', 'inputs', 'dead_letter_queue', `.sincedb_${options.pipeline_id}`)
    const start = options.start_timestamp === undefined ? undefined : parseIsoTimestamp(options.start_timestamp)
    if (options.start_timestamp !== undefined && start === undefined) {
      throw new PluginOptionError(`start_timestamp is no ISO 8601 time: "${options.start_timestamp}"`)
    }
    this.#startMs = start?.ms
  }

  async run(sink: InputSink): Promise<void> {
    let place = this.#readPosition()
    while (!this.#stopping.signal.aborted) {
      const next = this.#next(place)
      if (next === undefined) {
        await sleep(POLL_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
        continue
      }
      place = next.place
      if (next.texts.length > 0) await this.#push(next.texts, sink, place)
    }
  }

  /** The next letters and the position after them; undefined while there are none. */
  #next(place: Place): { texts: string[]; place: Place } | undefined {
    try {
      const segments = existsSync(this.#folder) ? segmentsOf(this.#folder) : []
      const segment = segments.find((number) => number >= place.segment)
      if (segment === undefined) return undefined
      const count = segment === place.segment ? place.count : 0
      const texts = this.#readSegment(segment, count)
      if (texts.length > 0) return { texts, place: { segment, count: count + texts.length } }
      // A segment is finished once a later one exists.
      if (!segments.some((number) => number > segment)) return undefined
      if (this.#options.clean_consumed) this.#removeWhenDelivered(segment)
      return { texts: [], place: { segment: segment + 1, count: 0 } }
    } catch (error) {
      this.#context.log.warn(`Dead letters cannot be read, trying again: ${(error as Error).message}`)
      return undefined
    }
  }

  /** Removes a segment only after delivery, because letters in flight are stored nowhere else. */
  #removeWhenDelivered(segment: number): void {
    this.#finished.push(segment)
    this.#removeFinished()
  }

  #removeFinished(): void {
    while (this.#finished.length > 0 && this.#open.every(({ place }) => place.segment > this.#finished[0]!)) {
      const number = this.#finished.shift()!
      const path = join(this.#folder, `${number}.log`)
      try {
        // Some of its letters may still be readable for somebody who looks at the file.
        if (this.#damaged.has(number)) renameSync(path, `${path}.damaged`)
        else rmSync(path, { force: true })
      } catch (error) {
        this.#context.log.warn(`${path} was read, but cannot be removed: ${(error as Error).message}`)
      }
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  #readSegment(number: number, skip: number): string[] {
    const path = join(this.#folder, `${number}.log`)
    const reader = PageReader.salvage(path)
    try {
      // A segment that was just created has no header yet.
      if (reader.firstRecord === undefined && statSync(path).size > 0) this.#reportDamage(number, path)
      for (let left = skip; left > 0; ) {
        const skipped = reader.read(left).length
        if (skipped === 0) break
        left -= skipped
      }
      const texts = reader.read(BATCH)
      const isOver = texts.length === 0 && segmentsOf(this.#folder).some((later) => later > number)
      if (reader.isDamaged || (isOver && reader.hasRest)) this.#reportDamage(number, path)
      return texts
    } finally {
      reader.close()
    }
  }

  #reportDamage(number: number, path: string): void {
    if (this.#damaged.has(number)) return
    this.#damaged.add(number)
    this.#context.log.error(`${path} is damaged: the dead letters in it that can be read are delivered, and it is kept`)
  }

  async #push(texts: readonly string[], sink: InputSink, place: Place): Promise<void> {
    const events = texts.map(decodeEvent).filter((event) => this.#isWanted(event))
    const piece = { place, done: false }
    this.#open.push(piece)
    await sink.push(events, () => {
      piece.done = true
      this.#advance()
    })
  }

  /** Batches are acknowledged in any order, but the position advances only over letters without a gap. */
  #advance(): void {
    let last: Place | undefined
    while (this.#open[0]?.done) last = this.#open.shift()!.place
    if (last !== undefined) this.#writePosition(last)
    this.#removeFinished()
  }

  #isWanted(event: Event): boolean {
    if (this.#startMs === undefined) return true
    const time = parseIsoTimestamp(String(event.get('[@metadata][dead_letter_queue][entry_time]')))
    return time === undefined || time.ms >= this.#startMs
  }

  #readPosition(): Place {
    if (!this.#options.commit_offsets || !existsSync(this.#positionPath)) return { segment: 0, count: 0 }
    // Earlier versions wrote no checksum.
    const match = /^((\d+) (\d+))(?: (\d+))?\s*$/.exec(readFileSync(this.#positionPath, 'utf8'))
    const isSound = match !== null && (match[4] === undefined || Number(match[4]) === crc32(Buffer.from(match[1]!)))
    if (isSound) return { segment: Number(match[2]), count: Number(match[3]) }
    this.#context.log.error(`${this.#positionPath} holds no position: all dead letters are read again`)
    return { segment: 0, count: 0 }
  }

  #writePosition({ segment, count }: Place): void {
    if (!this.#options.commit_offsets) return
    try {
      mkdirSync(dirname(this.#positionPath), { recursive: true, mode: 0o700 })
      const text = `${segment} ${count}`
      const line = `${text} ${crc32(Buffer.from(text))}\n`
      writeFileSync(`${this.#positionPath}.new`, line, { mode: 0o600 })
      renameSync(`${this.#positionPath}.new`, this.#positionPath)
    } catch (error) {
      this.#context.log.warn(`The position in the dead letters cannot be written: ${(error as Error).message}`)
    }
  }
}
