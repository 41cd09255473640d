/** Parses the role descriptor of a role or an API key. */
import { type ApiError, parseFailure, validationFailed } from '../../base/api-error.ts'
import { nameSet } from '../../engine/limits/name-set.ts'
import { isObject, type JsonObject, readBoolean, readString, readStrings, tokenName } from '../model/object-reader.ts'
import type { ApplicationPrivileges, FieldSecurity, IndexPrivileges, RoleDescriptor } from '../model/role-descriptor.ts'
import { clusterPrivilege, unknownClusterPrivilege } from '../privileges/cluster-privileges.ts'
import { indexPrivilege, unknownIndexPrivilege } from '../privileges/index-privileges.ts'

const DESCRIPTION_MAX = 1000

/** Checks the query of a role; throws if it is invalid. */
export type RoleQueryCheck = (query: string) => void

export interface RoleParsing {
  /** False for descriptors of API keys. */
  readonly allowDescription: boolean
  readonly checkQuery: RoleQueryCheck
}

export function parseRole(name: string, value: unknown, parsing: RoleParsing): RoleDescriptor {
  if (!isObject(value)) {
    throw parseFailure(`failed to parse role [${name}]. expected an object but found [${tokenName(value)}] instead`)
  }
  const role: { -readonly [K in keyof RoleDescriptor]: RoleDescriptor[K] } = {
    cluster: [],
    indices: [],
    applications: [],
    runAs: [],
    metadata: {},
  }
  for (const [key, member] of Object.entries(value)) {
    switch (key) {
      case 'cluster':
        role.cluster = names(member, name, key)
        break
      case 'indices':
      case 'index':
        role.indices = parseIndices(member, name, key, parsing)
        break
      case 'applications':
        role.applications = parseApplications(member, name)
        break
      case 'run_as':
        role.runAs = names(member, name, key)
        break
      case 'metadata':
        if (!isObject(member)) {
          throw parseFailure(`failed to parse role [${name}]. expected field [metadata] to be an object`)
        }
        role.metadata = member
        break
      case 'transient_metadata':
        // Part of the response of get, so that a client may send it back. It is not stored.
        if (!isObject(member)) throw unexpected(name, key)
        break
      case 'description':
        if (!parsing.allowDescription) throw unexpected(name, key)
        role.description = readString(member, key)
        break
      case 'remote_indices':
      case 'remote_cluster':
      case 'global':
        // There are no remote clusters. A privilege without effect is rejected instead of stored.
        if (!isEmpty(member)) throw parseFailure(`failed to parse role [${name}]. [${key}] is not supported`)
        break
      default:
        throw unexpected(name, key)
    }
  }
  const problems = roleProblems(role)
  if (problems.length > 0) throw validationFailed(...problems)
  return role
}

const isEmpty = (value: unknown) =>
  value === null || (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0)

function unexpected(role: string, field: string): ApiError {
  return parseFailure(`failed to parse role [${role}]. unexpected field [${field}]`)
}

function names(value: unknown, role: string, field: string): string[] {
  return readStrings(value, () =>
    parseFailure(
      `failed to parse role [${role}]. could not parse [${field}] field. expected a list of strings but found [${tokenName(value)}] instead`,
    ),
  )
}

/** Validation errors of a parsed role. */
function roleProblems(role: RoleDescriptor): string[] {
  const problems: string[] = []
  for (const privilege of role.cluster) {
    if (clusterPrivilege(privilege) === undefined) problems.push(unknownClusterPrivilege(privilege))
  }
  for (const { names, privileges } of role.indices) {
    for (const name of names) {
      if (name.includes('::')) problems.push(`selectors [::] are not allowed in the index name expression [${name}]`)
    }
    for (const privilege of privileges) {
      if (indexPrivilege(privilege) === undefined) problems.push(unknownIndexPrivilege(privilege))
    }
  }
  if (Object.keys(role.metadata).some((key) => key.startsWith('_'))) {
    problems.push('role descriptor metadata keys may not start with [_]')
  }
  if ((role.description?.length ?? 0) > DESCRIPTION_MAX) {
    problems.push('Role description must be less than 1000 characters.')
  }
  return problems
}

function parseIndices(value: unknown, role: string, field: string, parsing: RoleParsing): IndexPrivileges[] {
  const fail = (problem: string) => parseFailure(`failed to parse indices privileges for role [${role}]. ${problem}`)
  if (!Array.isArray(value)) {
    throw fail(`expected field [${field}] value to be an array, but found [${tokenName(value)}] instead`)
  }
  return value.map((entry: unknown, position) => {
    if (!isObject(entry)) {
      throw fail(
        `expected field [${field}] value to be an array of objects, but found an array element of type [${tokenName(entry)}]`,
      )
    }
    return parseIndexEntry(entry, position, role, fail, parsing)
  })
}

function parseIndexEntry(
  entry: JsonObject,
  position: number,
  role: string,
  fail: (problem: string) => ApiError,
  { checkQuery }: RoleParsing,
): IndexPrivileges {
  let indices: string[] | undefined
  let privileges: string[] | undefined
  let query: string | undefined
  let fieldSecurity: FieldSecurity | undefined
  let allowRestricted = false
  const list = (value: unknown, key: string) =>
    readStrings(value, () => fail(`could not parse [${key}] field. expected a list of strings`))
  for (const [key, member] of Object.entries(entry)) {
    switch (key) {
      case 'names':
        indices = list(member, key)
        if (indices.length === 0) throw fail('[names] cannot be an empty array')
        break
      case 'privileges':
        privileges = list(member, key)
        break
      case 'query':
        query = readQuery(member)
        break
      case 'field_security':
        fieldSecurity = member === null ? undefined : parseFieldSecurity(member, role, fail)
        break
      case 'allow_restricted_indices':
        allowRestricted = readBoolean(member, key)
        break
      default:
        throw fail(`unexpected field [${key}]`)
    }
  }
  if (indices === undefined) throw fail('missing required [names] field')
  if (privileges === undefined) throw fail('missing required [privileges] field')
  checkPatterns(indices)
  if (query !== undefined) {
    try {
      checkQuery(query)
    } catch (error) {
      const where = `failed to parse field 'query' for indices [${indices.join(',')}] at index privilege [${position}] of role descriptor`
      throw parseFailure(where, error as ApiError)
    }
  }
  return { names: indices, privileges, fieldSecurity, query, allowRestricted }
}

/** Compiles the patterns, so that an invalid regular expression is rejected when the role is created. */
function checkPatterns(patterns: readonly string[]): void {
  nameSet(patterns).has('')
}

/** A query is sent as an object or as JSON text, and stored as text. */
function readQuery(value: unknown): string | undefined {
  if (value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parseFieldSecurity(value: unknown, role: string, fail: (problem: string) => ApiError): FieldSecurity {
  if (!isObject(value)) {
    throw fail(`expected field [field_security] to be of type object, but found [${tokenName(value)}] instead`)
  }
  let grant: string[] | undefined
  let except: string[] | undefined
  for (const [key, member] of Object.entries(value)) {
    const list = () => readStrings(member, () => fail(`could not parse [${key}] field. expected a list of strings`))
    if (key === 'grant') grant = member === null ? undefined : list()
    else if (key === 'except') except = member === null ? undefined : list()
    else throw fail(`only accepts options [grant, except], but got: ${key}`)
  }
  if (Object.keys(value).length === 0) throw fail('"field_security" must not be empty.')
  if (except !== undefined && except.length > 0 && grant === undefined) {
    throw fail('field_security requires grant if except is given')
  }
  const outside = (except ?? []).filter((field) => !nameSet(grant ?? []).covers(field))
  if (outside.length > 0) {
    throw parseFailure(
      `failed to parse indices privileges for role [${role}] - Exceptions for field permissions must be a subset of the ` +
        `granted fields but ${(except ?? []).join(',')} is not a subset of ${(grant ?? []).join(',')}`,
    )
  }
  return { grant, except }
}

function parseApplications(value: unknown, role: string): ApplicationPrivileges[] {
  const fail = (problem: string) =>
    parseFailure(`failed to parse application privileges for role [${role}]. ${problem}`)
  if (!Array.isArray(value)) {
    throw fail(`expected field [applications] value to be an array, but found [${tokenName(value)}] instead`)
  }
  return value.map((entry: unknown) => {
    if (!isObject(entry)) throw fail(`expected an array of objects, but found [${tokenName(entry)}]`)
    const { application, privileges, resources, ...rest } = entry
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined) throw fail(`unexpected field [${unknown}]`)
    if (application === undefined) throw fail('missing required [application] field')
    if (privileges === undefined) throw fail('missing required [privileges] field')
    if (resources === undefined) throw fail('missing required [resources] field')
    const list = (member: unknown, key: string) => readStrings(member, () => fail(`[${key}] must be a list of strings`))
    return {
      application: readString(application, 'application'),
      privileges: list(privileges, 'privileges'),
      resources: list(resources, 'resources'),
    }
  })
}
