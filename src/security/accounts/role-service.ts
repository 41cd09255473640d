/** Creates, updates, shows and deletes roles. */
import { illegalArgument, validationFailed } from '../../base/api-error.ts'
import { invalidName, isValidName } from '../model/names.ts'
import { isReservedRole, RESERVED_ROLES } from '../model/reserved-roles.ts'
import type { RoleDescriptor } from '../model/role-descriptor.ts'
import { withMember } from '../store/security-state.ts'
import type { SecurityStore } from '../store/security-store.ts'
import { parseRole, type RoleQueryCheck } from './parse-role.ts'

export class RoleService {
  readonly #store: SecurityStore
  readonly #checkQuery: RoleQueryCheck

  constructor(store: SecurityStore, checkQuery: RoleQueryCheck) {
    this.#store = store
    this.#checkQuery = checkQuery
  }

  find(name: string): RoleDescriptor | undefined {
    return RESERVED_ROLES.get(name) ?? this.#store.state.roles.get(name)
  }

  /** All roles by name, reserved ones included. */
  all(): [string, RoleDescriptor][] {
    return [...RESERVED_ROLES, ...this.#store.state.roles]
  }

  /** Returns whether the role is new. */
  async put(name: string, body: unknown): Promise<boolean> {
    if (isReservedRole(name)) throw validationFailed(`Role [${name}] is reserved and may not be used.`)
    if (!isValidName(name)) throw validationFailed(invalidName('Role'))
    const role = parseRole(name, body, { allowDescription: true, checkQuery: this.#checkQuery })
    return this.#store.update((state) => ({
      state: withMember(state, 'roles', name, role),
      result: !state.roles.has(name),
    }))
  }

  async remove(name: string): Promise<boolean> {
    if (isReservedRole(name)) throw illegalArgument(`role [${name}] is reserved and cannot be deleted`)
    return this.#store.update((state) => {
      if (!state.roles.has(name)) return { state, result: false }
      return { state: withMember(state, 'roles', name, undefined), result: true }
    })
  }
}
