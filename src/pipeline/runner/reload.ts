/**
 * A pipeline that reloads its configuration: when the files change, the new pipeline is built and checked before it
 * replaces the old one. An invalid configuration is reported and changes nothing.
 */
import type { Log } from '../../base/log.ts'
import type { Pipeline } from './pipeline.ts'

export interface ReloadableSource {
  /** The current configuration. Equal text means that nothing has changed. */
  read(): string
  /** Builds a pipeline from the configuration. Throws if it is invalid. */
  build(): Promise<StartedPipeline>
}

export interface StartedPipeline {
  readonly pipeline: Pipeline
  /** Opens ports and files. Called after the old pipeline has released them. */
  start(): Promise<void>
  /** False for pipelines with an input that cannot restart, such as stdin. */
  readonly reloadable: boolean
}

export interface ReloadSettings {
  /** Undefined without `-r`: the files are checked when `checkNow` is called. */
  readonly intervalMs: number | undefined
  readonly log: Log
}

/** How often the configuration was reloaded. */
export interface ReloadCounts {
  successes: number
  failures: number
  lastSuccessMs?: number
  lastFailureMs?: number
  lastError?: string
}

export class ReloadingPipeline {
  readonly #source: ReloadableSource
  readonly #settings: ReloadSettings
  #current: StartedPipeline | undefined
  #text = ''
  #stopped = false
  #wake: (() => void) | undefined
  readonly reloads: ReloadCounts = { successes: 0, failures: 0 }

  constructor(source: ReloadableSource, settings: ReloadSettings) {
    this.#source = source
    this.#settings = settings
  }

  /** Throws if the first configuration is invalid, unless reloading may fix it. */
  async start(): Promise<void> {
    this.#text = this.#source.read()
    try {
      const started = await this.#source.build()
      await started.start()
      this.#current = started
    } catch (error) {
      if (this.#settings.intervalMs === undefined) throw error
      this.#settings.log.error(`${(error as Error).message}`)
    }
  }

  /** Resolves when the pipeline has ended or was stopped. */
  async run(): Promise<void> {
    for (;;) {
      const ended = this.#current?.pipeline.run()
      const next = await this.#waitForChange(ended)
      if (next === undefined) {
        await ended
        return
      }
      this.#current?.pipeline.stop()
      await ended
      this.#current = undefined
      if (this.#stopped) return
      try {
        await next.start()
      } catch (error) {
        // For example a port in use. The old pipeline has released its ports, so nothing runs until this is fixed.
        this.#failed(
          `The new configuration cannot be started, nothing runs until it is changed: ${messageOf(error)}`,
          error,
        )
        continue
      }
      this.#current = next
      this.reloads.successes++
      this.reloads.lastSuccessMs = Date.now()
      this.#settings.log.info('Reloaded the configuration')
    }
  }

  stop(): void {
    this.#stopped = true
    this.#current?.pipeline.stop()
    this.#wake?.()
  }

  /** Checks the files immediately. */
  checkNow(): void {
    this.#wake?.()
  }

  /** The configuration text that was checked last. */
  get configText(): string {
    return this.#text
  }

  /** The running pipeline, if any. */
  get current(): Pipeline | undefined {
    return this.#current?.pipeline
  }

  /** A new pipeline that may take over, or undefined if the running one has ended. */
  async #waitForChange(ended: Promise<void> | undefined): Promise<StartedPipeline | undefined> {
    const { intervalMs } = this.#settings
    let isOver = false
    void ended?.then(
      () => this.#over(() => (isOver = true)),
      () => this.#over(() => (isOver = true)),
    )
    for (;;) {
      // Nobody wakes a check that is under way, so its end looks first.
      if (isOver || this.#stopped) return undefined
      await this.#pause(intervalMs)
      if (isOver || this.#stopped) return undefined
      const next = await this.#changed()
      if (next !== undefined) return next
    }
  }

  #over(mark: () => void): void {
    mark()
    this.#wake?.()
  }

  /** Waits for the interval. Without one, only the end of the pipeline or `checkNow` ends the wait. */
  async #pause(ms: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (ms !== undefined) timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    this.#wake = undefined
  }

  async #changed(): Promise<StartedPipeline | undefined> {
    const { log } = this.#settings
    try {
      const text = this.#source.read()
      // A file is empty while a program overwrites it. The next check finds its contents.
      if (text === this.#text || text.trim() === '') return undefined
      const before = this.#text
      // Stored before building, so that an invalid configuration is reported once and not at every check.
      this.#text = text
      const [built] = await Promise.allSettled([this.#source.build()])
      if (this.#source.read() !== text) {
        // Built from the parts of two configurations, or of one that is still being written. The next check builds the whole one.
        this.#text = before
        return undefined
      }
      if (built.status === 'rejected') throw built.reason
      const next = built.value
      if (next.reloadable && this.#current?.reloadable !== false) return next
      log.error('The configuration has changed, but a pipeline with a stdin input cannot be reloaded')
    } catch (error) {
      this.#failed(`The new configuration is wrong, the old one stays: ${messageOf(error)}`, error)
    }
    return undefined
  }

  #failed(line: string, error: unknown): void {
    this.reloads.failures++
    this.reloads.lastFailureMs = Date.now()
    this.reloads.lastError = messageOf(error)
    this.#settings.log.error(line)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
