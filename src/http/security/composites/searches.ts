/** Searches in a point in time, multi-searches, and search templates. */
import { type ApiError, errorBody } from '../../../base/api-error.ts'
import { denied } from '../../../security/authorization/denial.ts'
import { decodeContextId } from '../../../service/contexts/context-id.ts'
import type { SearchContext } from '../../../service/contexts/search-context.ts'
import { EXPAND_OPEN, withParameters } from '../../../service/names/indices-options.ts'
import { parseTemplateRequest, searchOf } from '../../../service/search/request/search-template.ts'
import type { Admission } from '../../admission.ts'
import { type MultiSearchLine, multiSearchLines } from '../../api/search/multi-search-lines.ts'
import { toApiError } from '../../error-response.ts'
import { fillPath } from '../../request-target.ts'
import type { GuardedRequest } from '../guarded-request.ts'
import { parseBody } from '../request-body.ts'
import { mayRefer, searchReferences } from '../search-references.ts'
import { type Composite, nothingNamed } from './composite.ts'

const SEARCH = 'indices:data/read/search'
const GET = 'indices:data/read/get'

/** Whether the caller may read everything that a search can refer to. */
const readsEverything = ({ caller: { permission } }: GuardedRequest) =>
  permission.index(SEARCH).coversAll && permission.index(GET).coversAll && !permission.hasLimits

/** A search in a point in time is authorized on the indices in it, other searches on the names in their path. */
export const search: Composite = {
  admit(request) {
    if (readsEverything(request)) return undefined
    const body = request.bodyBytes()
    return body !== undefined && checkReferences(request, body) ? { incoming: request.incoming } : undefined
  },
}

/** For routes with names in their path and a query in their body. */
export const query: Composite = {
  admit(request) {
    const body = readsEverything(request) ? undefined : request.bodyBytes()
    if (body !== undefined) checkReferences(request, body)
    return undefined
  },
}

/** Authorizes what a search refers to. Returns true if it searches a point in time, and therefore no names. */
function checkReferences(request: GuardedRequest, body: Buffer): boolean {
  if (!mayRefer(body)) return false
  const { caller, names } = request
  const { pit, documents, boosted, lookedUp } = searchReferences(parseBody(body))
  for (const [action, referred] of [
    [GET, documents],
    [SEARCH, [...boosted.filter((name) => !name.includes('*')), ...lookedUp]],
  ] as const) {
    const refused = referred.filter((name) => !names.has(caller.permission.index(action), name))
    if (refused.length > 0) throw denied(caller, action, refused)
  }
  if (pit === undefined) return false
  const id = decodeContextId(pit, 'pit')
  const context = id === undefined ? undefined : request.node.openContexts.find(id.key)
  if (context !== undefined) checkPointInTime(request, context)
  else if (caller.permission.index(SEARCH).isEmpty) throw denied(caller, SEARCH)
  return true
}

/** Every index must be readable by its name, or by an alias if the caller opened the point in time through it. */
function checkPointInTime({ caller, names, node }: GuardedRequest, { shards, origin }: SearchContext): void {
  const access = caller.permission.index(SEARCH)
  const isOwn = origin.owner === caller.identity
  const refused = new Set<string>()
  for (const { indexName } of shards) {
    if (names.has(access, indexName)) continue
    const index = node.state.index(indexName)
    const stream = node.state.streamOf(indexName)
    const aliases = Object.keys({ ...index?.aliases, ...stream?.aliases })
    if (!isOwn || !aliases.some((alias) => access.has(alias))) refused.add(indexName)
  }
  if (refused.size > 0) throw denied(caller, SEARCH, [...refused])
}

/** The template is rendered here, because the rendered search determines what it refers to. */
export const searchTemplate: Composite = {
  namesRefused: (request) => (request.route.path.startsWith('/_render') ? [] : request.expressions('index')),
  admit(request) {
    const { node, route, params } = request
    if (route.path.startsWith('/_render')) return { incoming: request.incoming }
    if (readsEverything(request)) return undefined
    const body = request.bodyBytes()
    // The handler reports a missing template.
    const rendered = body === undefined ? undefined : searchOf(node.scripts, parseTemplateRequest(body))
    if (rendered === undefined) return undefined
    const copy = Buffer.from(rendered)
    const readsContext = checkReferences(request, copy)
    const path = route.path.replace('/template', '')
    if (readsContext) return { incoming: request.with({ path: fillPath(path, params), body: copy }) }
    const expressions = authorizedExpressions(request, request.expressions('index')) ?? request.expressions('index')
    const named = expressions.length === 0 ? '/_search' : fillPath('/{index}/_search', { index: expressions.join(',') })
    return { incoming: request.with({ path: named, body: copy }) }
  },
}

function authorizedExpressions(request: GuardedRequest, expressions: readonly string[], line?: MultiSearchLine) {
  const { caller, names } = request
  const options = withParameters(withParameters(EXPAND_OPEN, request.indicesParameters()), line?.parameters ?? {})
  return names.authorize({ caller, action: SEARCH, expressions, options })
}

export const multiSearch: Composite = {
  namesRefused: nothingNamed,
  admit: (request) => admitMultiSearch(request, undefined),
}

export const multiSearchTemplate: Composite = {
  namesRefused: nothingNamed,
  admit: (request) =>
    admitMultiSearch(request, (line) => searchOf(request.node.scripts, parseTemplateRequest(Buffer.from(line)))),
}

/**
 * Each search is authorized separately. Denied searches are removed from the request, and their errors are inserted into
 * the response. The others continue with authorized names.
 */
function admitMultiSearch(
  request: GuardedRequest,
  render: ((line: Uint8Array) => Uint8Array) | undefined,
): Admission | undefined {
  if (readsEverything(request)) return { incoming: request.incoming }
  const body = request.bodyBytes()
  if (body === undefined) return { incoming: request.incoming }
  const errors = new Map<number, ApiError>()
  const kept: string[] = []
  let count = 0
  for (const line of multiSearchLines(body)) {
    const at = count++
    try {
      const written = render === undefined ? line.body : render(line.body)
      const search = Buffer.from(written)
      const readsContext = checkReferences(request, search)
      const expressions = line.expressions ?? request.expressions('index')
      const authorized = readsContext ? undefined : authorizedExpressions(request, expressions, line)
      const header = authorized === undefined ? line.header : { ...line.header, index: authorized }
      const { indices: _, ...rest } = header as Record<string, unknown>
      const named =
        authorized === undefined && line.expressions !== undefined ? { ...rest, index: line.expressions } : rest
      kept.push(JSON.stringify(named), oneLine(search))
    } catch (error) {
      errors.set(at, toApiError(error))
    }
  }
  const rewritten = request.with({
    path: fillPath(request.route.path.replace('/template', ''), request.params),
    body: Buffer.from(kept.length === 0 ? '' : `${kept.join('\n')}\n`),
  })
  if (errors.size === 0) return { incoming: rewritten }
  const responses = (answered: readonly unknown[]) => {
    const waiting = [...answered]
    return Array.from({ length: count }, (_, i) => {
      const error = errors.get(i)
      return error === undefined ? waiting.shift() : errorBody(error)
    })
  }
  if (kept.length === 0) {
    // No search is left. An empty request would be an error.
    const nothing = request.with({ path: '/_msearch', body: Buffer.from('{"index":["*","-*"]}\n{"size":0}\n') })
    return { incoming: nothing, amend: (status, answer) => spliced(status, answer, () => responses([])) }
  }
  return { incoming: rewritten, amend: (status, answer) => spliced(status, answer, responses) }
}

function spliced(status: number, answer: unknown, responses: (answered: readonly unknown[]) => unknown[]) {
  if (status !== 200) return { status, body: answer }
  const body = answer as { responses: unknown[] }
  return { status, body: { ...body, responses: responses(body.responses) } }
}

/** Removes line ends, which are white space in JSON and separators in a multi-search. */
const oneLine = (search: Buffer) => search.toString('utf8').replace(/[\r\n]+/g, ' ')
