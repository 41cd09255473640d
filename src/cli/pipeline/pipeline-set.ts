/** The pipelines of one process. Pipelines of `pipelines.yml` are started, stopped and changed as that file changes. */
import type { PipelineLog } from '../../pipeline/runner/pipeline-log.ts'
import type { ReloadingPipeline } from '../../pipeline/runner/reload.ts'
import type { PipelineSettingValues } from './pipeline-settings.ts'

interface Entry {
  readonly settings: PipelineSettingValues
  readonly pipeline: ReloadingPipeline
  /** Resolves when the pipeline has ended, with whether it succeeded. */
  readonly ended: Promise<boolean>
}

/** Resolves to undefined, after a log line, if the pipeline cannot be started. */
type Start = (settings: PipelineSettingValues) => Promise<ReloadingPipeline | undefined>

export class PipelineSet {
  readonly #start: Start
  readonly #log: PipelineLog
  readonly #entries = new Map<string, Entry>()
  #reread: (() => PipelineSettingValues[]) | undefined
  #timer: NodeJS.Timeout | undefined
  #following: Promise<void> = Promise.resolve()
  /** The last reported problem of the file, so that it is reported once. */
  #complaint = ''
  #isStopped = false

  constructor(start: Start, log: PipelineLog) {
    this.#start = start
    this.#log = log
  }

  get size(): number {
    return this.#entries.size
  }

  get all(): readonly Entry[] {
    return [...this.#entries.values()]
  }

  /** Checks the definitions every `intervalMs`, if given, and whenever `checkNow` is called. */
  watch(reread: () => PipelineSettingValues[], intervalMs: number | undefined): void {
    this.#reread = reread
    if (intervalMs !== undefined) this.#timer = setInterval(() => this.#look(), intervalMs).unref()
  }

  /** Starts, stops and changes pipelines until they equal the definitions. */
  async follow(definitions: readonly PipelineSettingValues[]): Promise<void> {
    const wanted = new Map(definitions.map((settings) => [settings.text('pipeline.id'), settings]))
    for (const [id, entry] of [...this.#entries]) {
      if (wanted.get(id)?.fingerprint === entry.settings.fingerprint) continue
      if (!wanted.has(id)) this.#log.info(`Pipeline ${id} is no longer defined and is stopped`)
      entry.pipeline.stop()
      await entry.ended
      this.#entries.delete(id)
    }
    for (const [id, settings] of wanted) {
      if (this.#isStopped || this.#entries.has(id)) continue
      const pipeline = await this.#start(settings)
      if (pipeline !== undefined) this.#entries.set(id, { settings, pipeline, ended: this.#run(pipeline) })
    }
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const { pipeline } of this.#entries.values()) pipeline.stop()
  }

  checkNow(): void {
    this.#look()
    for (const { pipeline } of this.#entries.values()) pipeline.checkNow()
  }

  /** Resolves when all pipelines have ended, with whether all succeeded. */
  async ended(): Promise<boolean> {
    let isWell = true
    for (;;) {
      await this.#following
      const entries = this.all
      for (const { ended } of entries) if (!(await ended)) isWell = false
      await this.#following
      if (this.all.every((entry) => entries.includes(entry))) return isWell
    }
  }

  async #run(pipeline: ReloadingPipeline): Promise<boolean> {
    try {
      await pipeline.run()
      return true
    } catch (error) {
      this.#log.error('Pipeline ended with an error', { error })
      return false
    }
  }

  #look(): void {
    if (this.#reread === undefined || this.#isStopped) return
    try {
      const definitions = this.#reread()
      this.#complaint = ''
      this.#following = this.#following.then(() => this.follow(definitions))
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#complaint) this.#log.error(`The pipelines are unchanged: ${message}`)
      this.#complaint = message
    }
  }
}
