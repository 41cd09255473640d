/**
 * Rewrites the requests of clients that request compatibility with Elasticsearch 7 to requests of Elasticsearch 8, and
 * determines how their responses must be changed. It rewrites the same requests that Elasticsearch 8.19 accepts from
 * such clients.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { notTrueOrFalse } from '../../base/errors/value-errors.ts'
import { searchBody } from './deprecated-search.ts'
import {
  bulkBody,
  definitionBody,
  documentsBody,
  mappingBody,
  multiSearchBody,
  type RewrittenBody,
  templateBody,
  typesNotAllowed,
} from './typed-bodies.ts'
import { typedPath } from './typed-paths.ts'

export interface Version7Request {
  readonly method: string
  readonly uri: string
  readonly body: Buffer
}

export interface RewrittenRequest {
  readonly uri: string
  readonly body: Buffer
  readonly warnings: readonly string[]
  /** The mappings of the response are under a type. */
  readonly typedMappings: boolean
}

const COMPATIBLE = /;\s*compatible-with\s*=\s*7\b/i

/** Whether a client requests compatibility with version 7. */
export function isVersion7({ accept, 'content-type': contentType }: IncomingHttpHeaders): boolean {
  return (
    (accept !== undefined && COMPATIBLE.test(accept)) || (contentType !== undefined && COMPATIBLE.test(contentType))
  )
}

/** The request without types. Throws an ApiError for a type at a place where types are not allowed. */
export function withoutTypes({ method, uri, body: given }: Version7Request): RewrittenRequest {
  const question = uri.indexOf('?')
  const asked = question < 0 ? uri : uri.slice(0, question)
  const parameters = new Parameters(question < 0 ? '' : uri.slice(question + 1))
  const typed = typedPath(method, asked)
  const path = typed?.path ?? asked
  const warnings: string[] = typed?.warning === undefined ? [] : [typed.warning]
  const kind = definitionKind(method, path)
  const includeTypeName = kind === undefined ? undefined : parameters.take('include_type_name')
  if (includeTypeName !== undefined && kind !== 'put mapping') warnings.push(deprecatedParameter(kind!))
  const withTypeName = includeTypeName === 'true' || includeTypeName === ''
  if (typed?.mapping === 'put' && !withTypeName) {
    throw typesNotAllowed('put', 'the include_type_name parameter is set to true.')
  }
  if (typed?.mapping === 'get' && !withTypeName) throw typesNotAllowed('get', 'include_type_name is set to true.')
  if (/\/_stats(?:\/|$)/.test(path) && parameters.take('types') !== undefined) {
    warnings.push('[types removal] Specifying types in indices stats requests is deprecated.')
  }
  const { body, warnings: more } = rewriteBody(path, kind, given, withTypeName)
  return {
    uri: `${path}${parameters.text === '' ? '' : `?${parameters.text}`}`,
    body,
    warnings: [...warnings, ...more.filter((text) => !warnings.includes(text))],
    typedMappings: withTypeName && kind?.startsWith('get') === true,
  }
}

/** The kind of request, as named in warnings, if it accepts `include_type_name`. */
function definitionKind(method: string, path: string): string | undefined {
  if (/\/_mappings?\/field\/[^/]+$/.test(path)) return 'get field mapping'
  if (/\/_mappings?$/.test(path)) return method === 'PUT' || method === 'POST' ? 'put mapping' : 'get mapping'
  if (/^\/_template(?:\/[^/]+)?$/.test(path))
    return method === 'PUT' || method === 'POST' ? 'put template' : 'get template'
  if (/^\/[^/_][^/]*\/_rollover(?:\/[^/]+)?$/.test(path)) return 'rollover index'
  if (/^\/[^/_][^/]*$/.test(path))
    return method === 'PUT' ? 'create index' : method === 'GET' ? 'get indices' : undefined
  return undefined
}

function deprecatedParameter(kind: string): string {
  const gone = 'is deprecated. The parameter will be removed in the next major version.'
  if (kind === 'put template') {
    return `[types removal] Specifying include_type_name in put index template requests ${gone}`
  }
  if (kind === 'get template') return `[types removal] Using include_type_name in get index template requests ${gone}`
  if (kind === 'get indices') return `[types removal] Using \`include_type_name\` in get indices requests ${gone}`
  return `[types removal] Using include_type_name in ${kind} requests ${gone}`
}

function rewriteBody(path: string, kind: string | undefined, body: Buffer, withTypeName: boolean): RewrittenBody {
  const untyped = (rewritten: Buffer): RewrittenBody => ({ body: rewritten, warnings: [] })
  if (body.length === 0) return untyped(body)
  if (/\/_bulk$/.test(path)) return bulkBody(body)
  if (/\/_msearch$/.test(path)) return multiSearchBody(body)
  if (/\/_mget$/.test(path)) return documentsBody(body, 'multi get')
  if (/\/_mtermvectors$/.test(path)) return documentsBody(body, 'term vector')
  if (/\/_search$/.test(path)) return searchBody(body)
  if (kind === 'put mapping') return untyped(mappingBody(body, withTypeName))
  if (kind === 'put template') {
    const renamed = templateBody(body)
    return { body: definitionBody(renamed.body, withTypeName), warnings: renamed.warnings }
  }
  if (kind === 'create index' || kind === 'rollover index') return untyped(definitionBody(body, withTypeName))
  return untyped(body)
}

/** A query string from which parameters can be removed. The rest stays as sent. */
class Parameters {
  #parts: string[]

  constructor(text: string) {
    this.#parts = text === '' ? [] : text.split('&')
  }

  get text(): string {
    return this.#parts.join('&')
  }

  take(name: string): string | undefined {
    const isIt = (part: string) => part === name || part.startsWith(`${name}=`)
    const found = this.#parts.find(isIt)
    if (found === undefined) return undefined
    this.#parts = this.#parts.filter((part) => !isIt(part))
    const value = found.slice(name.length + 1)
    if (value !== 'true' && value !== 'false' && value !== '' && name === 'include_type_name') {
      throw notTrueOrFalse(value)
    }
    return value
  }
}
