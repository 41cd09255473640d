/** `_privileges`, `_has_privileges` and `privilege/_builtin`. */

import { illegalArgument, parseFailure, validationFailed } from '../../../base/api-error.ts'
import { newMembers } from '../../../base/json/members.ts'
import type { Caller } from '../../../security/authorization/caller.ts'
import { isObject, readStrings } from '../../../security/model/object-reader.ts'
import { printFieldSecurity } from '../../../security/model/role-descriptor.ts'
import {
  CLUSTER_PRIVILEGE_NAMES,
  clusterPrivilege,
  unknownClusterPrivilege,
} from '../../../security/privileges/cluster-privileges.ts'
import {
  INDEX_PRIVILEGE_NAMES,
  indexPrivilege,
  unknownIndexPrivilege,
} from '../../../security/privileges/index-privileges.ts'
import type { Routes } from '../../router.ts'
import { callerOf } from './security-request.ts'

export function privilegeRoutes(routes: Routes): void {
  routes.add('GET', '/_security/privilege/_builtin', () => () => ({
    status: 200,
    body: {
      cluster: [...CLUSTER_PRIVILEGE_NAMES].sort(),
      index: [...INDEX_PRIVILEGE_NAMES].sort(),
      remote_cluster: ['monitor_enrich', 'monitor_stats'],
    },
  }))

  routes.add('GET', '/_security/user/_privileges', (request) => {
    const caller = callerOf(request)
    return () => ({ status: 200, body: ownPrivileges(caller) })
  })

  for (const path of ['/_security/user/_has_privileges', '/_security/user/{username}/_has_privileges']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const caller = callerOf(request)
      const username = request.params['username']
      if (username !== undefined && username !== caller.username) {
        throw illegalArgument('users may only check the privileges of their own account')
      }
      const body = request.requireJson()
      return () => ({ status: 200, body: hasPrivileges(caller, body) })
    })
  }
}

function ownPrivileges(caller: Caller): Record<string, unknown> {
  if (caller.hasOwnDescriptors === true) {
    throw illegalArgument(
      'Cannot retrieve privileges for API keys with assigned role descriptors. Please use the Get API key information API ' +
        'https://ela.st/es-api-get-api-key',
    )
  }
  const roles = Object.values(caller.descriptors)
  return {
    cluster: [...new Set(roles.flatMap(({ cluster }) => cluster))].sort(),
    global: [],
    indices: roles.flatMap(({ indices }) =>
      indices.map(({ names, privileges, fieldSecurity, query, allowRestricted }) => ({
        names,
        privileges,
        ...(fieldSecurity === undefined ? {} : { field_security: [printFieldSecurity(fieldSecurity)] }),
        ...(query === undefined ? {} : { query: [query] }),
        allow_restricted_indices: allowRestricted,
      })),
    ),
    applications: roles.flatMap(({ applications }) => applications),
    run_as: [...new Set(roles.flatMap(({ runAs }) => runAs))].sort(),
  }
}

interface IndexCheck {
  readonly names: readonly string[]
  readonly privileges: readonly string[]
  readonly allowRestricted: boolean
}

function hasPrivileges(caller: Caller, body: unknown): Record<string, unknown> {
  const { cluster, index, application } = readChecks(caller, body)
  const { permission } = caller
  let all = true
  const noted = (isGranted: boolean) => {
    all &&= isGranted
    return isGranted
  }
  const clusterAnswer = Object.fromEntries(cluster.map((name) => [name, noted(permission.hasClusterPrivilege(name))]))
  const indexAnswer: Record<string, Record<string, boolean>> = newMembers()
  for (const { names, privileges, allowRestricted } of index) {
    for (const name of names) {
      const answers = (indexAnswer[name] ??= newMembers())
      for (const privilege of privileges) {
        answers[privilege] = noted(permission.hasIndexPrivilege(name, privilege, allowRestricted))
      }
    }
  }
  const applicationAnswer: Record<string, Record<string, Record<string, boolean>>> = newMembers()
  for (const { application: name, privileges, resources } of application) {
    for (const resource of resources) {
      const answers = ((applicationAnswer[name] ??= newMembers())[resource] ??= newMembers())
      for (const privilege of privileges) {
        answers[privilege] = noted(permission.hasApplicationPrivilege(name, privilege, resource))
      }
    }
  }
  return {
    username: caller.username,
    has_all_requested: all,
    cluster: clusterAnswer,
    index: indexAnswer,
    application: applicationAnswer,
  }
}

function readChecks({ username }: Caller, body: unknown) {
  if (!isObject(body)) throw parseFailure(`failed to parse privileges check [${username}]. expected an object`)
  for (const key of Object.keys(body)) {
    if (!['cluster', 'index', 'indices', 'application', 'applications'].includes(key)) {
      throw parseFailure(`failed to parse privileges check [${username}]. unexpected field [${key}]`)
    }
  }
  const index = body['index'] ?? body['indices']
  const application = body['application'] ?? body['applications']
  if (body['cluster'] === undefined && index === undefined && application === undefined) {
    throw parseFailure(
      `failed to parse privileges check [${username}]. All privilege fields [cluster,index,applications] are missing`,
    )
  }
  const list = (value: unknown, field: string) =>
    readStrings(value, () =>
      parseFailure(`failed to parse privileges check [${username}]. [${field}] must be a list of strings`),
    )
  const cluster = body['cluster'] === undefined ? [] : list(body['cluster'], 'cluster')
  const entries = (value: unknown) => (Array.isArray(value) ? value : []) as unknown[]
  const indices = entries(index).map((entry) => readIndexCheck(entry, username, list))
  const applications = entries(application).map((entry) => {
    if (!isObject(entry)) throw parseFailure(`failed to parse privileges check [${username}]. expected an object`)
    return {
      application: String(entry['application']),
      privileges: list(entry['privileges'] ?? [], 'privileges'),
      resources: list(entry['resources'] ?? [], 'resources'),
    }
  })
  if (cluster.length + indices.length + applications.length === 0) {
    throw validationFailed('must specify at least one privilege')
  }
  for (const name of cluster)
    if (clusterPrivilege(name) === undefined) throw illegalArgument(unknownClusterPrivilege(name))
  for (const { privileges } of indices) {
    for (const name of privileges)
      if (indexPrivilege(name) === undefined) throw illegalArgument(unknownIndexPrivilege(name))
  }
  return { cluster, index: indices, application: applications }
}

function readIndexCheck(
  entry: unknown,
  username: string,
  list: (value: unknown, field: string) => string[],
): IndexCheck {
  if (!isObject(entry)) throw parseFailure(`failed to parse privileges check [${username}]. expected an object`)
  for (const field of ['query', 'field_security']) {
    if (field in entry) throw parseFailure(`Field [${field}] is not supported in a has_privileges request`)
  }
  return {
    names: list(entry['names'] ?? [], 'names'),
    privileges: list(entry['privileges'] ?? [], 'privileges'),
    allowRestricted: entry['allow_restricted_indices'] === true,
  }
}
