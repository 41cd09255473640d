/** Shared code of plain and line: text in `message`, and the one-line form of an event. */
import type { Event } from '../event/event.ts'
import { Event as EventClass } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'

const DEFAULT_FORMAT = '%{@timestamp} %{host} %{message}'

export function formatLine(event: Event, format: string | undefined): string {
  return event.expand(format ?? DEFAULT_FORMAT)
}

/** Creates events from texts. Events of the same millisecond share their timestamp. */
export class MessageMaker {
  readonly #context: PluginContext
  readonly #keepOriginal: boolean
  #now = new Timestamp(0)

  constructor(context: PluginContext) {
    this.#context = context
    this.#keepOriginal = context.ecs !== 'disabled'
  }

  now(): Timestamp {
    const ms = this.#context.clock.nowMs()
    return this.#now.ms === ms ? this.#now : (this.#now = new Timestamp(ms))
  }

  make(message: string): Event {
    const event = EventClass.ofMessage(message, this.now())
    if (this.#keepOriginal) event.set('[event][original]', message)
    return event
  }

  /** Under ECS the original text is kept next to the decoded fields. */
  keepOriginal(event: Event, text: string): void {
    if (this.#keepOriginal) event.setDefault('[event][original]', text)
  }
}
