/** `file`: follows growing files (`tail`), or reads whole files once (`read`). */
import { createHash } from 'node:crypto'
import { isAbsolute, join } from 'node:path'
import { nameMatcher } from '../../base/files/glob.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { FileWatcher } from './watching/file-watcher.ts'
import { Sincedb } from './watching/sincedb.ts'
import { timeSpanMs } from './watching/time-span.ts'

/** Larger than Logstash's 32 KiB: the same lines arrive in fewer chunks. */
const CHUNK_BYTES = 256 * 1024

export const file = inputPlugin({
  name: 'file',
  touches: 'files',
  options: {
    path: option.touching('files', option.strings({ required: true })),
    codec: option.codec({ default: 'plain' }),
    exclude: option.strings({ default: [] }),
    mode: option.words(['tail', 'read'], { default: 'tail' }),
    start_position: option.words(['beginning', 'end'], { default: 'end' }),
    sincedb_path: option.touching('files', option.string()),
    /** Shorter than Logstash's 15 s: lines that were delivered but not recorded are sent again after a crash. */
    sincedb_write_interval: option.any({ default: 0.2 }),
    sincedb_clean_after: option.any({ default: '14 days' }),
    stat_interval: option.any({ default: 1 }),
    discover_interval: option.number({ default: 15 }),
    close_older: option.any({ default: '1 hour' }),
    ignore_older: option.any(),
    delimiter: option.string({ default: '\n' }),
    max_open_files: option.number({ default: 4095 }),
    file_chunk_size: option.number({ default: CHUNK_BYTES }),
    file_chunk_count: option.number({ default: Number.MAX_SAFE_INTEGER }),
    file_sort_by: option.words(['last_modified', 'path'], { default: 'last_modified' }),
    file_sort_direction: option.words(['asc', 'desc'], { default: 'asc' }),
    file_completed_action: option.words(['delete', 'log', 'log_and_delete'], { default: 'delete' }),
    file_completed_log_path: option.touching('files', option.string()),
    exit_after_read: option.boolean({ default: false }),
    check_archive_validity: option.boolean({ default: false }),
  },
  create(options, context) {
    const relative = options.path.find((path) => !isAbsolute(path))
    if (relative !== undefined) {
      throw new PluginOptionError(`File paths must be absolute, relative path specified: ${relative}`)
    }
    const isRead = options.mode === 'read'
    if (options.exit_after_read && !isRead) {
      throw new PluginOptionError('The "exit_after_read" setting is only valid when the "mode" is set to "read"')
    }
    const wantsLog = isRead && options.file_completed_action !== 'delete'
    if (wantsLog && options.file_completed_log_path === undefined) {
      throw new PluginOptionError(
        `The "file_completed_log_path" setting must be provided when the "file_completed_action" is set to "${options.file_completed_action}"`,
      )
    }
    const sincedbPath = options.sincedb_path ?? defaultSincedbPath(context.dataFolder, options.path)
    const keepMs = timeSpanMs(options.sincedb_clean_after, 'days', 'sincedb_clean_after')
    const saveMs = timeSpanMs(options.sincedb_write_interval, 'seconds', 'sincedb_write_interval')
    return new FileWatcher(
      {
        paths: options.path,
        isExcluded: anyOf(options.exclude),
        isRead,
        fromBeginning: options.start_position === 'beginning' || context.readsFromBeginning === true,
        ignoresPositions: context.readsFromBeginning === true,
        roundMs: timeSpanMs(options.stat_interval, 'seconds', 'stat_interval'),
        discoverRounds: Math.max(1, options.discover_interval),
        closeAfterMs: timeSpanMs(options.close_older, 'seconds', 'close_older'),
        ignoreAfterMs:
          options.ignore_older === undefined ? undefined : timeSpanMs(options.ignore_older, 'seconds', 'ignore_older'),
        delimiter: options.delimiter,
        openMax: Math.max(1, options.max_open_files),
        chunkBytes: Math.max(1, options.file_chunk_size),
        chunkCount: Math.max(1, options.file_chunk_count),
        sortBy: options.file_sort_by,
        isDescending: options.file_sort_direction === 'desc',
        deletesCompleted: options.file_completed_action !== 'log',
        completedLog: wantsLog ? options.file_completed_log_path : undefined,
        exitsAfterRead: options.exit_after_read,
        checksArchives: options.check_archive_validity,
      },
      options.codec,
      new Sincedb({ path: sincedbPath, keepMs, saveMs, log: context.log }),
      context,
    )
  },
})

function defaultSincedbPath(dataFolder: string, paths: readonly string[]): string {
  const name = createHash('md5').update(paths.join(',')).digest('hex')
  return join(dataFolder, 'plugins', 'inputs', 'file', `.sincedb_${name}`)
}

function anyOf(patterns: readonly string[]): (name: string) => boolean {
  const matchers = patterns.map(nameMatcher)
  return (name) => matchers.some((matches) => matches(name))
}
