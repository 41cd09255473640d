/**
 * The authorization of a route in Elasticsearch's terms: the names of its actions, and where a request names the
 * indices, aliases and data streams it accesses. Action names are part of the wire contract: they occur in task lists
 * and in the reason of a 403.
 */
import type { Method } from './router.ts'

/**
 * - `{name}`: a path parameter, a list of expressions such as `logs-*,-logs-old`
 * - `all`: no name is given; the request concerns every index
 * - `body`: the body names indices, aliases or data streams, per item or per action
 * - `context`: the names of the point in time or scroll whose id the request carries
 */
export type NameSource = `{${string}}` | 'all' | 'body' | 'context'

export interface RouteAccess {
  /** All of them are required; empty if authentication alone is enough. */
  readonly actions: readonly string[]
  /** Empty for cluster actions, for which names in the request do not matter. */
  readonly names: readonly NameSource[]
  /** Requests without credentials are answered, because an orchestrator that probes the node has none. */
  readonly isOpen?: boolean
}

/** In place of an action: anyone may send the request, with or without credentials. */
export const ANYONE = 'anyone'

/**
 * A line of the table: methods separated by spaces, a path, actions and names. `[/{index}]` in a path means both forms.
 */
export type RouteDeclaration = readonly [
  methods: string,
  path: string,
  actions: string | readonly string[],
  names: readonly NameSource[],
]

/** Finds the declaration of a route. Throws if there is none, because an undeclared route must not be served. */
export type AccessLookup = (method: Method, path: string) => RouteAccess

const OPTIONAL_INDEX = '[/{index}]'

/** `name` identifies the table in the error about an undeclared route. */
export function accessLookup(declarations: readonly RouteDeclaration[], name: string): AccessLookup {
  const byRoute = accessByRoute(declarations)
  return (method, path) => {
    const access = byRoute.get(`${method} ${path}`)
    if (access === undefined)
      throw new Error(`${method} ${path} has no line in ${name}: declare its action and names there`)
    return access
  }
}

/** Every declared route by `METHOD path`. */
export function accessByRoute(declarations: readonly RouteDeclaration[]): ReadonlyMap<string, RouteAccess> {
  const byRoute = new Map<string, RouteAccess>()
  for (const [methods, path, actions, names] of declarations) {
    const isOpen = actions === ANYONE
    const listed = isOpen ? [] : typeof actions === 'string' ? [actions] : actions
    for (const [written, sources] of forms(path, names)) {
      for (const method of methods.split(' ')) {
        const route = `${method} ${written}`
        if (byRoute.has(route)) throw new Error(`${route} is declared twice`)
        byRoute.set(route, { actions: listed, names: sources, ...(isOpen ? { isOpen } : {}) })
      }
    }
  }
  return byRoute
}

/** A request without an index in its path concerns all indices, unless its names come from elsewhere. */
function forms(path: string, names: readonly NameSource[]): [path: string, names: readonly NameSource[]][] {
  if (!path.startsWith(OPTIONAL_INDEX)) return [[path, names]]
  const rest = path.slice(OPTIONAL_INDEX.length)
  const others = names.filter((source) => source !== '{index}')
  const isNamedElsewhere = names.length === 0 || others.some((source) => source !== 'context')
  return [
    [rest, isNamedElsewhere ? others : ['all', ...others]],
    [`/{index}${rest}`, names],
  ]
}
