/** Creates, lists and deletes tokens of service accounts. */
import { randomBytes } from 'node:crypto'
import { ApiError, illegalArgument, validationFailed } from '../../base/api-error.ts'
import { hashSecret, newSecret } from '../model/api-key.ts'
import { encodeToken, invalidTokenName, isTokenName, SERVICE_ACCOUNTS } from '../model/service-token.ts'
import { withMember } from '../store/security-state.ts'
import type { SecurityStore } from '../store/security-store.ts'

export class ServiceTokens {
  readonly #store: SecurityStore

  constructor(store: SecurityStore) {
    this.#store = store
  }

  /** Without a name, a random one is used. */
  async create(
    account: string,
    name = `token_${randomBytes(15).toString('base64url')}`,
  ): Promise<{ name: string; value: string }> {
    if (!SERVICE_ACCOUNTS.has(account)) throw illegalArgument(`service account [${account}] does not exist`)
    if (!isTokenName(name)) throw validationFailed(invalidTokenName(name))
    const secret = newSecret()
    const id = `${account}/${name}`
    await this.#store.update((state) => {
      if (state.serviceTokens.has(id)) {
        throw new ApiError(
          409,
          'version_conflict_engine_exception',
          `[service_account_token-${id}]: version conflict, document already exists`,
        )
      }
      return {
        state: withMember(state, 'serviceTokens', id, { account, name, ...hashSecret(secret) }),
        result: undefined,
      }
    })
    return { name, value: encodeToken({ account, name, secret }) }
  }

  async remove(account: string, name: string): Promise<boolean> {
    const id = `${account}/${name}`
    return this.#store.update((state) => {
      if (!state.serviceTokens.has(id)) return { state, result: false }
      return { state: withMember(state, 'serviceTokens', id, undefined), result: true }
    })
  }

  names(account: string): string[] {
    return [...this.#store.state.serviceTokens.values()]
      .filter((token) => token.account === account)
      .map(({ name }) => name)
  }
}
