/** The operations of S3 that the plugins need, over HTTP. */
import { createWriteStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type HttpAnswer, HttpSender } from '../net/http-request.ts'
import type { XmlElement } from '../xml/xml-tree.ts'
import { type Credentials, escapeUri, signedHeaders } from './signature.ts'
import { childrenOf, errorOf, parseAnswer, S3Error, textOf } from './xml-answers.ts'

export interface S3Settings {
  readonly endpoint: URL
  readonly region: string
  /** Whether the bucket is the first part of the path instead of the host name. */
  readonly isPathStyle: boolean
  /** Called for each request, because the credentials of a role change. */
  readonly credentials: () => Promise<Credentials>
  readonly proxy: URL | undefined
  readonly followsRedirects: boolean
}

export interface S3Object {
  readonly key: string
  readonly bytes: number
  readonly modifiedMs: number
  readonly etag: string
  readonly storageClass: string
}

interface Request {
  readonly bucket: string
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

const TIMEOUT_MS = 60_000
/** The time limit of a download; `SILENCE_MS` ends one that stalls. */
const DOWNLOAD_MS = 24 * 3_600_000
const SILENCE_MS = 60_000
const REDIRECTS_MAX = 3

export class S3Client {
  readonly #settings: S3Settings
  readonly #sender: HttpSender

  constructor(settings: S3Settings) {
    this.#settings = settings
    this.#sender = new HttpSender({ connectionsMax: 8, proxy: settings.proxy, silenceMs: SILENCE_MS, retriesMax: 1 })
  }

  close(): void {
    this.#sender.close()
  }

  /** Objects whose keys start with a prefix, a page of up to 1,000 at a time, in the order of their keys. */
  async *list(bucket: string, prefix: string): AsyncIterable<S3Object[]> {
    let token: string | undefined
    do {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        prefix,
        ...(token === undefined ? {} : { 'continuation-token': token }),
      }
      const { text } = await this.#send('GET', { bucket, query })
      const root = parseAnswer(text)
      // Servers that do not know the encoding send keys as they are.
      const isEncoded = textOf(root, 'EncodingType') === 'url'
      yield childrenOf(root, 'Contents').map((element) => objectOf(element, isEncoded))
      token = textOf(root, 'IsTruncated') === 'true' ? textOf(root, 'NextContinuationToken') : undefined
    } while (token !== undefined && token !== '')
  }

  async head(bucket: string, key: string): Promise<IncomingHttpHeaders> {
    return (await this.#send('HEAD', { bucket, key })).headers
  }

  async hasBucket(bucket: string): Promise<boolean> {
    try {
      await this.#send('HEAD', { bucket })
      return true
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return false
      throw error
    }
  }

  async createBucket(bucket: string): Promise<void> {
    const { region } = this.#settings
    const body = `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`
    // The first region has no name of its own.
    await this.#send('PUT', { bucket, ...(region === 'us-east-1' ? {} : { body: Buffer.from(body) }) })
  }

  /** Writes an object to a file and returns its headers. */
  async download(bucket: string, key: string, path: string): Promise<IncomingHttpHeaders> {
    const signed = await this.#signed('GET', { bucket, key })
    return this.#sender.receive({ method: 'GET', ...signed, timeoutMs: DOWNLOAD_MS }, async (incoming) => {
      if (incoming.statusCode !== 200) {
        const pieces: Buffer[] = []
        for await (const piece of incoming) pieces.push(piece as Buffer)
        throw errorOf(incoming.statusCode ?? 0, Buffer.concat(pieces).toString('utf8'), `GET ${key}`)
      }
      await pipeline(incoming, createWriteStream(path, { mode: 0o600 }))
      return incoming.headers
    })
  }

  async put(bucket: string, key: string, body: Uint8Array, headers: Readonly<Record<string, string>>): Promise<void> {
    await this.#send('PUT', { bucket, key, headers, body })
  }

  async copy(from: { bucket: string; key: string }, to: { bucket: string; key: string }): Promise<void> {
    const headers = { 'x-amz-copy-source': `/${from.bucket}/${escapePath(from.key)}` }
    const { text } = await this.#send('PUT', { ...to, headers })
    // S3 reports a failure that happens late in an answer with status 200.
    if (/<Error>/.test(text)) throw errorOf(200, text, `COPY ${from.key}`)
  }

  async remove(bucket: string, key: string): Promise<void> {
    await this.#send('DELETE', { bucket, key })
  }

  /** Uploads an object in parts, which `partOf` reads one after the other; undefined ends the object. */
  async putParts(
    bucket: string,
    key: string,
    headers: Readonly<Record<string, string>>,
    partOf: (number: number) => Promise<Uint8Array | undefined>,
  ): Promise<void> {
    const begun = await this.#send('POST', { bucket, key, query: { uploads: '' }, headers })
    const uploadId = textOf(parseAnswer(begun.text), 'UploadId')
    try {
      let parts = ''
      for (let number = 1; ; number++) {
        const body = await partOf(number)
        if (body === undefined) break
        const query = { partNumber: String(number), uploadId }
        const { etag = '' } = (await this.#send('PUT', { bucket, key, query, body })).headers
        parts += `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`
      }
      const body = Buffer.from(`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`)
      const { text } = await this.#send('POST', { bucket, key, query: { uploadId }, body })
      if (/<Error>/.test(text)) throw errorOf(200, text, `PUT ${key}`)
    } catch (error) {
      // Parts that stay behind cost money and are not seen in listings.
      await this.#send('DELETE', { bucket, key, query: { uploadId } }).catch(() => {})
      throw error
    }
  }

  async #send(method: string, request: Request): Promise<HttpAnswer> {
    let target: URL | undefined
    for (let redirects = 0; ; redirects++) {
      const signed = await this.#signed(method, request, target)
      const answer = await this.#sender.send({ method, ...signed, body: request.body, timeoutMs: TIMEOUT_MS })
      if (answer.status < 300) return answer
      const { location } = answer.headers
      const isRedirect = answer.status === 307 || answer.status === 301
      if (!isRedirect || !this.#settings.followsRedirects || location === undefined || redirects === REDIRECTS_MAX) {
        throw errorOf(answer.status, answer.text, `${method} ${request.key ?? request.bucket}`)
      }
      target = new URL(location, signed.url)
    }
  }

  async #signed(
    method: string,
    { bucket, key = '', query = {}, headers = {}, body }: Request,
    redirected?: URL,
  ): Promise<{ url: URL; path: string; headers: Record<string, string> }> {
    const { endpoint, isPathStyle, credentials, region } = this.#settings
    const url = redirected ?? new URL(endpoint)
    let path = url.pathname
    if (redirected === undefined) {
      if (!isPathStyle) url.hostname = `${bucket}.${endpoint.hostname}`
      path = `${endpoint.pathname.replace(/\/$/, '')}/${isPathStyle ? `${bucket}/` : ''}${escapePath(key)}`
      url.search = Object.entries(query)
        .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
        .join('&')
    }
    const signed = signedHeaders({ method, url, path, headers, body }, await credentials(), region, Date.now())
    return { url, path: path + url.search, headers: signed }
  }
}

function escapePath(key: string): string {
  return key.split('/').map(escapeUri).join('/')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function objectOf(element: XmlElement, isEncoded: boolean): S3Object {
  const key = textOf(element, 'Key')
  return {
    key: isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
    bytes: Number(textOf(element, 'Size')),
    modifiedMs: Date.parse(textOf(element, 'LastModified')),
    etag: textOf(element, 'ETag'),
    storageClass: textOf(element, 'StorageClass'),
  }
}
