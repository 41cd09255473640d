/** The operations of S3 that the plugins need, over HTTP. */
import { createWriteStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type HttpAnswer, HttpSender } from '../net/http-request.ts'
import { parseXml } from '../xml/parse-xml.ts'
import type { XmlElement } from '../xml/xml-tree.ts'
import { type Credentials, escapeUri, signedHeaders } from './signature.ts'

export interface S3Settings {
  readonly endpoint: URL
  readonly region: string
  /** Whether the bucket is the first part of the path instead of the host name. */
  readonly isPathStyle: boolean
  readonly credentials: Credentials
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

export class S3Error extends Error {
  readonly status: number
  /** S3's word for the problem, such as `NoSuchKey`. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'S3Error'
    this.status = status
    this.code = code
  }
}

interface Request {
  readonly bucket: string
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

const TIMEOUT_MS = 60_000
/** A download may take as long as bytes arrive. */
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
      const root = parseXml(text).children[0]!
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
    const signed = this.#signed('GET', { bucket, key })
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
    const uploadId = textOf(parseXml(begun.text).children[0]!, 'UploadId')
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
      const signed = this.#signed(method, request, target)
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

  #signed(
    method: string,
    { bucket, key = '', query = {}, headers = {}, body }: Request,
    redirected?: URL,
  ): { url: URL; path: string; headers: Record<string, string> } {
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
    const signed = signedHeaders({ method, url, path, headers, body }, credentials, region, Date.now())
    return { url, path: path + url.search, headers: signed }
  }
}

function escapePath(key: string): string {
  return key.split('/').map(escapeUri).join('/')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child): child is XmlElement => child.kind === 'element' && child.name.local === name)
}

function textOf(element: XmlElement, name: string): string {
  const child = childrenOf(element, name)[0]
  return (child?.children ?? []).map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
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

/** Answers to HEAD requests have no text that says what is wrong. */
function errorOf(status: number, text: string, what: string): S3Error {
  let code = String(status)
  let message = ''
  try {
    const root = parseXml(text).children[0]!
    code = textOf(root, 'Code') || code
    message = textOf(root, 'Message')
  } catch {
    message = text.slice(0, 200)
  }
  return new S3Error(status, code, `${what}: ${message === '' ? code : `${message} (${code})`}`)
}
