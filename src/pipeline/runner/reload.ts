/**
 * A pipeline that follows its configuration: when the files change, the new one is built and checked first, then takes
 * over from the old one. One that is
 * wrong is reported and changes nothing.
 */
import type { Log } from '../../base/log.ts'
import type { Pipeline } from './pipeline.ts'

export interface ReloadableSource {
  /** What the configuration says now: the same text means nothing has changed. */
  read(): string
  /** Builds and starts a pipeline of it. Throws when it is wrong. */
  build(): Promise<StartedPipeline>
}

export interface StartedPipeline {
  readonly pipeline: Pipeline
  /** Opens ports and files; called when the old one has let go of them. */
  start(): Promise<void>
  /** False for pipelines with an input that cannot start again, such as stdin. */
  readonly reloadable: boolean
}

export interface ReloadSettings {
  /** Undefined without `-r`: the files are looked at when `checkNow` is called. */
  readonly intervalMs: number | undefined
  readonly log: Log
}

/** How often the configuration was changed while it ran. */
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

  /** Throws when the first configuration is wrong, unless it may still be mended. */
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

  /** Resolves when the pipeline has ended by itself or was stopped. */
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
        // A port that somebody else has, for example. The old one has let go of its own, so nothing runs until it is mended.
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

  /** Looks at the files now, and not only when the interval is over. */
  checkNow(): void {
    this.#wake?.()
  }

  /** The text of the configuration that was looked at last. */
  get configText(): string {
    return this.#text
  }

  /** The pipeline that runs now, if one does. */
  get current(): Pipeline | undefined {
    return this.#current?.pipeline
  }

  /** A new pipeline that may take over, or undefined when the running one has ended. */
  async #waitForChange(ended: Promise<void> | undefined): Promise<StartedPipeline | undefined> {
    const { intervalMs } = this.#settings
    let isOver = false
    void ended?.then(
      () => this.#over(() => (isOver = true)),
      () => this.#over(() => (isOver = true)),
    )
    for (;;) {
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

  /** Without an interval only the end of the pipeline, or somebody who asks for a look, ends it. */
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
      if (text === this.#text) return undefined
      // Remembered before it is built: a wrong configuration is reported once, and not at every look.
      this.#text = text
      const next = await this.#source.build()
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
