/**
 * What a route does in the terms of Elasticsearch's authorization: the names of its actions, and where a request carries the
 * names of the indices, aliases and data streams it touches. Action names are part of the wire contract: they stand in task
 * lists and in the reason of a 403.
 */
import type { Method } from './router.ts'

/**
 * - `{name}`: a parameter of the path, a list of expressions such as `logs-*,-logs-old`
 * - `all`: no name is given, the request is about every index
 * - `body`: the body names indices, aliases or data streams, per item or per action
 * - `context`: the names are those of the point in time or scroll whose id the request carries
 */
export type NameSource = `{${string}}` | 'all' | 'body' | 'context'

export interface RouteAccess {
  /** All of them are needed; empty where being known to the node is enough. */
  readonly actions: readonly string[]
  /** Empty for actions on the cluster, where names in the request are not looked at. */
  readonly names: readonly NameSource[]
}

/** A line of the table: methods separated by blanks, a path, actions and names. `[/{index}]` in a path stands for both forms. */
export type RouteDeclaration = readonly [
  methods: string,
  path: string,
  actions: string | readonly string[],
  names: readonly NameSource[],
]

/** Finds the declaration of a route, and throws where there is none: a route nobody declared must not be served. */
export type AccessLookup = (method: Method, path: string) => RouteAccess

const OPTIONAL_INDEX = '[/{index}]'

/** `name` stands in the complaint about a route that is not declared. */
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
    const listed = typeof actions === 'string' ? [actions] : actions
    for (const [written, sources] of forms(path, names)) {
      for (const method of methods.split(' ')) {
        const route = `${method} ${written}`
        if (byRoute.has(route)) throw new Error(`${route} is declared twice`)
        byRoute.set(route, { actions: listed, names: sources })
      }
    }
  }
  return byRoute
}

/** Without the index in its path, a request is about all indices, unless its names come from elsewhere. */
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
