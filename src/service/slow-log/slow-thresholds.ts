/** The slow log's thresholds of an index: `index.search.slowlog.threshold.query.warn` and its siblings. */
import { parseDuration } from '../../base/duration.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import { textOf } from '../settings/flat-settings.ts'

export type SlowLevel = 'warn' | 'info' | 'debug' | 'trace'

/** Most severe first: a slow operation is logged once, with the most severe level it reaches. */
const LEVELS: readonly SlowLevel[] = ['warn', 'info', 'debug', 'trace']

export class SlowThresholds {
  readonly #thresholds: readonly (readonly [level: SlowLevel, ms: number])[]

  private constructor(thresholds: readonly (readonly [level: SlowLevel, ms: number])[]) {
    this.#thresholds = thresholds
  }

  /** `prefix` is the setting without its level. Returns undefined when no level is set, which is the default. */
  static of(settings: FlatSettings, prefix: string): SlowThresholds | undefined {
    const thresholds: (readonly [SlowLevel, number])[] = []
    for (const level of LEVELS) {
      const name = `${prefix}.${level}`
      const value = settings[name]
      if (value === undefined) continue
      const ms = parseDuration(textOf(value), name)
      if (ms >= 0) thresholds.push([level, ms])
    }
    return thresholds.length === 0 ? undefined : new SlowThresholds(thresholds)
  }

  /** The level to log an operation with, or undefined for one that was fast enough. */
  levelOf(tookMs: number): SlowLevel | undefined {
    return this.#thresholds.find(([, ms]) => tookMs > ms)?.[0]
  }
}
