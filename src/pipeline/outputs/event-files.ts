/**
 * Files whose names may contain event fields, for outputs that write lines.
 *
 * An unusable name (too long, a folder, no permission) concerns only the events with that name: they go to the file
 * `filename_failure` in the configured folder. Other errors (a full disk, a missing mount) are retried.
 */
import { isAbsolute, normalize, resolve, sep } from 'node:path'
import type { Event } from '../event/event.ts'
import { Delivery } from '../plugin/delivery.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { joinPieces } from './encode-all.ts'
import { OpenFiles } from './open-files.ts'

export const FILE_OPTIONS = {
  path: option.touching('files', option.string({ required: true })),
  flush_interval: option.ignored('Every batch is handed to the system at once.'),
  gzip: option.boolean({ default: false }),
  create_if_deleted: option.boolean({ default: true }),
  dir_mode: option.number({ default: -1 }),
  file_mode: option.number({ default: -1 }),
  filename_failure: option.touching('files', option.string({ default: '_filepath_failures' })),
  write_behavior: option.words(['append', 'overwrite'], { default: 'append' }),
  stale_cleanup_interval: option.number({ default: 10 }),
} as const

/** Error codes that mean an unusable name, as opposed to an unusable disk. */
const NAME_ERRORS: ReadonlySet<string> = new Set([
  'ENAMETOOLONG',
  'EISDIR',
  'ENOTDIR',
  'EEXIST',
  'ELOOP',
  'EINVAL',
  'EILSEQ',
  'EACCES',
  'EPERM',
  'ERR_INVALID_ARG_VALUE',
])

const RETRY_MS = 1000

export class EventFiles {
  readonly #files: OpenFiles
  readonly #delivery: Delivery
  readonly #context: PluginContext
  readonly #pathOf: (event: Event) => string
  /** Undefined if all events go to one file, which then cannot be replaced. */
  readonly #failurePath: string | undefined

  constructor(name: string, options: OptionValues<typeof FILE_OPTIONS>, context: PluginContext) {
    this.#context = context
    this.#delivery = new Delivery(name, context)
    const { pathOf, failurePath } = pathTemplate(options.path, options.filename_failure)
    this.#pathOf = pathOf
    this.#failurePath = failurePath
    this.#files = new OpenFiles(
      {
        isGzip: options.gzip,
        recreates: options.create_if_deleted,
        folderMode: options.dir_mode < 0 ? undefined : options.dir_mode,
        fileMode: options.file_mode < 0 ? undefined : options.file_mode,
        overwrites: options.write_behavior === 'overwrite',
        idleMs: options.stale_cleanup_interval * 1000,
      },
      context.log,
    )
  }

  /** Resolves when every event is in its file. */
  async write(events: readonly Event[], encode: (event: Event) => string | Uint8Array): Promise<void> {
    const byPath = new Map<string, (string | Uint8Array)[]>()
    await this.#delivery.forEach(events, (event) => {
      const piece = encode(event)
      const path = this.#pathOf(event)
      const pieces = byPath.get(path)
      if (pieces === undefined) byPath.set(path, [piece])
      else pieces.push(piece)
    })
    for (const [path, pieces] of byPath) await this.#append(path, joinPieces(pieces))
  }

  async close(): Promise<void> {
    this.#delivery.close()
    await this.#files.close()
  }

  async #append(path: string, bytes: Buffer): Promise<void> {
    let target = path
    await this.#delivery.retry(
      async () => {
        try {
          await this.#files.append(target, bytes)
        } catch (error) {
          const failurePath = this.#failurePath
          const { code, message } = error as NodeJS.ErrnoException
          if (failurePath === undefined || target === failurePath || !NAME_ERRORS.has(code ?? '')) throw error
          this.#context.log.warn(`Events cannot be written to the file they name, ${failurePath} gets them: ${message}`)
          target = failurePath
          await this.#files.append(failurePath, bytes)
        }
      },
      { waitMs: RETRY_MS },
    )
  }
}

interface PathTemplate {
  readonly pathOf: (event: Event) => string
  readonly failurePath: string | undefined
}

/** Event data must not lead out of the configured folder. Such events go to the failure file. */
function pathTemplate(path: string, failureName: string): PathTemplate {
  const start = path.search(/%\{/)
  if (start < 0) {
    const full = resolve(path)
    return { pathOf: () => full, failurePath: undefined }
  }
  const fixed = path.slice(0, start)
  const root = fixed.slice(0, fixed.lastIndexOf('/') + 1)
  if (root === '' || root === '/') {
    throw new PluginOptionError(
      `File: The starting part of the path should not be dynamic. path => "${path}" must begin with a folder`,
    )
  }
  const folder = isAbsolute(root) ? normalize(root) : resolve(root) + sep
  const failurePath = resolve(folder, failureName)
  const pathOf = (event: Event) => {
    const full = resolve(event.expand(path))
    return full.startsWith(folder) ? full : failurePath
  }
  return { pathOf, failurePath }
}
