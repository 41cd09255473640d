/** An in-memory node with security enabled, and shorthands for requests of tests. */

import { silentLog } from '../../src/base/log.ts'
import { copyOfLent } from '../../src/base/memory/lent-bytes.ts'
import type { Answer } from '../../src/http/dispatcher.ts'
import { SearchServer } from '../../src/server/search-server.ts'

const ADMIN_PASSWORD = 'admin-password'
const PASSWORD = 'a-password'
/** Hundreds of logins with the usual cost would take most of the time of the tests. */
export const TEST_SCRYPT_COST = 16

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests, whatever their shape
  readonly body: any
  readonly text: string
  readonly headers: Answer['headers']
}

export interface SecuredNodeOptions {
  readonly threads?: number
  readonly dataFolder?: string
  /** Undefined: requests are not authenticated. */
  readonly isSecured?: boolean
}

export class SecuredNode {
  readonly server: SearchServer
  #sent = 0

  private constructor(server: SearchServer) {
    this.server = server
  }

  static async open({ threads = 0, dataFolder, isSecured = true }: SecuredNodeOptions = {}): Promise<SecuredNode> {
    const server = await SearchServer.open({
      threads,
      dataFolder,
      maxContentBytes: 10_000_000,
      strictMediaTypes: false,
      log: silentLog,
      security: isSecured ? { bootstrapPassword: ADMIN_PASSWORD, scryptCost: TEST_SCRYPT_COST } : undefined,
    })
    return new SecuredNode(server)
  }

  close(): Promise<void> {
    return this.server.stop()
  }

  basic(username: string, password: string): string {
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }

  /** Credentials of a user that `user` has made. */
  login(username: string): string {
    return this.basic(username, PASSWORD)
  }

  get elastic(): string {
    return this.basic('elastic', ADMIN_PASSWORD)
  }

  async send(
    authorization: string | undefined,
    method: string,
    uri: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await this.server.dispatch({
      method,
      uri,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(bytes === '' ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: Buffer.from(bytes),
      signal: () => new AbortController().signal,
      // Failed logins from one address are slowed down.
      address: `192.0.2.${this.#sent++ % 250}`,
    })
    const text = copyOfLent(answer.body).toString('utf8')
    let parsed: unknown = text
    try {
      parsed = JSON.parse(text)
    } catch {
      // Tables and empty answers are text.
    }
    return { status: answer.status, body: parsed, text, headers: answer.headers }
  }

  /** As the superuser; anything but a success is a mistake of the test. */
  async admin(method: string, uri: string, body?: unknown): Promise<Reply> {
    const reply = await this.send(this.elastic, method, uri, body)
    if (reply.status >= 300) throw new Error(`${method} ${uri}: ${reply.status} ${reply.text}`)
    return reply
  }

  async role(name: string, role: unknown): Promise<void> {
    await this.admin('PUT', `/_security/role/${name}`, role)
  }

  async user(name: string, roles: readonly string[]): Promise<string> {
    await this.admin('PUT', `/_security/user/${name}`, { password: PASSWORD, roles })
    return this.login(name)
  }

  /** Makes a user with one role of its own. */
  async userWith(name: string, role: unknown): Promise<string> {
    await this.role(name, role)
    return this.user(name, [name])
  }

  /** Makes an API key of the superuser's and returns its credentials. */
  async keyWith(name: string, role: unknown): Promise<{ authorization: string; id: string }> {
    const { body } = await this.admin('POST', '/_security/api_key', { name, role_descriptors: { own: role } })
    return { authorization: `ApiKey ${body.encoded}`, id: body.id }
  }
}
