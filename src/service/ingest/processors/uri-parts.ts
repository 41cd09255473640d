/** uri_parts: splits a URI into its parts. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { JHashMap } from '../../../engine/painless/index.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

export const uriPartsProcessor: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const target = reader.optionalString('target_field') ?? 'url'
  const removes = reader.boolean('remove_if_successful', false)
  const keepsOriginal = reader.boolean('keep_original', true)
  const ignoresMissing = reader.boolean('ignore_missing', false)
  return (document) => {
    const value = document.text(field, ignoresMissing)
    if (value === undefined || (value === null && ignoresMissing)) return
    if (value === null) {
      const reason = 'Cannot invoke "String.length()" because "this.input" is null'
      throw new ApiError(400, 'null_pointer_exception', reason)
    }
    const parts = uriParts(value)
    if (keepsOriginal) parts.put_2('original', value)
    if (removes && target !== field) document.remove(field)
    document.set(target, parts)
  }
}

const SCHEME = '[a-zA-Z][a-zA-Z0-9+.-]*'
const URI = new RegExp(`^(?:(${SCHEME}):)?(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$`, 's')
/** Characters that are invalid in a URI. Such addresses are parsed as URLs, which are less strict. */
const ILLEGAL = /[\s"<>\\^`{|}\0-\x1f\x7f]|%(?![0-9a-fA-F]{2})/
/** Protocols that Java's URL class supports. */
const URL_PROTOCOLS = /^(?:https?|ftp|file|jar|mailto)$/i

/** The parts of a URI. Throws illegal_argument_exception. */
export function uriParts(text: string): JHashMap {
  const match = URI.exec(text)
  const scheme = match?.[1]
  const badScheme = scheme === undefined && /^[^/?#]*:/.test(text)
  if (match === null || badScheme || (ILLEGAL.test(text) && !(scheme !== undefined && URL_PROTOCOLS.test(scheme)))) {
    throw illegalArgument(`unable to parse URI [${text}]`)
  }
  const [, , authority, path, query, fragment] = match
  const parts = new JHashMap()
  const { userInfo, host, port } = authorityParts(authority)
  // `domain` and `scheme` are written even if they are unknown.
  parts.put_2('domain', host === undefined || host === '' ? null : host)
  if (fragment !== undefined) parts.put_2('fragment', fragment)
  // `mailto:a@b` and `urn:x:y` have no path.
  const isOpaque = scheme !== undefined && authority === undefined && !path!.startsWith('/')
  if (path !== undefined && !isOpaque) {
    parts.put_2('path', path)
    const slash = path.lastIndexOf('/')
    const last = path.slice(slash + 1)
    const dot = last.lastIndexOf('.')
    if (slash >= 0 && dot >= 0) parts.put_2('extension', last.slice(dot + 1))
  }
  if (port !== undefined) parts.put_2('port', port)
  if (query !== undefined) parts.put_2('query', query)
  parts.put_2('scheme', scheme ?? null)
  if (userInfo !== undefined && userInfo !== '') {
    parts.put_2('user_info', userInfo)
    const colon = userInfo.indexOf(':')
    if (colon >= 0) {
      parts.put_2('username', userInfo.slice(0, colon))
      parts.put_2('password', userInfo.slice(colon + 1))
    }
  }
  return parts
}

function authorityParts(authority: string | undefined) {
  if (authority === undefined) return {}
  const at = authority.lastIndexOf('@')
  const userInfo = at < 0 ? undefined : authority.slice(0, at)
  const rest = authority.slice(at + 1)
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(rest)
  if (match === null) return { userInfo, host: undefined }
  return { userInfo, host: match[1], port: match[2] === undefined || match[2] === '' ? undefined : Number(match[2]) }
}
