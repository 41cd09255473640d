/** `dead_letter_queue`: reads what outputs could not deliver. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
  sincedb_path: option.string(),
} as const

export const deadLetterQueue = inputPlugin({
  name: 'dead_letter_queue',
  options: OPTIONS,
  create: (options, context) => new DeadLetterInput(options, context),
})

class DeadLetterInput implements Input {
  readonly #options: OptionValues<typeof OPTIONS>
  readonly #folder: string
  readonly #positionPath: string
  readonly #startMs: number | undefined
  readonly #stopping = new AbortController()

  constructor(options: OptionValues<typeof OPTIONS>, context: PluginContext) {
    this.#options = options
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
    let { segment, count } = this.#readPosition()
    while (!this.#stopping.signal.aborted) {
      const segments = existsSync(this.#folder) ? segmentsOf(this.#folder) : []
      const current = segments.find((number) => number >= segment)
      const texts = current === undefined ? [] : this.#readSegment(current, current === segment ? count : 0)
      if (current !== undefined && texts.length > 0) {
        count = (current === segment ? count : 0) + texts.length
        segment = current
        await this.#push(texts, sink, segment, count)
        continue
      }
      // A segment is finished once a later one exists.
      if (current !== undefined && segments.some((number) => number > current)) {
        if (this.#options.clean_consumed) rmSync(join(this.#folder, `${current}.log`), { force: true })
        segment = current + 1
        count = 0
        continue
      }
      await sleep(POLL_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  #readSegment(number: number, skip: number): string[] {
    const reader = new PageReader(join(this.#folder, `${number}.log`))
    try {
      for (let left = skip; left > 0; ) {
        const skipped = reader.read(left).length
        if (skipped === 0) return []
        left -= skipped
      }
      return reader.read(BATCH)
    } finally {
      reader.close()
    }
  }

  async #push(texts: readonly string[], sink: InputSink, segment: number, count: number): Promise<void> {
    const events = texts.map(decodeEvent).filter((event) => this.#isWanted(event))
    await sink.push(events, () => this.#writePosition(segment, count))
  }

  #isWanted(event: Event): boolean {
    if (this.#startMs === undefined) return true
    const time = parseIsoTimestamp(String(event.get('[@metadata][dead_letter_queue][entry_time]')))
    return time === undefined || time.ms >= this.#startMs
  }

  #readPosition(): { segment: number; count: number } {
    if (!this.#options.commit_offsets || !existsSync(this.#positionPath)) return { segment: 0, count: 0 }
    const [segment, count] = readFileSync(this.#positionPath, 'utf8').trim().split(' ').map(Number)
    return { segment: segment ?? 0, count: count ?? 0 }
  }

  #writePosition(segment: number, count: number): void {
    if (!this.#options.commit_offsets) return
    mkdirSync(dirname(this.#positionPath), { recursive: true })
    writeFileSync(`${this.#positionPath}.new`, `${segment} ${count}\n`)
    renameSync(`${this.#positionPath}.new`, this.#positionPath)
  }
}
