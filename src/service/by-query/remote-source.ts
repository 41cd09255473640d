/** Reindex from a remote server: the whitelist, the request options, and the client. */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { ApiClient, ApiReply } from '../../base/api-client.ts'
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { parseDuration } from '../../base/duration.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { JsonObject } from '../metadata/metadata.ts'

export interface RemoteSource {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  readonly pathPrefix: string
  readonly headers: Readonly<Record<string, string>>
  readonly socketTimeoutMs: number
}

const DEFAULT_TIMEOUT = '30s'

/** Parses `source.remote`. */
export function parseRemote(remote: JsonObject): RemoteSource {
  const { host, username, password, headers, socket_timeout: timeout, connect_timeout: _connect, ...unknown } = remote
  const [extra] = Object.keys(unknown)
  if (extra !== undefined) throw illegalArgument(`Unsupported fields in [remote]: [${Object.keys(unknown).join(',')}]`)
  if (host === undefined)
    throw new ApiError(400, 'null_pointer_exception', '[host] must be specified to reindex from a remote cluster')
  const found = /^(https?):\/\/(\[[^\]]+\]|[^:/]+):(\d+)(\/.*)?$/.exec(String(host))
  if (found === null)
    throw illegalArgument(
      `[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${String(host)}]`,
    )
  const [, scheme, name, port, pathPrefix] = found
  const sent: Record<string, string> = {}
  for (const [header, value] of Object.entries((headers ?? {}) as Record<string, unknown>)) sent[header] = String(value)
  if (username !== undefined) {
    const credentials = Buffer.from(`${String(username)}:${String(password ?? '')}`).toString('base64')
    sent['authorization'] = `Basic ${credentials}`
  }
  return {
    scheme: scheme as 'http' | 'https',
    host: name!,
    port: Number(port),
    pathPrefix: (pathPrefix ?? '').replace(/\/$/, ''),
    headers: sent,
    socketTimeoutMs: parseDuration(String(timeout ?? DEFAULT_TIMEOUT), 'socket_timeout'),
  }
}

/** Throws unless a pattern of `reindex.remote.whitelist` matches the server's `host:port`. */
export function checkAllowed({ host, port }: RemoteSource, whitelist: readonly string[]): void {
  const address = `${host}:${port}`
  if (whitelist.some((pattern) => namePattern(pattern)(address))) return
  throw illegalArgument(`[${address}] not whitelisted in reindex.remote.whitelist`)
}

export class RemoteClient implements ApiClient {
  readonly #source: RemoteSource

  constructor(source: RemoteSource) {
    this.#source = source
  }

  send(method: string, path: string, body?: Uint8Array): Promise<ApiReply> {
    const { scheme, host, port, pathPrefix, headers, socketTimeoutMs } = this.#source
    const send = scheme === 'https' ? httpsRequest : httpRequest
    return new Promise((resolve, reject) => {
      const request = send(
        {
          method,
          host: host.replace(/^\[|\]$/g, ''),
          port,
          path: `${pathPrefix}${path}`,
          timeout: socketTimeoutMs,
          headers: {
            ...headers,
            ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
          response.on('error', reject)
        },
      )
      request.on('timeout', () => request.destroy(new Error(`no answer within ${socketTimeoutMs} ms`)))
      request.on('error', (error) =>
        reject(new ApiError(502, 'connect_exception', `cannot read from [${host}:${port}]: ${error.message}`)),
      )
      request.end(body)
    })
  }
}
