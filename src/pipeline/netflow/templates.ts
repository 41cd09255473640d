/**
 * The templates that exporters announce. A template says which fields the records of a flow set have; it is valid until it expires
 * or is announced again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import type { FieldForm } from './field-definitions.ts'

/** A length of 65,535 says that each record states the length of the field. */
export const VARIABLE_LENGTH = 0xffff

export interface TemplateField {
  readonly name: string
  readonly form: FieldForm
  readonly bytes: number
}

export type Template = readonly TemplateField[]

export interface TemplateSettings {
  readonly ttlMs: number
  /** The file that keeps templates over a restart. */
  readonly path: string | undefined
  readonly clock: Clock
}

export class Templates {
  readonly #settings: TemplateSettings
  readonly #known = new Map<string, { template: Template; untilMs: number }>()

  constructor(settings: TemplateSettings) {
    this.#settings = settings
    const { path } = settings
    if (path === undefined || !existsSync(path)) return
    let saved: Record<string, Template>
    try {
      saved = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Template>
    } catch (error) {
      throw new Error(`the template cache ${path} cannot be read: ${(error as Error).message}`)
    }
    for (const [key, template] of Object.entries(saved)) this.#remember(key, template)
  }

  get(key: string): Template | undefined {
    const known = this.#known.get(key)
    return known !== undefined && known.untilMs > this.#settings.clock.nowMs() ? known.template : undefined
  }

  set(key: string, template: Template): void {
    const isNew = JSON.stringify(this.#known.get(key)?.template) !== JSON.stringify(template)
    this.#remember(key, template)
    if (this.#settings.path === undefined || !isNew) return
    const all = Object.fromEntries([...this.#known].map(([name, known]) => [name, known.template]))
    writeFileSync(this.#settings.path, JSON.stringify(all))
  }

  #remember(key: string, template: Template): void {
    const nowMs = this.#settings.clock.nowMs()
    for (const [name, { untilMs }] of this.#known) if (untilMs <= nowMs) this.#known.delete(name)
    this.#known.set(key, { template, untilMs: nowMs + this.#settings.ttlMs })
  }
}

/** The smallest number of bytes that a record of the template takes. */
export function recordBytesMin(template: Template): number {
  return template.reduce((sum, { bytes }) => sum + (bytes === VARIABLE_LENGTH ? 1 : bytes), 0)
}
