/** The maps of all aggregate filters of a pipeline: filters with the same `task_id` share theirs. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fields, isFields } from '../event/fields.ts'
import { jsonText, parseJson } from '../event/json-text.ts'
import { AggregateElement } from '../ruby/aggregate-code.ts'

export class AggregateMaps {
  readonly #byPattern = new Map<string, Map<string, AggregateElement>>()
  /** Task ids for which a filter has set timeout options. */
  readonly patternsWithTimeout = new Set<string>()
  /** Task ids whose maps a filter expires. */
  readonly flushedPatterns = new Set<string>()
  path: string | undefined
  #isLoaded = false

  /** The maps of a pattern, oldest first. */
  of(pattern: string): Map<string, AggregateElement> {
    let maps = this.#byPattern.get(pattern)
    if (maps === undefined) {
      maps = new Map()
      this.#byPattern.set(pattern, maps)
    }
    return maps
  }

  /**
   * Loads the maps that an earlier run stored. Called with the first event, because a configuration that is only
   * checked must not touch the file. The file is removed, so that no later run loads it again.
   */
  load(): void {
    if (this.#isLoaded) return
    this.#isLoaded = true
    const { path } = this
    if (path === undefined || !existsSync(path)) return
    const saved = parseJson(readFileSync(path, 'utf8'))
    if (!isFields(saved)) throw new Error(`${path} has no maps of an aggregate filter`)
    for (const pattern in saved) {
      const tasks = saved[pattern]
      if (!isFields(tasks)) continue
      for (const taskId in tasks) {
        const task = tasks[taskId]
        if (isFields(task))
          this.of(pattern).set(
            taskId,
            AggregateElement.fromField(taskId, Number(task['created']), Number(task['last']), task['map']),
          )
      }
    }
    rmSync(path)
  }

  save(): void {
    const saved = new Fields()
    let count = 0
    for (const [pattern, tasks] of this.#byPattern) {
      const list = new Fields()
      for (const [taskId, element] of tasks) {
        const task = new Fields()
        task['created'] = element.creationMs
        task['last'] = element.lastEventMs
        task['map'] = element.toField()
        list[taskId] = task
        count++
      }
      saved[pattern] = list
    }
    if (this.path === undefined || !this.#isLoaded || count === 0) return
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    // Replaced at once: a crash must not leave half of the maps.
    writeFileSync(`${this.path}.new`, jsonText(saved), { mode: 0o600, flush: true })
    renameSync(`${this.path}.new`, this.path)
    this.#byPattern.clear()
  }
}
