/** An S3 server in memory for tests. It checks the signature of every request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Credentials, escapeUri, signedHeaders } from './signature.ts'

export interface StoredObject {
  readonly bytes: Buffer
  readonly headers: Record<string, string>
  modifiedMs: number
}

const SECRET: Credentials = { accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: undefined }
const PAGE = 3

export class S3Fixture {
  readonly buckets = new Map<string, Map<string, StoredObject>>([['logs', new Map()]])
  readonly #parts = new Map<string, Map<number, Buffer>>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  /** Requests to refuse, for tests of failures. */
  refuses: (method: string, key: string) => boolean = () => false
  /** Roles that may be assumed, with their external id. */
  readonly roles = new Map<string, string | null>()
  /** The forms of the requests for roles. */
  readonly assumed: Record<string, string>[] = []
  /** How long the credentials of a role are valid. */
  roleLifetimeMs = 3_600_000
  readonly #known = new Map([[SECRET.accessKeyId, SECRET]])

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  /** The options of a plugin that uses this server. */
  get options() {
    const { port } = this.#server.address() as AddressInfo
    return {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'logs',
      access_key_id: SECRET.accessKeyId,
      secret_access_key: SECRET.secretAccessKey,
    }
  }

  put(key: string, bytes: string | Buffer, modifiedMs: number, headers: Record<string, string> = {}): void {
    this.buckets.get('logs')!.set(key, { bytes: Buffer.from(bytes), headers, modifiedMs })
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const url = new URL(request.url!, this.options.endpoint)
    const [, bucketName = '', ...path] = request.url!.replace(/\?.*/, '').split('/')
    const key = path.map(decodeURIComponent).join('/')
    if (!isSigned(request, url, body, this.#known)) return fail(response, 403, 'SignatureDoesNotMatch')
    if (request.method === 'POST' && bucketName === '') return this.#assumeRole(body, response)
    if (this.refuses(request.method!, key)) return fail(response, 503, 'SlowDown')
    const bucket = this.buckets.get(bucketName)
    if (request.method === 'PUT' && key === '') {
      this.buckets.set(bucketName, new Map())
      response.end()
    } else if (bucket === undefined) fail(response, 404, 'NoSuchBucket')
    else if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) {
      this.#multipart(request, response, url, bucket, key, body)
    } else if (key === '') this.#list(url, response, bucket)
    else this.#object(request, response, bucket, key, body)
  }

  #assumeRole(body: Buffer, response: ServerResponse): void {
    const form = Object.fromEntries(new URLSearchParams(body.toString()))
    if (this.roles.get(form['RoleArn'] ?? '') !== (form['ExternalId'] ?? null)) {
      fail(response, 403, 'AccessDenied')
      return
    }
    this.assumed.push(form)
    const name = `role-${this.assumed.length}`
    this.#known.set(name, { accessKeyId: name, secretAccessKey: `secret of ${name}`, sessionToken: `token of ${name}` })
    const { secretAccessKey, sessionToken } = this.#known.get(name)!
    const expiration = new Date(Date.now() + this.roleLifetimeMs).toISOString()
    response.end(
      `<AssumeRoleResponse xmlns="urn:a"><AssumeRoleResult><Credentials><AccessKeyId>${name}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken>${sessionToken}</SessionToken><Expiration>${expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
    )
  }

  #object(
    request: IncomingMessage,
    response: ServerResponse,
    bucket: Map<string, StoredObject>,
    key: string,
    body: Buffer,
  ): void {
    const found = bucket.get(key)
    const source = request.headers['x-amz-copy-source']
    if (request.method === 'PUT') {
      const [, from = '', ...path] = typeof source === 'string' ? source.split('/') : []
      const copied = this.buckets.get(from)?.get(path.map(decodeURIComponent).join('/'))
      bucket.set(key, copied ?? { bytes: body, headers: plainHeaders(request), modifiedMs: Date.now() })
      response.end('<CopyObjectResult/>')
    } else if (request.method === 'DELETE') {
      bucket.delete(key)
      response.writeHead(204).end()
    } else if (found === undefined) fail(response, 404, 'NoSuchKey')
    else {
      const modified = new Date(found.modifiedMs).toUTCString()
      const length = found.bytes.length
      response.writeHead(200, { ...found.headers, 'last-modified': modified, 'content-length': length })
      response.end(request.method === 'HEAD' ? undefined : found.bytes)
    }
  }

  #multipart(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    bucket: Map<string, StoredObject>,
    key: string,
    body: Buffer,
  ): void {
    const id = url.searchParams.get('uploadId') ?? `upload of ${key}`
    const parts = this.#parts.get(id) ?? new Map<number, Buffer>()
    this.#parts.set(id, parts)
    if (request.method === 'PUT') {
      parts.set(Number(url.searchParams.get('partNumber')), body)
      response.writeHead(200, { etag: `"${body.length}"` }).end()
    } else if (url.searchParams.has('uploads')) response.end(`<R><UploadId>${id}</UploadId></R>`)
    else {
      const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)/g)].map(([, number]) => Number(number))
      const bytes = Buffer.concat(numbers.map((number) => parts.get(number)!))
      bucket.set(key, { bytes, headers: plainHeaders(request), modifiedMs: Date.now() })
      response.end('<CompleteMultipartUploadResult/>')
    }
  }

  #list(url: URL, response: ServerResponse, bucket: Map<string, StoredObject>): void {
    const prefix = url.searchParams.get('prefix') ?? ''
    const keys = [...bucket.keys()].filter((key) => key.startsWith(prefix)).sort()
    const from = Number(url.searchParams.get('continuation-token') ?? 0)
    const contents = keys.slice(from, from + PAGE).map((key) => {
      const { bytes, modifiedMs, headers } = bucket.get(key)!
      const time = new Date(modifiedMs).toISOString()
      const storage = headers['x-amz-storage-class'] ?? 'STANDARD'
      return `<Contents><Key>${escapeUri(key)}</Key><LastModified>${time}</LastModified><ETag>"e"</ETag><Size>${bytes.length}</Size><StorageClass>${storage}</StorageClass></Contents>`
    })
    const isCut = from + PAGE < keys.length
    const next = isCut ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : ''
    response.end(
      `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    )
  }
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(?:x-amz-(?!date|content)|content-encoding)/.test(name)),
  ) as Record<string, string>
}

function isSigned(request: IncomingMessage, url: URL, body: Buffer, known: ReadonlyMap<string, Credentials>): boolean {
  const { authorization = '' } = request.headers
  const [, id = '', service] = /Credential=([^/]*)\/\d+\/[^/]*\/(s3|sts)\//.exec(authorization) ?? []
  const credentials = known.get(id)
  if (credentials === undefined) return false
  const names = /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(';') ?? []
  const own = new Set(['host', 'x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token'])
  const headers = Object.fromEntries(
    names.filter((name) => !own.has(name)).map((name) => [name, String(request.headers[name])]),
  )
  const time = String(request.headers['x-amz-date']).replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5')
  const signed = signedHeaders(
    { method: request.method!, url, path: request.url!.replace(/\?.*/, ''), headers, body },
    credentials,
    'us-east-1',
    Date.parse(time),
    service as 's3' | 'sts',
  )
  return signed['authorization'] === authorization
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>refused by the test</Message></Error>`)
}
