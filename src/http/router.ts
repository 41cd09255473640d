/**
 * Maps method and path to a handler.
 *
 * A path is split at slashes; a segment of a route is a word or a `{name}`. Words take precedence over names, and the
 * first matching path decides alone: a method it lacks is an error even if a path with names has it, so that `PUT
 * /_stats` does not create an index. Names are percent-decoded; words are compared as sent.
 *
 * A handler works in two steps, because an invalid request must fail before anything happens. The handler itself reads
 * and checks parameters and body and returns the work. The work runs once nothing in the request was left unread.
 *
 *   routes.add('POST', '/{index}/_refresh', (request) => {
 *     const target = indexTarget(request)
 *     return async () => ({ status: 200, body: await node.refresh(target) })
 *   })
 */
import type { HttpRequest } from './request.ts'
import type { HttpResponse } from './response.ts'
import type { AccessLookup, RouteAccess } from './route-access.ts'
import { UnsupportedEndpoints } from './unsupported-endpoints.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'CONNECT'] as const
export type Method = (typeof METHODS)[number]

/** The second step of a handler: performs the request. */
export type Work = () => HttpResponse | Promise<HttpResponse>
export type Handler = (request: HttpRequest) => Work

export interface Route {
  readonly handler: Handler
  /** The pattern the route was added with, such as `/{index}/_search`. */
  readonly path: string
  /** Names of the path's parameters, left to right. */
  readonly names: readonly string[]
  readonly access: RouteAccess
}

export type Match =
  | { readonly route: Route; readonly values: readonly string[] }
  /**
   * No route for this method. `allowed` lists the methods of the path in the order of METHODS; it is empty for an
   * unknown path.
   */
  | { readonly route: undefined; readonly allowed: readonly Method[] }

interface PathNode {
  readonly words: Map<string, PathNode>
  parameter: PathNode | undefined
  readonly routes: Map<string, Route | typeof RESERVED>
}

/** A method that is listed as allowed but has no handler. */
const RESERVED = Symbol('reserved')

export class Routes {
  readonly #root: PathNode = newNode()
  readonly #accessOf: AccessLookup
  readonly #added = new Set<string>()
  #last: { readonly method: string; readonly path: string; readonly match: Match } | undefined
  /** Answers and counts requests for endpoints of Elasticsearch that are not there. */
  readonly unsupported = new UnsupportedEndpoints()

  constructor(accessOf: AccessLookup) {
    this.#accessOf = accessOf
  }

  /** Every route as `METHOD path`. */
  get added(): ReadonlySet<string> {
    return this.#added
  }

  /** Registers `handler` for each method on `path`. */
  add(methods: Method | readonly Method[], path: string, handler: Handler): void {
    this.#last = undefined
    const { node, names } = this.#open(path)
    for (const method of typeof methods === 'string' ? [methods] : methods) {
      if (node.routes.has(method)) throw new Error(`two handlers for ${method} ${path}`)
      node.routes.set(method, { handler, path, names, access: this.#accessOf(method, path) })
      this.#added.add(`${method} ${path}`)
    }
  }

  /** Lists `method` as allowed on `path` without a handler, as Elasticsearch does for paths of earlier versions. */
  reserve(method: Method, path: string): void {
    this.#last = undefined
    this.#open(path).node.routes.set(method, RESERVED)
  }

  /** The last match is kept: several steps of one request ask for it, and clients repeat their paths. */
  find(method: string, path: string): Match {
    if (path !== this.#last?.path || method !== this.#last.method) {
      this.#last = { method, path, match: this.#find(method, path) }
    }
    return this.#last.match
  }

  #find(method: string, path: string): Match {
    const values: string[] = []
    const node = find(this.#root, splitPath(path), 0, values)
    const route = node?.routes.get(method)
    if (route === RESERVED) return { route: undefined, allowed: [] }
    if (route !== undefined) return { route, values }
    return { route: undefined, allowed: METHODS.filter((known) => node?.routes.has(known)) }
  }

  #open(path: string): { node: PathNode; names: string[] } {
    const names: string[] = []
    let node = this.#root
    for (const segment of splitPath(path)) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1))
        node.parameter ??= newNode()
        node = node.parameter
      } else {
        let child = node.words.get(segment)
        if (child === undefined) node.words.set(segment, (child = newNode()))
        node = child
      }
    }
    return { node, names }
  }
}

function newNode(): PathNode {
  return { words: new Map(), parameter: undefined, routes: new Map() }
}

/**
 * Trailing slashes are ignored. An empty segment inside a path is an empty parameter (`//_refresh` means all indices).
 */
function splitPath(path: string): string[] {
  let end = path.length
  while (end > 1 && path.charCodeAt(end - 1) === 0x2f) end--
  return end <= 1 ? [] : path.slice(1, end).split('/')
}

/** Finds the node of a path, literal segments first. Nodes without routes are skipped. */
function find(node: PathNode, segments: readonly string[], depth: number, values: string[]): PathNode | undefined {
  if (depth === segments.length) return node.routes.size > 0 ? node : undefined
  const segment = segments[depth]!
  const word = node.words.get(segment)
  if (word !== undefined) {
    const found = find(word, segments, depth + 1, values)
    if (found !== undefined) return found
  }
  if (node.parameter === undefined) return undefined
  const count = values.length
  values.push(segment)
  const found = find(node.parameter, segments, depth + 1, values)
  if (found === undefined) values.length = count
  return found
}
