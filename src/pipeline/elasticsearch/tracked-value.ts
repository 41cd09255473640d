/**
 * Lets a scheduled search continue where the previous one ended. The last value of a field is kept in a file between
 * runs and replaces `:last_value` in the query. `:present` is slightly before now, because younger documents may not be
 * searchable yet.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Event } from '../event/event.ts'
import { textForm } from '../event/text-form.ts'

const PRESENT_DELAY_MS = 30_000

export class TrackedValue {
  readonly #field: string
  readonly #path: string
  readonly #clock: Clock
  #value: string

  constructor(field: string, seed: string, path: string, clock: Clock) {
    this.#field = field
    this.#path = path
    this.#clock = clock
    this.#value = readIfThere(path) ?? seed
  }

  fill(query: string): string {
    const present = new Date(this.#clock.nowMs() - PRESENT_DELAY_MS).toISOString().replace('Z', '000000Z')
    return query.replaceAll(':last_value', this.#value).replaceAll(':present', present)
  }

  see(event: Event): void {
    const value = event.get(this.#field)
    if (value !== undefined && value !== null) this.#value = textForm(value)
  }

  /** Replaced atomically: a crash leaves the old or the new file. */
  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    writeFileSync(`${this.#path}.new`, this.#value, { mode: 0o600 })
    renameSync(`${this.#path}.new`, this.#path)
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
