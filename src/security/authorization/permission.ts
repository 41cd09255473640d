/**
 * The permission of a caller: the union of its roles, compiled once. Decisions are cached by action and name, because
 * requests repeat.
 */

import { type NameSet, nameSet } from '../../engine/limits/name-set.ts'
import type { LimitEntry } from '../../engine/limits/read-limits.ts'
import type { IndexPrivileges, RoleDescriptor } from '../model/role-descriptor.ts'
import { CLUSTER_PRIVILEGES, clusterPrivilege } from '../privileges/cluster-privileges.ts'
import { indexPrivilege, mappingExtension, ON_FAILURES, privilegePatterns } from '../privileges/index-privileges.ts'
import type { ActionMatcher } from '../privileges/privilege.ts'

/** The names on which an action is granted. */
export interface IndexAccess {
  /** Granted on every name except restricted ones. */
  readonly coversAll: boolean
  /** Granted on no name at all. */
  readonly isEmpty: boolean
  /** The same action on the failure stores of data streams. */
  readonly failures: IndexAccess
  /** `inStream`: the name is a data stream or one of its backing indices. */
  has(name: string, inStream?: boolean): boolean
  /** Whether every name the pattern matches is covered. */
  covers(pattern: string, allowRestricted: boolean): boolean
}

export interface Permission {
  allowsCluster(action: string): boolean
  /** Whether every cluster action of the privilege or pattern is granted. */
  hasClusterPrivilege(privilege: string): boolean
  index(action: string): IndexAccess
  /** Whether all actions of an index privilege are granted on all names of a pattern. */
  hasIndexPrivilege(pattern: string, privilege: string, allowRestricted: boolean): boolean
  hasApplicationPrivilege(application: string, privilege: string, resource: string): boolean
  canRunAs(username: string): boolean
  /** Whether any role limits fields or documents. */
  readonly hasLimits: boolean
  /**
   * The entries of roles that grant an action, one list for each side, where some of them limit fields or documents.
   * Queries may be templates.
   */
  limitEntries(action: string): readonly (readonly LimitEntry[])[]
}

const RESTRICTED = /^\.(security|async-search)/
export const isRestricted = (name: string) => RESTRICTED.test(name)

const REMEMBERED_MAX = 10_000

interface Entry {
  readonly names: NameSet
  readonly given: IndexPrivileges
  readonly matches: ActionMatcher
  readonly extendsMapping: ActionMatcher
}

export class RolePermission implements Permission {
  readonly hasLimits: boolean
  readonly #roles: readonly RoleDescriptor[]
  readonly #cluster: readonly { readonly name: string; readonly matches: ActionMatcher }[]
  readonly #entries: readonly Entry[]
  readonly #runAs: NameSet
  readonly #clusterAnswers = new Map<string, boolean>()
  readonly #accesses = new Map<string, IndexAccess>()

  constructor(roles: readonly RoleDescriptor[]) {
    this.#roles = roles
    this.#cluster = roles.flatMap(({ cluster }) =>
      cluster.map((name) => ({ name: name.toLowerCase(), matches: clusterPrivilege(name) ?? (() => false) })),
    )
    this.#entries = roles.flatMap(({ indices }) => indices.map(compile))
    this.hasLimits = this.#entries.some(({ given: { query, fieldSecurity } }) => (query ?? fieldSecurity) !== undefined)
    this.#runAs = nameSet(roles.flatMap(({ runAs }) => runAs))
  }

  allowsCluster(action: string): boolean {
    let answer = this.#clusterAnswers.get(action)
    if (answer === undefined) {
      // `manage_own_api_key` depends on the owner of the keys in the request (own-account.ts).
      answer = this.#cluster.some(({ name, matches }) => name !== 'manage_own_api_key' && matches(action))
      remember(this.#clusterAnswers, action, answer)
    }
    return answer
  }

  hasClusterPrivilege(privilege: string): boolean {
    const asked = privilege.toLowerCase()
    return this.#cluster.some(
      ({ name, matches }) => name === asked || name === 'all' || impliesCluster(name, asked, matches),
    )
  }

  index(action: string): IndexAccess {
    let access = this.#accesses.get(action)
    if (access === undefined) {
      access = new EntriesAccess(this.#entries, action, () => this.index(`${ON_FAILURES}${action}`))
      remember(this.#accesses, action, access)
    }
    return access
  }

  hasIndexPrivilege(pattern: string, privilege: string, allowRestricted: boolean): boolean {
    const covering = this.#entries.filter(
      ({ names, given }) => names.covers(pattern) && coversRestricted(pattern, given, allowRestricted),
    )
    const asked = privilege.toLowerCase()
    return (
      covering.length > 0 &&
      impliesIndex(
        covering.flatMap(({ given }) => given.privileges),
        asked,
      )
    )
  }

  hasApplicationPrivilege(application: string, privilege: string, resource: string): boolean {
    return this.#roles.some(({ applications }) =>
      applications.some(
        (given) =>
          nameSet([given.application]).covers(application) &&
          nameSet(given.privileges.map((name) => (name === 'all' ? '*' : name))).covers(privilege) &&
          nameSet(given.resources).covers(resource),
      ),
    )
  }

  canRunAs(username: string): boolean {
    return this.#runAs.has(username)
  }

  limitEntries(action: string): readonly (readonly LimitEntry[])[] {
    const granting = this.#entries.filter(({ matches }) => matches(action))
    if (granting.every(({ given: { query, fieldSecurity } }) => (query ?? fieldSecurity) === undefined)) return []
    return [granting.map(({ given: { names, query, fieldSecurity } }) => ({ names, query, fields: fieldSecurity }))]
  }
}

/** The intersection of two permissions: the role descriptors of an API key, and the roles of its owner. */
export class Intersection implements Permission {
  readonly hasLimits: boolean
  readonly #sides: readonly [Permission, Permission]
  readonly #accesses = new Map<string, IndexAccess>()

  constructor(one: Permission, other: Permission) {
    this.#sides = [one, other]
    this.hasLimits = one.hasLimits || other.hasLimits
  }

  allowsCluster(action: string): boolean {
    return this.#sides.every((side) => side.allowsCluster(action))
  }

  hasClusterPrivilege(privilege: string): boolean {
    return this.#sides.every((side) => side.hasClusterPrivilege(privilege))
  }

  index(action: string): IndexAccess {
    let access = this.#accesses.get(action)
    if (access === undefined) {
      const [one, other] = this.#sides.map((side) => side.index(action)) as [IndexAccess, IndexAccess]
      const failures = () => this.index(`${ON_FAILURES}${action}`)
      access = {
        get failures() {
          return failures()
        },
        coversAll: one.coversAll && other.coversAll,
        isEmpty: one.isEmpty || other.isEmpty,
        has: (name, inStream) => one.has(name, inStream) && other.has(name, inStream),
        covers: (pattern, restricted) => one.covers(pattern, restricted) && other.covers(pattern, restricted),
      }
      remember(this.#accesses, action, access)
    }
    return access
  }

  hasIndexPrivilege(pattern: string, privilege: string, allowRestricted: boolean): boolean {
    return this.#sides.every((side) => side.hasIndexPrivilege(pattern, privilege, allowRestricted))
  }

  hasApplicationPrivilege(application: string, privilege: string, resource: string): boolean {
    return this.#sides.every((side) => side.hasApplicationPrivilege(application, privilege, resource))
  }

  canRunAs(username: string): boolean {
    return this.#sides.every((side) => side.canRunAs(username))
  }

  limitEntries(action: string): readonly (readonly LimitEntry[])[] {
    return this.#sides.flatMap((side) => side.limitEntries(action))
  }
}

class EntriesAccess implements IndexAccess {
  readonly coversAll: boolean
  readonly isEmpty: boolean
  readonly #granting: readonly Entry[]
  /** Entries that grant the action on indices and aliases, but not on data streams. */
  readonly #outsideStreams: readonly Entry[]
  readonly #answers = new Map<string, boolean>()
  readonly #failures: () => IndexAccess

  constructor(entries: readonly Entry[], action: string, failures: () => IndexAccess) {
    this.#failures = failures
    this.#granting = entries.filter(({ matches }) => matches(action))
    this.#outsideStreams = entries.filter(({ extendsMapping }) => extendsMapping(action))
    this.coversAll = this.#granting.some(({ names }) => names.coversAll)
    this.isEmpty = this.#granting.length === 0 && this.#outsideStreams.length === 0
  }

  get failures(): IndexAccess {
    return this.#failures()
  }

  has(name: string, inStream = false): boolean {
    const key = inStream ? `${name} ` : name
    let answer = this.#answers.get(key)
    if (answer === undefined) {
      answer =
        this.#granting.some((entry) => reaches(entry, name)) ||
        (!inStream && this.#outsideStreams.some((entry) => reaches(entry, name)))
      remember(this.#answers, key, answer)
    }
    return answer
  }

  covers(pattern: string, allowRestricted: boolean): boolean {
    return this.#granting.some(
      ({ names, given }) => names.covers(pattern) && coversRestricted(pattern, given, allowRestricted),
    )
  }
}

const reaches = ({ names, given }: Entry, name: string) =>
  names.has(name) && (given.allowRestricted || !isRestricted(name))

const coversRestricted = (pattern: string, given: IndexPrivileges, allowRestricted: boolean) =>
  given.allowRestricted || (!allowRestricted && !isRestricted(pattern))

function compile(given: IndexPrivileges): Entry {
  const matchers = given.privileges.map((name) => indexPrivilege(name)).filter((matcher) => matcher !== undefined)
  const extensions = given.privileges.map(mappingExtension).filter((matcher) => matcher !== undefined)
  return {
    names: nameSet(given.names),
    given,
    matches: (action) => matchers.some((matches) => matches(action)),
    extendsMapping: (action) => extensions.some((matches) => matches(action)),
  }
}

function remember<T>(answers: Map<string, T>, key: string, answer: T): void {
  if (answers.size >= REMEMBERED_MAX) answers.clear()
  answers.set(key, answer)
}

/** Whether the held privilege grants all actions of the requested one. */
function impliesCluster(held: string, asked: string, matches: ActionMatcher): boolean {
  const privilege = CLUSTER_PRIVILEGES.privilege(asked)
  if (privilege === undefined) return matches(asked)
  if (privilege.patterns.length === 0) return held === 'manage' && asked !== 'none'
  const excepted = CLUSTER_PRIVILEGES.privilege(held)?.except ?? []
  return privilege.patterns.every(
    (pattern) => matches(pattern) && !excepted.some((except) => nameSet([pattern]).has(except.replace(/\*$/, ''))),
  )
}

/** Whether the held privileges together grant all actions of the requested one. */
function impliesIndex(held: readonly string[], asked: string): boolean {
  if (held.some((name) => name.toLowerCase() === asked)) return true
  if (asked === 'none') return false
  const matchers = held.map((name) => indexPrivilege(name)).filter((matcher) => matcher !== undefined)
  const patterns = privilegePatterns(asked) ?? [asked]
  return patterns.length > 0 && patterns.every((pattern) => matchers.some((matches) => matches(pattern)))
}
