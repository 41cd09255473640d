/**
 * `s3`: collects events in temporary files and uploads them when they are large or old enough. An event is delivered when it is in
 * its file; files that a killed run left behind are uploaded at the next start (`restore`).
 */
import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import type { S3Client } from '../s3/s3-client.ts'
import { S3_OPTIONS, s3Client } from '../s3/s3-options.ts'
import { type UploadFile, UploadFiles } from '../s3/upload-files.ts'
import { joinPieces } from './encode-all.ts'

const CHECK_INTERVAL_MS = 15_000
/** S3 takes at most 10,000 parts, each of at least this size. */
const PART_BYTES_MIN = 5 * 1024 * 1024
const PARTS_MAX = 10_000
/** Characters that the plugin of Logstash does not write to keys. */
const UNWANTED = /[\^`><]/g

export const s3 = outputPlugin({
  name: 's3',
  touches: 'network',
  options: {
    ...S3_OPTIONS,
    codec: option.codec({ default: 'line' }),
    prefix: option.string({ default: '' }),
    size_file: option.number({ default: 5 * 1024 * 1024 }),
    time_file: option.number({ default: 15 }),
    rotation_strategy: option.words(['size_and_time', 'size', 'time'], { default: 'size_and_time' }),
    restore: option.boolean({ default: true }),
    temporary_directory: option.touching('files', option.string()),
    tags: option.strings({ default: [] }),
    encoding: option.words(['none', 'gzip'], { default: 'none' }),
    canned_acl: option.words(
      [
        'private',
        'public-read',
        'public-read-write',
        'authenticated-read',
        'aws-exec-read',
        'bucket-owner-read',
        'bucket-owner-full-control',
        'log-delivery-write',
      ],
      { default: 'private' },
    ),
    server_side_encryption: option.boolean({ default: false }),
    server_side_encryption_algorithm: option.words(['AES256', 'aws:kms'], { default: 'AES256' }),
    ssekms_key_id: option.string(),
    storage_class: option.words(
      [
        'STANDARD',
        'REDUCED_REDUNDANCY',
        'STANDARD_IA',
        'ONEZONE_IA',
        'INTELLIGENT_TIERING',
        'GLACIER',
        'DEEP_ARCHIVE',
        'OUTPOSTS',
        'GLACIER_IR',
        'SNOW',
        'EXPRESS_ONEZONE',
      ],
      { default: 'STANDARD' },
    ),
    upload_multipart_threshold: option.number({ default: 15 * 1024 * 1024 }),
    upload_workers_count: option.number({
      default: 2,
      check: (count) => (count < 1 ? 'must be at least 1' : undefined),
    }),
    upload_queue_size: option.ignored('Files wait on disk, any number of them.'),
    validate_credentials_on_root_bucket: option.boolean({ default: true }),
    retry_count: option.number({ default: Number.POSITIVE_INFINITY }),
    retry_delay: option.number({ default: 1 }),
    signature_version: option.words(['v4']),
  },
  create(options, context) {
    const { bucket, prefix, size_file: sizeMax, time_file: minutesMax, rotation_strategy: strategy } = options
    if (/[\^`><]/.test(prefix)) throw new PluginOptionError('Prefix must not contains: ^`><')
    const needs = { size: sizeMax <= 0, time: minutesMax <= 0, size_and_time: sizeMax <= 0 && minutesMax <= 0 }
    if (needs[strategy]) {
      throw new PluginOptionError(
        'The S3 plugin must have at least one of time_file or size_file set to a value greater than 0',
      )
    }
    const bySize = strategy !== 'time' && sizeMax > 0
    const byTime = strategy !== 'size' && minutesMax > 0
    const client = s3Client(options, context)
    const { endpoint = '', region } = options
    const place = createHash('md5').update([endpoint, region, bucket].join(' ')).digest('hex')
    const files = new UploadFiles({
      folder: options.temporary_directory ?? join(context.dataFolder, 'plugins', 'outputs', 's3', place),
      isGzip: options.encoding === 'gzip',
      tags: options.tags,
      nowMs: () => context.clock.nowMs(),
      isFull: (bytes, ageMs) => (bySize && bytes >= sizeMax) || (byTime && bytes > 0 && ageMs >= minutesMax * 60_000),
    })
    const headers = {
      'x-amz-acl': options.canned_acl,
      'x-amz-storage-class': options.storage_class,
      ...(options.encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
      ...(options.server_side_encryption
        ? { 'x-amz-server-side-encryption': options.server_side_encryption_algorithm }
        : {}),
      ...(options.server_side_encryption_algorithm === 'aws:kms' && options.ssekms_key_id !== undefined
        ? { 'x-amz-server-side-encryption-aws-kms-key-id': options.ssekms_key_id }
        : {}),
    }
    const delivery = new Delivery('s3', context)
    const uploads = new Uploads(options.upload_workers_count, async (file) => {
      for (let tries = 0; ; tries++) {
        try {
          await uploadFile(client, bucket, file, headers, options.upload_multipart_threshold)
          await files.remove(file.path)
          return
        } catch (error) {
          const { message } = error as Error
          if (tries >= options.retry_count) {
            context.log.error(`Uploading ${file.path} failed, it stays there for the next start: ${message}`)
            return
          }
          context.log.error(`Uploading failed, retrying (${file.key}): ${message}`)
          await new Promise((resolve) => setTimeout(resolve, options.retry_delay * 1000))
        }
      }
    })
    let timer: NodeJS.Timeout | undefined
    return {
      async start() {
        await files.start()
        if (options.validate_credentials_on_root_bucket) await checkBucket(client, bucket, headers)
        if (options.restore) for (const file of await files.leftovers()) uploads.add(file)
        timer = setInterval(() => {
          void files.endFiles(false).then((ended) => {
            for (const file of ended) uploads.add(file)
          })
        }, CHECK_INTERVAL_MS)
        timer.unref()
      },
      async write(events) {
        const byPrefix = new Map<string, (string | Uint8Array)[]>()
        await delivery.forEach(events, (event) => {
          const piece = options.codec.encode(event)
          const key = event.expand(prefix).replaceAll(UNWANTED, '_')
          const pieces = byPrefix.get(key)
          if (pieces === undefined) byPrefix.set(key, [piece])
          else pieces.push(piece)
        })
        for (const [key, pieces] of byPrefix) {
          const full = await delivery.retry(() => files.append(key, joinPieces(pieces)))
          if (full !== undefined) uploads.add(full)
        }
      },
      async close() {
        clearInterval(timer)
        delivery.close()
        for (const file of await files.endFiles(true)) uploads.add(file)
        await uploads.settled()
        await files.close()
        client.close()
      },
    }
  },
})

/** Uploads a few files at a time. */
class Uploads {
  readonly #workersMax: number
  readonly #upload: (file: UploadFile) => Promise<void>
  readonly #waiting: UploadFile[] = []
  readonly #workers = new Set<Promise<void>>()

  constructor(workersMax: number, upload: (file: UploadFile) => Promise<void>) {
    this.#workersMax = workersMax
    this.#upload = upload
  }

  add(file: UploadFile): void {
    this.#waiting.push(file)
    if (this.#workers.size >= this.#workersMax) return
    const worker: Promise<void> = this.#work().finally(() => this.#workers.delete(worker))
    this.#workers.add(worker)
  }

  async settled(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers)
  }

  async #work(): Promise<void> {
    for (let file = this.#waiting.shift(); file !== undefined; file = this.#waiting.shift()) await this.#upload(file)
  }
}

async function uploadFile(
  client: S3Client,
  bucket: string,
  { path, key }: UploadFile,
  headers: Readonly<Record<string, string>>,
  multipartBytes: number,
): Promise<void> {
  const { size } = await stat(path)
  const handle = await open(path, 'r')
  try {
    if (size <= multipartBytes) return await client.put(bucket, key, await handle.readFile(), headers)
    const partBytes = Math.max(PART_BYTES_MIN, Math.ceil(size / PARTS_MAX))
    await client.putParts(bucket, key, headers, async (number) => {
      const from = (number - 1) * partBytes
      if (from >= size) return undefined
      const part = Buffer.alloc(Math.min(partBytes, size - from))
      await handle.read(part, 0, part.length, from)
      return part
    })
  } finally {
    await handle.close()
  }
}

async function checkBucket(client: S3Client, bucket: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const key = `logstash-programmatic-access-test-object-${Date.now()}`
  try {
    await client.put(bucket, key, Buffer.from('test'), headers)
  } catch (error) {
    throw new Error(
      `Logstash must have the privileges to write to root bucket \`${bucket}\`, check your credentials or your permissions. (${(error as Error).message})`,
    )
  }
  // A failed delete is ignored, because the output needs that permission only here.
  await client.remove(bucket, key).catch(() => {})
}
