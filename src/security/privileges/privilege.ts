/** A privilege is a named set of actions, given as patterns with `*`. */
import { namePattern } from '../../base/name-pattern.ts'

export interface Privilege {
  readonly name: string
  readonly patterns: readonly string[]
  /** Actions that match a pattern and are not granted. */
  readonly except?: readonly string[]
}

export type ActionMatcher = (action: string) => boolean

export function actionMatcher(patterns: readonly string[], except: readonly string[] = []): ActionMatcher {
  const granted = patterns.map(namePattern)
  const excepted = except.map(namePattern)
  return (action) => granted.some((matches) => matches(action)) && !excepted.some((matches) => matches(action))
}

/** Privileges with their matchers, in the order of a 403. */
export class PrivilegeList {
  readonly #byName = new Map<string, { readonly privilege: Privilege; readonly matches: ActionMatcher }>()
  readonly #granting = new Map<string, readonly string[]>()

  constructor(privileges: readonly Privilege[]) {
    for (const privilege of privileges) {
      this.#byName.set(privilege.name, { privilege, matches: actionMatcher(privilege.patterns, privilege.except) })
    }
  }

  get names(): string[] {
    return [...this.#byName.keys()]
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  matcher(name: string): ActionMatcher | undefined {
    return this.#byName.get(name)?.matches
  }

  privilege(name: string): Privilege | undefined {
    return this.#byName.get(name)?.privilege
  }

  /** Names of the privileges that grant an action, from the least to the most powerful. */
  granting(action: string): readonly string[] {
    let names = this.#granting.get(action)
    if (names === undefined) {
      names = [...this.#byName.values()].filter(({ matches }) => matches(action)).map(({ privilege }) => privilege.name)
      this.#granting.set(action, names)
    }
    return names
  }
}
