/** The options of outputs that write files whose names may come from the events. */
import { isAbsolute, normalize, resolve, sep } from 'node:path'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { OpenFiles } from './open-files.ts'

export const FILE_OPTIONS = {
  path: option.string({ required: true }),
  flush_interval: option.number({ default: 2 }),
  gzip: option.boolean({ default: false }),
  create_if_deleted: option.boolean({ default: true }),
  dir_mode: option.number({ default: -1 }),
  file_mode: option.number({ default: -1 }),
  filename_failure: option.string({ default: '_filepath_failures' }),
  write_behavior: option.words(['append', 'overwrite'], { default: 'append' }),
  stale_cleanup_interval: option.number({ default: 10 }),
} as const

export function openFiles(options: OptionValues<typeof FILE_OPTIONS>, log: Log): OpenFiles {
  return new OpenFiles(
    {
      isGzip: options.gzip,
      recreates: options.create_if_deleted,
      folderMode: options.dir_mode < 0 ? undefined : options.dir_mode,
      fileMode: options.file_mode < 0 ? undefined : options.file_mode,
      overwrites: options.write_behavior === 'overwrite',
      idleMs: options.stale_cleanup_interval * 1000,
    },
    log,
  )
}

/** Data must not lead out of the folder the configuration names: such events go to a file of their own. */
export function pathTemplate(path: string, failureName: string): (event: Event) => string {
  const start = path.search(/%\{/)
  if (start < 0) {
    const full = resolve(path)
    return () => full
  }
  const fixed = path.slice(0, start)
  const root = fixed.slice(0, fixed.lastIndexOf('/') + 1)
  if (root === '' || root === '/') {
    throw new PluginOptionError(
      `File: The starting part of the path should not be dynamic. path => "${path}" must begin with a folder`,
    )
  }
  const folder = isAbsolute(root) ? normalize(root) : resolve(root) + sep
  return (event) => {
    const full = resolve(event.expand(path))
    return full.startsWith(folder) ? full : resolve(folder, failureName)
  }
}
