/** Signs requests to S3 and the token service (AWS Signature Version 4). */
import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  /** The escaped path; an URL would resolve `..` in it. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** The headers of the request together with those of the signature. */
export function signedHeaders(
  request: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  region: string,
  timeMs: number,
  service: 's3' | 'sts' = 's3',
): Record<string, string> {
  const { method, url } = request
  const time = new Date(timeMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const bodyHash = sha256(request.body ?? '')
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(headers).sort()
  const canonical = [
    method,
    request.path,
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${headers[name]!.trim().replaceAll(/ +/g, ' ')}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const key = [day, region, service, 'aws4_request'].reduce<Uint8Array>(
    (previous, part) => hmac(previous, part),
    Buffer.from(`AWS4${secretAccessKey}`),
  )
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex')
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/** Escapes all but the unreserved characters of RFC 3986. */
export function escapeUri(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

function canonicalQuery(parameters: URLSearchParams): string {
  return [...parameters]
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .sort()
    .join('&')
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
