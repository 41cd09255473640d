/** Changes of aliases, indices with aliases in their body, and backing indices of data streams. */

import { notWithLimits } from '../../../base/errors/limit-errors.ts'
import { denied } from '../../../security/authorization/denial.ts'
import { forbidden } from '../../../security/model/security-errors.ts'
import { INDEX_PRIVILEGES } from '../../../security/privileges/index-privileges.ts'
import { parseAliasActions, parsePutAlias } from '../../../service/aliases/alias-actions.ts'
import { resolveDateMath } from '../../../service/names/date-math-name.ts'
import { EXPAND_OPEN } from '../../../service/names/indices-options.ts'
import { fillPath } from '../../request-target.ts'
import type { GuardedRequest } from '../guarded-request.ts'
import { isLimitedFor } from '../read-limits.ts'
import type { Composite } from './composite.ts'

const ALIASES = 'indices:admin/aliases'

interface AliasChange {
  readonly kind: 'add' | 'remove' | 'remove_index'
  readonly indices: readonly string[]
  readonly aliases: readonly string[]
}

/** All indices and aliases of all actions are checked before anything is done. */
export const changeAliases: Composite = {
  admit(request) {
    if (request.caller.permission.index(ALIASES).isEmpty) {
      throw denied(
        request.caller,
        ALIASES,
        request.expressions('index').filter((name) => !name.includes('*')),
      )
    }
    const changes = aliasChanges(request)
    if (changes === undefined) return { incoming: request.incoming }
    const rewritten = changes.map((change) => authorizeChange(request, change))
    if (rewritten.every((change, i) => change === changes[i])) return { incoming: request.incoming }
    return { incoming: withChanges(request, rewritten) }
  },
}

/** Undefined if the request is incomplete; the handler reports that. */
function aliasChanges(request: GuardedRequest): AliasChange[] | undefined {
  const { route, params, incoming } = request
  const body = request.bodyBytes()
  if (route.path === '/_aliases' && incoming.method === 'POST') {
    if (body === undefined) return undefined
    return parseAliasActions(body).map(({ kind, indices, aliases }) => ({ kind, indices, aliases }))
  }
  const names = params['name'] === undefined ? [] : params['name'].split(',')
  if (incoming.method === 'DELETE') return [{ kind: 'remove', indices: request.expressions('index'), aliases: names }]
  const put = body === undefined ? undefined : parsePutAlias(body)
  const indices = put?.index === undefined ? request.expressions('index') : put.index.split(',')
  const name = put?.name ?? params['name']
  return [{ kind: 'add', indices, aliases: name === undefined ? [] : [name] }]
}

function authorizeChange(request: GuardedRequest, change: AliasChange): AliasChange {
  const { caller, names, node } = request
  const action = change.kind === 'remove_index' ? 'indices:admin/delete' : ALIASES
  const access = caller.permission.index(action)
  const plain = (name: string) => resolveDateMath(name, node.indexContext.clock.nowMs())
  const refusedAliases = change.aliases.map(plain).filter((name) => !name.includes('*') && !names.has(access, name))
  const options = { ...EXPAND_OPEN, allowAliases: false }
  if (access.isEmpty)
    throw denied(
      caller,
      action,
      [...change.indices, ...refusedAliases].filter((name) => !name.includes('*')),
    )
  if (refusedAliases.length > 0) throw denied(caller, action, refusedAliases)
  const indices = names.authorize({ caller, action, expressions: change.indices, options })
  if (change.kind === 'add') checkWidening(request, indices ?? change.indices, change.aliases.map(plain))
  const aliases = access.coversAll ? undefined : visibleAliases(request, change.aliases)
  if (indices === undefined && aliases === undefined) return change
  return { ...change, indices: indices ?? change.indices, aliases: aliases ?? change.aliases }
}

/** Replaces wildcards by the aliases that the caller may see; undefined if there are none. */
function visibleAliases({ caller, names }: GuardedRequest, aliases: readonly string[]): readonly string[] | undefined {
  if (!aliases.some((name) => name.includes('*') || name === '_all')) return undefined
  const options = { ...EXPAND_OPEN, expandHidden: true }
  const expressions = aliases.map((name) => (name === '_all' ? '*' : name))
  return names.authorize({ caller, action: ALIASES, expressions, options, kind: 'alias' })
}

/** The caller must not have more privileges on the alias than on its indices. */
function checkWidening(request: GuardedRequest, indices: readonly string[], aliases: readonly string[]): void {
  const { caller, names } = request
  const { permission } = caller
  if (isLimitedFor(request, indices)) {
    throw notWithLimits(
      'Alias requests are not allowed for users who have field or document level security enabled on one of the indices',
    )
  }
  const concrete = indices.filter((name) => !name.includes('*') && !name.startsWith('-'))
  for (const privilege of INDEX_PRIVILEGES.names) {
    const [pattern] = INDEX_PRIVILEGES.privilege(privilege)!.patterns
    const access = pattern === undefined ? undefined : permission.index(pattern.replace(/\*$/, 'x'))
    if (access === undefined || access.coversAll) continue
    for (const alias of aliases) {
      if (names.has(access, alias) && concrete.some((index) => !names.has(access, index))) {
        throw forbidden('Adding an alias is not allowed when the alias has more permissions than any of the indices')
      }
    }
  }
}

function withChanges(request: GuardedRequest, changes: readonly AliasChange[]) {
  const { route, incoming } = request
  if (route.path === '/_aliases' && incoming.method === 'POST') {
    const body = request.body() as { actions: Record<string, Record<string, unknown>>[] }
    const actions = body.actions.map((action, i) => {
      const [kind, { index: _, indices: __, alias: ___, aliases: ____, ...rest }] = Object.entries(action)[0]!
      const { indices, aliases } = changes[i]!
      return { [kind]: { ...rest, indices, ...(aliases.length === 0 ? {} : { aliases }) } }
    })
    return request.with({ body: Buffer.from(JSON.stringify({ ...body, actions })) })
  }
  const [change] = changes
  const values = { index: change!.indices.join(','), name: change!.aliases.join(',') }
  if (incoming.method === 'DELETE') return request.with({ path: fillPath('/{index}/_alias/{name}', values) })
  const { index: _, alias: __, ...rest } = (request.body() ?? {}) as Record<string, unknown>
  const body = incoming.body.length === 0 ? undefined : Buffer.from(JSON.stringify(rest))
  return { ...request.with({ path: fillPath('/{index}/_alias/{name}', values), body }) }
}

/** Aliases in the body are checked like aliases that are added later. */
export const createIndex: Composite = {
  admit(request) {
    const { caller, names, node } = request
    const body = request.body()
    const aliases = body !== null && typeof body === 'object' ? (body as { aliases?: unknown }).aliases : undefined
    if (aliases === undefined || aliases === null || typeof aliases !== 'object') return undefined
    const plain = (name: string) => resolveDateMath(name, node.indexContext.clock.nowMs())
    const given = Object.keys(aliases).map(plain)
    const indices = request.expressions('index').map(plain)
    if (given.length === 0) return undefined
    const access = caller.permission.index(ALIASES)
    const refused = [...indices, ...given].filter((name) => !names.has(access, name))
    names.authorize({ caller, action: 'indices:admin/create', expressions: indices, options: EXPAND_OPEN })
    if (refused.length > 0) throw denied(caller, ALIASES, refused)
    checkWidening(request, indices, given)
    return undefined
  },
}

/** `_data_stream/_modify`: streams and indices of all actions. */
export const modifyDataStreams: Composite = {
  admit(request) {
    const { caller, names, route } = request
    const [action] = route.access.actions
    const access = caller.permission.index(action!)
    const { actions } = (request.body() ?? {}) as { actions?: unknown }
    const mentioned = (Array.isArray(actions) ? actions : []).flatMap((entry: unknown) =>
      Object.values((entry ?? {}) as Record<string, unknown>).flatMap((change) => {
        const { data_stream: stream, index } = (change ?? {}) as { data_stream?: unknown; index?: unknown }
        return [stream, index].filter((name) => name !== undefined).map(String)
      }),
    )
    const refused = mentioned.filter((name) => !names.has(access, name))
    if (access.isEmpty || refused.length > 0) throw denied(caller, action!, [...new Set(refused)])
    return { incoming: request.incoming }
  },
}

/** `GET /metrics` returns the metrics of the node, unless there is an index with that name. */
export const getIndex: Composite = {
  admit({ params, node, caller, incoming }) {
    if (params['index'] !== 'metrics' || node.state.abstraction('metrics') !== undefined) return undefined
    const action = 'cluster:monitor/sandpiper/metrics'
    if (incoming.method === 'GET' && !caller.permission.allowsCluster(action)) throw denied(caller, action)
    return incoming.method === 'GET' ? { incoming } : undefined
  },
}

/** `_scripts/painless/_execute` with an index reads its mapping. */
export const executeScript: Composite = {
  admit(request) {
    const { caller, names } = request
    const { context_setup: setup } = (request.body() ?? {}) as { context_setup?: { index?: unknown } }
    if (setup?.index === undefined) return undefined
    const action = 'indices:data/read/get'
    const name = String(setup.index)
    if (!names.has(caller.permission.index(action), name)) throw denied(caller, action, [name])
    return undefined
  },
}
