/** Users and keys for commands: through the API of a running node, or in the data folder of a stopped one. */
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls'
import { ApiError } from '../../base/api-error.ts'
import { ApiKeyService } from '../../security/accounts/api-key-service.ts'
import { printApiKey } from '../../security/model/api-key.ts'
import { printUser } from '../../security/model/user.ts'
import type { Security } from '../../security/security.ts'
import { isDataFolder, openStoppedNode } from '../../security/stopped-node.ts'
import { SettingsError } from '../arguments/settings-error.ts'

type Json = Record<string, unknown>

export interface Accounts {
  users(): Promise<Json[]>
  /** Adds a user. Throws if the user exists. */
  addUser(name: string, password: string, roles: readonly string[]): Promise<void>
  setPassword(name: string, password: string): Promise<void>
  /** The names among `names` that no role has. */
  unknownRoles(names: readonly string[]): Promise<string[]>
  /** Returns whether the user existed. */
  removeUser(name: string): Promise<boolean>
  keys(): Promise<Json[]>
  /** Creates a key with all privileges of the user `elastic`, or with its own role descriptors. */
  createKey(body: Json): Promise<{ id: string; encoded: string }>
  revokeKey(id: string): Promise<boolean>
  close(): Promise<void>
}

interface Operator {
  readonly url: string
  readonly token: string
  readonly ca_fingerprint?: string | undefined
  /** A client certificate with its key, if the node requires one. */
  readonly certificate?: string | undefined
  readonly key?: string | undefined
}

export function openAccounts(dataFolder: string): Accounts {
  if (!isDataFolder(dataFolder)) {
    throw new SettingsError(`${dataFolder} is not the data folder of a node (--data names it)`)
  }
  try {
    return new StoredAccounts(dataFolder)
  } catch (error) {
    if ((error as Error).name !== 'FolderLockedError') throw error
  }
  const operator = readOperator(dataFolder)
  if (operator === undefined)
    throw new SettingsError('the node that works in this folder was started without --security true')
  return new RunningAccounts(operator)
}

function readOperator(dataFolder: string): Operator | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder, 'security', 'operator'), 'utf8')) as Operator
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

class StoredAccounts implements Accounts {
  readonly #security: Security
  readonly #close: () => Promise<void>

  constructor(dataFolder: string) {
    const { security, close } = openStoppedNode(dataFolder)
    this.#security = security
    this.#close = close
  }

  async users(): Promise<Json[]> {
    return this.#security.users.all().map(printUser)
  }

  async addUser(name: string, password: string, roles: readonly string[]): Promise<void> {
    if (this.#security.users.find(name) !== undefined) throw alreadyThere(name)
    await explained(this.#security.users.put(name, { password, roles }))
  }

  async setPassword(name: string, password: string): Promise<void> {
    await explained(this.#security.users.changePassword(name, { password }))
  }

  async unknownRoles(names: readonly string[]): Promise<string[]> {
    return names.filter((name) => this.#security.roles.find(name) === undefined)
  }

  async removeUser(name: string): Promise<boolean> {
    return explained(this.#security.users.remove(name, Date.now()))
  }

  async keys(): Promise<Json[]> {
    return this.#security.apiKeys.select({}).map((key) => printApiKey(key, false))
  }

  async createKey(body: Json): Promise<{ id: string; encoded: string }> {
    const { users, apiKeys, authenticator } = this.#security
    const owner = ApiKeyService.ownerOf(authenticator.callers.ofUser(users.find('elastic')!))
    const { key, secret } = await explained(apiKeys.createFromBody(owner, body))
    return { id: key.id, encoded: Buffer.from(`${key.id}:${secret}`).toString('base64') }
  }

  async revokeKey(id: string): Promise<boolean> {
    return (await this.#security.apiKeys.invalidate({ ids: [id] })).ended.length > 0
  }

  close(): Promise<void> {
    return this.#close()
  }
}

class RunningAccounts implements Accounts {
  readonly #operator: Operator

  constructor(operator: Operator) {
    this.#operator = operator
  }

  async users(): Promise<Json[]> {
    return Object.values(await this.#success('GET', '/_security/user')) as Json[]
  }

  async addUser(name: string, password: string, roles: readonly string[]): Promise<void> {
    const path = `/_security/user/${encodeURIComponent(name)}`
    if ((await this.#send('GET', path)).status === 200) throw alreadyThere(name)
    await this.#success('PUT', path, { password, roles })
  }

  async setPassword(name: string, password: string): Promise<void> {
    await this.#success('PUT', `/_security/user/${encodeURIComponent(name)}/_password`, { password })
  }

  async unknownRoles(names: readonly string[]): Promise<string[]> {
    const known = await this.#success('GET', '/_security/role')
    return names.filter((name) => !Object.hasOwn(known, name))
  }

  async removeUser(name: string): Promise<boolean> {
    return (
      (await this.#success('DELETE', `/_security/user/${encodeURIComponent(name)}`, undefined, 404))['found'] === true
    )
  }

  async keys(): Promise<Json[]> {
    return (await this.#success('GET', '/_security/api_key'))['api_keys'] as Json[]
  }

  async createKey(body: Json): Promise<{ id: string; encoded: string }> {
    // The key belongs to the user elastic.
    return (await this.#success('POST', '/_security/api_key', body)) as { id: string; encoded: string }
  }

  async revokeKey(id: string): Promise<boolean> {
    const ended = (await this.#success('DELETE', '/_security/api_key', { ids: [id] }))['invalidated_api_keys']
    return (ended as string[]).length > 0
  }

  async close(): Promise<void> {}

  async #success(method: string, path: string, body?: Json, alsoFine?: number): Promise<Json> {
    const { status, json } = await this.#send(method, path, body)
    if (status < 300 || status === alsoFine) return json
    const { reason } = (json['error'] ?? {}) as { reason?: string }
    throw new SettingsError(reason ?? `the node answered ${status}`)
  }

  #send(method: string, path: string, body?: Json): Promise<{ status: number; json: Json }> {
    const { url, token, ca_fingerprint: fingerprint, certificate: cert, key } = this.#operator
    const target = new URL(path, url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1'))
    const isSecure = target.protocol === 'https:'
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const headers = {
      authorization: `Bearer ${token}`,
      // Without a length, Node sends the body of a DELETE without a frame, so that no server finds it.
      ...(content === undefined ? {} : { 'content-type': 'application/json', 'content-length': content.length }),
    }
    return new Promise((resolve, reject) => {
      // The certificate is verified by its fingerprint, so its host names do not matter.
      const options = { method, headers, ...(isSecure ? { rejectUnauthorized: false, agent: false, cert, key } : {}) }
      const request = (isSecure ? httpsRequest : httpRequest)(target, options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, json: (text === '' ? {} : JSON.parse(text)) as Json })
        })
      })
      request.on('socket', (socket) => {
        if (!(socket instanceof TLSSocket)) return
        socket.once('secureConnect', () => {
          if (!isKnown(socket, fingerprint))
            request.destroy(new Error('another server answers at the address of the node'))
        })
      })
      request.on('error', (error) => reject(new SettingsError(`the node does not answer at ${url}: ${error.message}`)))
      request.end(content)
    })
  }
}

/** Whether the certificate or one of its issuers has the fingerprint of the node. */
function isKnown(socket: TLSSocket, fingerprint: string | undefined): boolean {
  let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  const seen = new Set<string>()
  while (certificate?.fingerprint256 !== undefined && !seen.has(certificate.fingerprint256)) {
    seen.add(certificate.fingerprint256)
    certificate = certificate.issuerCertificate
  }
  return [...seen].some((one) => one.replaceAll(':', '').toLowerCase() === fingerprint)
}

const alreadyThere = (name: string) =>
  new SettingsError(`there is a user ${name} already (sandpiper users passwd changes the password)`)

/** Reports errors of the API as messages of the command. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ApiError ? new SettingsError(error.message) : error
  }
}
