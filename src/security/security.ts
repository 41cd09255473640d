/** The security of one node: users, roles, keys and tokens, and the authentication of requests. */
import { systemClock } from '../base/clock.ts'
import type { Directory } from '../engine/store/directory.ts'
import { ApiKeyService } from './accounts/api-key-service.ts'
import type { RoleQueryCheck } from './accounts/parse-role.ts'
import { RoleMappingService } from './accounts/role-mapping-service.ts'
import { RoleService } from './accounts/role-service.ts'
import { ServiceTokens } from './accounts/service-tokens.ts'
import { UserService } from './accounts/user-service.ts'
import { Authenticator } from './authentication/authenticator.ts'
import type { RenderTemplate } from './authorization/role-mapper.ts'
import { newPassword, PasswordHasher } from './model/password-hash.ts'
import { SecurityStore } from './store/security-store.ts'

const FIRST_USER = 'elastic'

export interface SecurityOptions {
  /** Where users and keys are stored; undefined for an in-memory node. */
  readonly directory?: Directory | undefined
  /** Whether they were stored there before, so that a missing file is an error. */
  readonly isStored?: boolean | undefined
  readonly nowMs?: (() => number) | undefined
  /** Whether connections are encrypted. */
  readonly isEncrypted: boolean
  readonly operatorToken?: string | undefined
  /** Checks the queries of roles. */
  readonly checkQuery?: RoleQueryCheck | undefined
  /** Renders the templates of role mappings. */
  readonly renderTemplate?: RenderTemplate | undefined
  /** The scrypt cost of new password hashes; lower in tests. */
  readonly scryptCost?: number | undefined
}

const noTemplates: RenderTemplate = () => {
  throw new Error('templates are rendered by running nodes only')
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
  readonly #hasher: PasswordHasher

  constructor(options: SecurityOptions) {
    const { nowMs = () => systemClock.nowMs(), checkQuery = () => undefined } = options
    this.nowMs = nowMs
    this.store = SecurityStore.open(options.directory, options.isStored)
    this.#hasher = new PasswordHasher(options.scryptCost)
    this.users = new UserService(this.store, this.#hasher)
    this.roles = new RoleService(this.store, checkQuery)
    this.apiKeys = new ApiKeyService({ store: this.store, nowMs, checkQuery })
    this.roleMappings = new RoleMappingService(this.store)
    this.serviceTokens = new ServiceTokens(this.store)
    this.authenticator = new Authenticator({
      store: this.store,
      hasher: this.#hasher,
      nowMs,
      withBearer: options.isEncrypted,
      operatorToken: options.operatorToken,
      renderTemplate: options.renderTemplate ?? noTemplates,
    })
  }

  /**
   * Sets the password of the user `elastic` unless the API has set one: to `given`, or to a random one if there is none
   * yet. Returns the random password, which is stored nowhere.
   */
  async bootstrap(given: string | undefined): Promise<string | undefined> {
    const state = this.store.state.reservedUsers.get(FIRST_USER)
    const isChosen = state?.passwordHash !== undefined && state.isBootstrap !== true
    if (isChosen || (given === undefined && state?.passwordHash !== undefined)) return undefined
    if (given !== undefined && (await this.#hasher.verify(given, state?.passwordHash))) return undefined
    const password = given ?? newPassword()
    await this.users.setPassword(FIRST_USER, await this.#hasher.hash(password), true)
    return given === undefined ? password : undefined
  }

  async close(): Promise<void> {
    await this.store.close()
  }
}
