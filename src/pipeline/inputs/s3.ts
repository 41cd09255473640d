/**
 * `s3`: reads the objects of a bucket line by line, in the order in which they were modified. An object is done, backed up and
 * deleted after the outputs have written its events.
 */
import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import type { Event } from '../event/event.ts'
import { copyFields, Fields, toFieldValue } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { DeliveredPosition } from '../queue/delivered-position.ts'
import { BucketPosition } from '../s3/bucket-position.ts'
import { objectLines } from '../s3/object-lines.ts'
import type { S3Client, S3Object } from '../s3/s3-client.ts'
import { S3_OPTIONS, s3Client } from '../s3/s3-options.ts'

const OPTIONS = {
  ...S3_OPTIONS,
  codec: option.codec({ default: 'plain' }),
  ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  prefix: option.string({ default: '' }),
  sincedb_path: option.touching('files', option.string()),
  backup_to_bucket: option.string(),
  backup_add_prefix: option.string(),
  backup_to_dir: option.touching('files', option.string()),
  delete: option.boolean({ default: false }),
  interval: option.number({ default: 60 }),
  watch_for_new_files: option.boolean({ default: true }),
  exclude_pattern: option.string(),
  temporary_directory: option.touching('files', option.string()),
  include_object_properties: option.boolean({ default: false }),
  gzip_pattern: option.string({ default: '\\.gz(ip)?$' }),
  cutoff_second: option.number({ default: 3 }),
} as const

type Options = OptionValues<typeof OPTIONS>

/** Maximum events per push. */
const BATCH = 500

export const s3 = inputPlugin({
  name: 's3',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new S3Input(options, context),
})

interface ReadObject {
  readonly object: S3Object
  readonly path: string
}

class S3Input implements Input {
  readonly #options: Options
  readonly #context: PluginContext
  readonly #client: S3Client
  readonly #position: BucketPosition
  readonly #excluded: WatchedRegexp | undefined
  readonly #gzip: WatchedRegexp
  readonly #folder: string
  readonly #stopping = new AbortController()
  /** Objects that were read but whose events are not delivered yet, by their number. */
  readonly #read = new Map<number, ReadObject>()
  readonly #delivered = new DeliveredPosition((number) => this.#settle(number))
  #count = 0
  #finishing: Promise<void> = Promise.resolve()

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#client = s3Client(options, context)
    this.#position = new BucketPosition(sincedbPath(options, context))
    this.#excluded = options.exclude_pattern === undefined ? undefined : new WatchedRegexp(options.exclude_pattern)
    this.#gzip = new WatchedRegexp(options.gzip_pattern)
    this.#folder = join(options.temporary_directory ?? join(tmpdir(), 'logstash'), randomUUID())
  }

  async start(): Promise<void> {
    const { backup_to_bucket: backup, backup_to_dir: folder } = this.#options
    if (backup !== undefined && !(await this.#client.hasBucket(backup))) await this.#client.createBucket(backup)
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  async run(sink: InputSink): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#readNew(sink)
      if (!this.#options.watch_for_new_files) return
      await sleep(this.#options.interval * 1000, undefined, { signal }).catch(() => {})
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#finishing
    this.#client.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #readNew(sink: InputSink): Promise<void> {
    const { bucket, prefix } = this.#options
    const found: S3Object[] = []
    try {
      for await (const objects of this.#client.list(bucket, prefix)) {
        for (const object of objects) if (await this.#isWanted(object)) found.push(object)
      }
    } catch (error) {
      this.#context.log.error(`Unable to list objects in bucket ${bucket}: ${(error as Error).message}`)
      return
    }
    found.sort((a, b) => a.modifiedMs - b.modifiedMs)
    for (const object of found) {
      if (this.#stopping.signal.aborted) return
      // An object that cannot be read holds back the later ones: recording their time would mark it as done.
      if (!(await this.#readObject(object, sink))) return
    }
  }

  async #isWanted(object: S3Object): Promise<boolean> {
    const { key, bytes, modifiedMs, storageClass } = object
    const { prefix, backup_to_bucket: backup, backup_add_prefix: added, bucket } = this.#options
    if (key === prefix || key.endsWith('/') || bytes === 0) return false
    if (added !== undefined && added !== '' && backup === bucket && key.startsWith(added)) return false
    if (this.#excluded?.test(key) === true) return false
    if (this.#position.isDone(key, modifiedMs)) return false
    // Objects that were written just now are left to the next round: another object with the same time may not be
    // listed yet.
    if (modifiedMs > this.#context.clock.nowMs() - this.#options.cutoff_second * 1000) return false
    for (const { object: known } of this.#read.values()) {
      if (known.key === key && known.modifiedMs === modifiedMs) return false
    }
    return !/^(?:GLACIER|DEEP_ARCHIVE)$/.test(storageClass) || this.#isRestored(key)
  }

  async #isRestored(key: string): Promise<boolean> {
    const restore = (await this.#client.head(this.#options.bucket, key))['x-amz-restore']
    return typeof restore === 'string' && /ongoing-request\s?=\s?["']false["']/.test(restore)
  }

  /** Returns whether the object was read to its end. */
  async #readObject(object: S3Object, sink: InputSink): Promise<boolean> {
    const { key } = object
    const path = join(this.#folder, `${this.#count}-${basename(key).slice(-100)}`)
    let headers: IncomingHttpHeaders
    try {
      headers = await this.#client.download(this.#options.bucket, key, path)
    } catch (error) {
      this.#context.log.warn(`Unable to download remote file ${key}: ${(error as Error).message}`)
      rmSync(path, { force: true })
      return false
    }
    const number = ++this.#count
    this.#read.set(number, { object, path })
    const isComplete = await this.#pushLines(object, path, headers, sink)
    if (isComplete) this.#delivered.expect(number)()
    else this.#read.delete(number)
    return isComplete
  }

  async #pushLines(object: S3Object, path: string, headers: IncomingHttpHeaders, sink: InputSink): Promise<boolean> {
    const decoder = this.#options.codec.createDecoder()
    const decorate = this.#decoration(object, headers)
    let events: Event[] = []
    const push = async (): Promise<void> => {
      const batch = events.filter(decorate)
      events = []
      // Batches of an object that is not complete yet end where the object before it does.
      if (batch.length > 0) await sink.push(batch, this.#delivered.expect(this.#count - 1))
    }
    try {
      for await (const line of objectLines(path, this.#gzip.test(basename(object.key)))) {
        if (this.#stopping.signal.aborted) {
          this.#context.log.warn(`Stopped in the middle of ${object.key}; it is read again at the next start`)
          return false
        }
        decoder.decode(line, events)
        if (events.length >= BATCH) await push()
      }
    } catch (error) {
      this.#context.log.error(`Failed to read file ${object.key}, processing skipped: ${(error as Error).message}`)
    }
    decoder.flush(events)
    await push()
    return true
  }

  /**
   * Returns a function that adds the metadata of the object to an event; it returns false for lines that only describe
   * the columns of others.
   */
  #decoration(object: S3Object, headers: IncomingHttpHeaders): (event: Event) => boolean {
    const isClassic = this.#context.ecs === 'disabled'
    const properties = this.#options.include_object_properties ? propertiesOf(headers) : new Fields()
    properties['key'] = object.key
    let version: string | undefined
    let names: string | undefined
    return (event) => {
      const { message } = event.fields
      if (typeof message === 'string' && message.startsWith('#')) {
        const described = /^#(Version|Fields): (.+)/.exec(message.trim())
        if (described?.[1] === 'Version') version = described[2]
        if (described?.[1] === 'Fields') names = described[2]
        if (described !== null) return false
      }
      event.metadata['s3'] = copyFields(properties)
      if (version !== undefined) {
        event.set(isClassic ? 'cloudfront_version' : '[@metadata][s3][cloudfront][version]', version)
      }
      if (names !== undefined) {
        event.set(isClassic ? 'cloudfront_fields' : '[@metadata][s3][cloudfront][fields]', names)
      }
      return true
    }
  }

  /** All events of the objects up to this number are delivered. */
  #settle(number: number): void {
    for (const [one, read] of this.#read) {
      if (one > number) continue
      this.#finishing = this.#finishing.then(() => this.#finish(one, read))
    }
  }

  async #finish(number: number, { object, path }: ReadObject): Promise<void> {
    if (!this.#read.has(number)) return
    const { signal } = this.#stopping
    for (;;) {
      try {
        await this.#afterwards(object, path)
        break
      } catch (error) {
        this.#context.log.warn(`${object.key} was read, but not backed up or deleted: ${(error as Error).message}`)
        if (signal.aborted) return
        await sleep(this.#options.interval * 1000, undefined, { signal }).catch(() => {})
        if (signal.aborted) return
      }
    }
    rmSync(path, { force: true })
    this.#read.delete(number)
  }

  async #afterwards(object: S3Object, path: string): Promise<void> {
    const { bucket, backup_to_bucket: backup, backup_add_prefix: added, backup_to_dir: folder } = this.#options
    const { key, modifiedMs } = object
    if (backup !== undefined || this.#options.delete) {
      const changed = (await this.#client.head(bucket, key))['last-modified']
      // The header has whole seconds only.
      if (changed !== undefined && Date.parse(changed) - modifiedMs >= 1000) {
        this.#context.log.info(`${key} was updated meanwhile and will be read again in the next round`)
        return
      }
    }
    if (backup !== undefined) await this.#client.copy({ bucket, key }, { bucket: backup, key: `${added ?? ''}${key}` })
    if (folder !== undefined) copyFileSync(path, join(folder, basename(key)))
    if (this.#options.delete) await this.#client.remove(bucket, key)
    this.#position.done(key, modifiedMs)
  }
}

/** The properties of an object, under the names of Amazon's Ruby library. */
function propertiesOf(headers: IncomingHttpHeaders): Fields {
  const properties = new Fields()
  const metadata = new Fields()
  const names: Readonly<Record<string, string>> = {
    'accept-ranges': 'accept_ranges',
    'cache-control': 'cache_control',
    'content-disposition': 'content_disposition',
    'content-encoding': 'content_encoding',
    'content-language': 'content_language',
    'content-type': 'content_type',
    etag: 'etag',
    'x-amz-server-side-encryption': 'server_side_encryption',
    'x-amz-storage-class': 'storage_class',
    'x-amz-version-id': 'version_id',
  }
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') continue
    if (name.startsWith('x-amz-meta-')) metadata[name.slice('x-amz-meta-'.length)] = value
    else if (Object.hasOwn(names, name)) properties[names[name]!] = value
  }
  const { 'last-modified': modified, 'content-length': length } = headers
  if (modified !== undefined) properties['last_modified'] = new Timestamp(Date.parse(modified))
  if (length !== undefined) properties['content_length'] = toFieldValue(Number(length))
  properties['metadata'] = metadata
  return properties
}

function sincedbPath({ sincedb_path: given, bucket, prefix }: Options, { dataFolder }: PluginContext): string {
  if (given !== undefined && statSync(given, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new PluginOptionError(`sincedb_path must name a file, "${given}" is a folder`)
  }
  const digest = createHash('md5').update(`${bucket}+${prefix}`).digest('hex')
  return given ?? join(dataFolder, 'plugins', 'inputs', 's3', `sincedb_${digest}`)
}
