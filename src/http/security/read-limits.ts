/**
 * Field-level and document-level security of callers: the limits that a request carries to the places where documents
 * are read.
 */
import { illegalArgument } from '../../base/api-error.ts'
import type { Caller } from '../../security/authorization/caller.ts'
import { checkRoleQuery, isLimited, type LimitEntry, type ReadLimits } from '../../service/limits/read-limits.ts'
import type { StoredScripts } from '../../service/scripts/stored-scripts.ts'
import { parseTemplateRequest, renderTemplate } from '../../service/search/request/search-template.ts'
import type { GuardedRequest } from './guarded-request.ts'

/** The action that a request reads documents by, where it is not the action of its route. */
const READ_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['indices:data/read/msearch', 'indices:data/read/search'],
  ['indices:data/read/search/template', 'indices:data/read/search'],
  ['indices:data/read/msearch/template', 'indices:data/read/search'],
  ['indices:data/read/mget', 'indices:data/read/mget[shard]'],
  ['indices:data/read/mtv', 'indices:data/read/mtv[shard]'],
])

const GET = 'indices:data/read/get'

export class CallerLimits {
  readonly #scripts: StoredScripts
  readonly #known = new WeakMap<Caller, Map<string, ReadLimits | undefined>>()

  constructor(scripts: StoredScripts) {
    this.#scripts = scripts
  }

  /** The limits of a request with an action; none if the caller may read everything. */
  ofRequest(caller: Caller, action: string): { readonly limits?: ReadLimits; readonly lookupLimits?: ReadLimits } {
    const limits = this.of(caller, READ_ACTIONS.get(action) ?? action)
    const lookupLimits = this.of(caller, GET)
    return { ...(limits === undefined ? {} : { limits }), ...(lookupLimits === undefined ? {} : { lookupLimits }) }
  }

  of(caller: Caller, action: string): ReadLimits | undefined {
    if (!caller.permission.hasLimits) return undefined
    let known = this.#known.get(caller)
    if (known === undefined) this.#known.set(caller, (known = new Map()))
    if (known.has(action)) return known.get(action)
    const sides = caller.permission.limitEntries(action)
    const rendered = sides.map((entries) => entries.map((entry) => this.#rendered(entry, caller)))
    const limits = sides.length === 0 ? undefined : { sides: rendered }
    // A stored template may change.
    if (!sides.flat().some(({ query }) => isTemplate(query) && query.includes('"id"'))) known.set(action, limits)
    return limits
  }

  #rendered(entry: LimitEntry, caller: Caller): LimitEntry {
    const { query } = entry
    if (!isTemplate(query)) return entry
    const { template } = JSON.parse(query) as { template: object }
    const request = parseTemplateRequest(Buffer.from(JSON.stringify(template)))
    const rendered = renderTemplate(this.#scripts, { ...request, params: { ...request.params, _user: userOf(caller) } })
    checkRoleQuery(rendered)
    return { ...entry, query: rendered }
  }
}

/** What templates know of the caller. */
function userOf({ username, fullName, email, roles, metadata }: Caller) {
  return { username, full_name: fullName, email, roles: [...roles], metadata: { ...metadata } }
}

const isTemplate = (query: string | undefined): query is string =>
  query !== undefined && /^\s*\{\s*"template"/.test(query)

/** Throws if the query of a role cannot be evaluated. A template is only known to be valid when it is rendered. */
export function checkQueryOfRole(query: string): void {
  if (!isTemplate(query)) {
    checkRoleQuery(query)
    return
  }
  let template: unknown
  try {
    ;({ template } = JSON.parse(query) as { template?: unknown })
  } catch (error) {
    throw illegalArgument((error as Error).message)
  }
  parseTemplateRequest(Buffer.from(JSON.stringify(template)))
}

/** Whether documents or fields behind one of the names are hidden from the caller. */
export function isLimitedFor({ caller, limits, node }: GuardedRequest, names: readonly string[]): boolean {
  if (!caller.permission.hasLimits) return false
  const own = limits.of(caller, GET)
  return own !== undefined && names.some((name) => isLimited(node.state, own, name))
}
