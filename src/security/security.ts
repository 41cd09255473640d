/** Security of one node: users, roles, keys and tokens, and who a request is from. */
import { systemClock } from '../base/clock.ts'
import type { Directory } from '../engine/store/directory.ts'
import { ApiKeyService } from './accounts/api-key-service.ts'
import type { RoleQueryCheck } from './accounts/parse-role.ts'
import { RoleMappingService } from './accounts/role-mapping-service.ts'
import { RoleService } from './accounts/role-service.ts'
import { ServiceTokens } from './accounts/service-tokens.ts'
import { UserService } from './accounts/user-service.ts'
import { Authenticator } from './authentication/authenticator.ts'
import { hashPassword, newPassword, verifyPassword } from './model/password-hash.ts'
import { SecurityStore } from './store/security-store.ts'

const FIRST_USER = 'elastic'

export interface SecurityOptions {
  /** Where users and keys are kept; undefined for a node in memory. */
  readonly directory?: Directory | undefined
  readonly nowMs?: (() => number) | undefined
  /** Whether connections are encrypted. */
  readonly isEncrypted: boolean
  readonly operatorToken?: string | undefined
  /** Checks queries of roles; the node knows which ones there are. */
  readonly checkQuery?: RoleQueryCheck | undefined
}

export class Security {
  readonly store: SecurityStore
  readonly users: UserService
  readonly roles: RoleService
  readonly apiKeys: ApiKeyService
  readonly roleMappings: RoleMappingService
  readonly serviceTokens: ServiceTokens
  readonly authenticator: Authenticator
  readonly nowMs: () => number

  constructor(options: SecurityOptions) {
    const { nowMs = () => systemClock.nowMs(), checkQuery = () => undefined } = options
    this.nowMs = nowMs
    this.store = SecurityStore.open(options.directory)
    this.users = new UserService(this.store)
    this.roles = new RoleService(this.store, checkQuery)
    this.apiKeys = new ApiKeyService({ store: this.store, nowMs, checkQuery })
    this.roleMappings = new RoleMappingService(this.store)
    this.serviceTokens = new ServiceTokens(this.store)
    this.authenticator = new Authenticator({
      store: this.store,
      nowMs,
      withBearer: options.isEncrypted,
      operatorToken: options.operatorToken,
    })
  }

  /**
   * Gives the user `elastic` a password when the API has not set one: `given`, or a new one when there was none yet. Returns a new
   * password, which nobody can find out later.
   */
  async bootstrap(given: string | undefined): Promise<string | undefined> {
    const state = this.store.state.reservedUsers.get(FIRST_USER)
    const isChosen = state?.passwordHash !== undefined && state.isBootstrap !== true
    if (isChosen || (given === undefined && state?.passwordHash !== undefined)) return undefined
    if (given !== undefined && (await verifyPassword(given, state?.passwordHash))) return undefined
    const password = given ?? newPassword()
    await this.users.setPassword(FIRST_USER, await hashPassword(password), true)
    return given === undefined ? password : undefined
  }

  async close(): Promise<void> {
    await this.store.close()
  }
}
