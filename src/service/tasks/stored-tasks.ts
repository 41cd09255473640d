/** Results of finished tasks in the metadata, where they survive a restart. Bodies are kept as JSON text, number for number. */
import { JsonReader } from '../../base/json/json-reader.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { StoredTask } from '../metadata/metadata.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import type { Task, TaskStore } from './task-registry.ts'

/** Maximum results that are kept; the oldest are dropped. */
const STORED_MAX = 1000

export class StoredTasks implements TaskStore {
  readonly #store: MetadataStore

  constructor(store: MetadataStore) {
    this.#store = store
  }

  load(): Task[] {
    return [...this.#store.state.sections.taskResults].map(([id, stored]) => restored(Number(id), stored))
  }

  async keep(task: Task): Promise<void> {
    await this.#store.update((state) => {
      const ids = [...state.sections.taskResults.keys()].map(Number).sort((a, b) => a - b)
      const dropped = ids.slice(0, Math.max(0, ids.length + 1 - STORED_MAX))
      return [
        { section: 'taskResults', name: String(task.id), value: stored(task) },
        ...dropped.map((id) => ({ section: 'taskResults' as const, name: String(id), value: undefined })),
      ]
    })
  }
}

function stored(task: Task): StoredTask {
  const text = (value: unknown) => (value === undefined ? undefined : Buffer.from(encodeJson(value)).toString())
  return {
    action: task.action,
    description: task.description,
    startedAtMs: task.startedAtMs,
    finishedAtMs: task.finishedAtMs!,
    isCancelled: task.isCancelled,
    opaqueId: task.opaqueId,
    status: text(task.controls?.describe()),
    response: text(task.response),
    error: text(task.error),
  }
}

function restored(id: number, found: StoredTask): Task {
  const { status, response, error, ...rest } = found
  const described = parsed(status) as Record<string, unknown> | undefined
  return {
    ...rest,
    id,
    response: parsed(response),
    error: parsed(error) as Record<string, unknown> | undefined,
    done: Promise.resolve(),
    // A finished task can only be described.
    ...(described === undefined
      ? {}
      : { controls: { describe: () => described, cancel: () => {}, rethrottle: () => {} } }),
  }
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  const reader = new JsonReader().reset(Buffer.from(text))
  reader.next()
  return reader.value()
}
