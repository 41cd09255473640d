/** Writes of documents: single documents, bulk, update by query, reindex. */

import { notWithLimits } from '../../../base/errors/limit-errors.ts'
import { denied } from '../../../security/authorization/denial.ts'
import { resolveDateMath } from '../../../service/names/date-math-name.ts'
import { EXPAND_OPEN } from '../../../service/names/indices-options.ts'
import type { WriteKind } from '../../../service/shards/write-authorization.ts'
import type { Admission } from '../../admission.ts'
import type { GuardedRequest } from '../guarded-request.ts'
import { isLimitedFor } from '../read-limits.ts'
import { bulkWrites, refuseWrite } from '../write-checks.ts'
import { type Composite, nothingNamed } from './composite.ts'

/** Single documents. The kind of write follows from the route and its parameters. */
export const writeDocument: Composite = {
  namesRefused: (request) => request.expressions('index'),
  admit: (request) => checkDocument(request, kindOfWrite(request)),
}

export const updateDocument: Composite = {
  admit(request) {
    const { caller, names } = request
    const action = 'indices:data/write/update'
    names.authorize({ caller, action, expressions: request.expressions('index'), options: EXPAND_OPEN })
    const admission = checkDocument(request, 'update')
    refuseUpdate(request, request.expressions('index'))
    return admission
  },
}

/** An update reads the whole document. */
function refuseUpdate(request: GuardedRequest, names: readonly string[]): void {
  if (!isLimitedFor(request, names)) return
  throw notWithLimits("Can't execute an update request if field or document level security is enabled")
}

function checkDocument(request: GuardedRequest, kind: WriteKind): Admission {
  const { caller, names, node } = request
  const [action] = request.route.access.actions
  const expressions = request.expressions('index')
  // Rejects wildcards. The action itself is checked below.
  names.authorize({ caller, action: action!, expressions, options: { ...EXPAND_OPEN, ignoreUnavailable: true } })
  for (const expression of expressions) {
    const name = resolveDateMath(expression, node.indexContext.clock.nowMs())
    const refused = refuseWrite(caller, names, name, kind, node.state.abstraction(name) === undefined)
    if (refused !== undefined) throw refused
  }
  return withWriteChecks(request)
}

function kindOfWrite({ incoming, route, params, query }: GuardedRequest): WriteKind {
  if (incoming.method === 'DELETE') return 'delete'
  // A document without an id is always created.
  if (route.path.includes('_create') || params['id'] === undefined) return 'create'
  return query.string('op_type') === 'create' ? 'create' : 'index'
}

export const bulk: Composite = {
  namesRefused: nothingNamed,
  admit(request) {
    return withWriteChecks(request)
  },
}

/** Adds the checks for its items to the request, unless the caller may write everything. */
function withWriteChecks(request: GuardedRequest): Admission {
  const { caller, incoming, namesNow } = request
  const { permission } = caller
  const coversAll = ['indices:data/write/bulk[s]', 'indices:admin/auto_create', 'indices:data/write/delete'].every(
    (action) => permission.index(action).coversAll,
  )
  if (coversAll && permission.index('indices:data/write/update').coversAll && !permission.hasLimits) return { incoming }
  const limited = (name: string) => isLimitedFor(request, [name])
  const writes = bulkWrites(caller, namesNow, limited)
  return { incoming: { ...incoming, access: { ...incoming.access, writes } } }
}

const SEARCH = 'indices:data/read/search'

/** An update by query writes back what it has read, and would lose the fields that are hidden from the caller. */
export const updateByQuery: Composite = {
  admit(request) {
    const options = { ...EXPAND_OPEN, ignoreUnavailable: true, allowNoIndices: true }
    if (request.caller.permission.hasLimits) {
      refuseUpdate(request, [...request.node.names().names(request.expressions('index'), options)])
    }
    return undefined
  },
}

/** The searches and bulk requests of a reindex are authorized like the caller's own. Errors that are known in advance are reported here. */
export const reindex: Composite = {
  namesRefused: nothingNamed,
  admit(request) {
    const { caller, names, node, incoming } = request
    const body = request.body() as { source?: Record<string, unknown>; dest?: { index?: unknown } } | undefined
    const { source, dest } = body ?? {}
    if (dest?.index !== undefined && dest.index !== null) {
      const name = resolveDateMath(String(dest.index), node.indexContext.clock.nowMs())
      const refused = refuseWrite(caller, names, name, 'create', node.state.abstraction(name) === undefined)
      if (refused !== undefined) throw refused
    }
    if (source === undefined || source === null || typeof source !== 'object' || source['remote'] !== undefined) {
      return { incoming }
    }
    const given = source['index']
    const expressions =
      given === undefined || given === null ? [] : [given].flat().flatMap((name) => String(name).split(','))
    if (expressions.length === 0) {
      if (caller.permission.index(SEARCH).isEmpty) throw denied(caller, SEARCH)
      return { incoming }
    }
    const authorized = names.authorize({ caller, action: SEARCH, expressions, options: EXPAND_OPEN })
    if (authorized === undefined) return { incoming }
    return {
      incoming: request.with({
        body: Buffer.from(JSON.stringify({ ...body, source: { ...source, index: authorized } })),
      }),
    }
  },
}
