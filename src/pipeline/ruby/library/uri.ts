/** URI and CGI. */

import { listOf } from '../core/collections/iterate.ts'
import { errorClass } from '../core/exception.ts'
import { ANY, define, defineStatic, Kernel, makeClass, makeModule, setClass } from '../runtime/classes.ts'
import { toText } from '../runtime/convert.ts'
import { toS } from '../runtime/dispatch.ts'
import { argumentError, raise } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { RBasic, type RClass, type Value } from '../runtime/model.ts'
import { type RString, str, utf8Bytes } from '../runtime/string.ts'
import { decodeBytes } from '../syntax/lex-string.ts'

const URIModule = makeModule('URI')
errorClass('Error', 'StandardError', URIModule)
errorClass('InvalidURIError', 'URI::Error', URIModule)
errorClass('InvalidComponentError', 'URI::Error', URIModule)
const Generic = makeClass('Generic', undefined, URIModule)
const CLASSES: Readonly<Record<string, { cls: RClass; port: number }>> = {
  http: { cls: makeClass('HTTP', Generic, URIModule), port: 80 },
  https: { cls: makeClass('HTTPS', Generic, URIModule), port: 443 },
  ftp: { cls: makeClass('FTP', Generic, URIModule), port: 21 },
  ldap: { cls: makeClass('LDAP', Generic, URIModule), port: 389 },
  ws: { cls: makeClass('WS', Generic, URIModule), port: 80 },
  wss: { cls: makeClass('WSS', Generic, URIModule), port: 443 },
}

type Parts = Record<'scheme' | 'userinfo' | 'host' | 'port' | 'path' | 'query' | 'fragment' | 'opaque', string | null>

class RUri extends RBasic {
  readonly parts: Parts
  constructor(parts: Parts) {
    super()
    this.parts = parts
    this.cls = CLASSES[parts.scheme?.toLowerCase() ?? '']?.cls ?? Generic
  }
}
setClass(RUri, Generic)

const URI_PATTERN =
  /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/

function parseUri(text: string): RUri {
  const match = URI_PATTERN.exec(text)
  if (match === null || /[\s<>"{}|\\^`[\]]/.test(text.replace(/\[[\da-fA-F:.%]*\]/, '')) || /[^\x20-\x7e]/.test(text)) {
    const why = /[^\x20-\x7e]/.test(text)
      ? `URI must be ascii only ${JSON.stringify(text)}`
      : `bad URI(is not URI?): ${JSON.stringify(text)}`
    throw raise('URI::InvalidURIError', why)
  }
  const [, scheme, userinfo, host, port, path, query, fragment] = match
  const opaque =
    scheme !== undefined && host === undefined && path !== undefined && path !== '' && !path.startsWith('/')
      ? path + (query === undefined ? '' : `?${query}`)
      : null
  return new RUri({
    scheme: scheme ?? null,
    userinfo: userinfo ?? null,
    host: host ?? null,
    port: port === undefined || port === '' ? null : port,
    path: opaque === null ? (path ?? '') : null,
    query: opaque === null ? (query ?? null) : null,
    fragment: fragment ?? null,
    opaque,
  })
}

defineStatic(URIModule, 'parse', 1, (_self, [text]) => parseUri(toText(text!)))
defineStatic(URIModule, 'join', ANY, (_self, parts) => {
  const texts = parts.map((part) => (part instanceof RUri ? uriText(part) : toText(part)))
  try {
    return parseUri(texts.slice(1).reduce((base, next) => new URL(next, base).href, texts[0]!))
  } catch {
    throw raise('URI::InvalidURIError', `bad URI(is not URI?): ${JSON.stringify(texts.join(' '))}`)
  }
})
define(Kernel, 'URI', 1, (_self, [text]) => (text instanceof RUri ? text : parseUri(toText(text!))), 'private')
defineStatic(URIModule, 'extract', [1, 2], (_self, [text]) =>
  [...toText(text!).matchAll(/\b[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"]+/g)].map((match) => str(match[0])),
)
defineStatic(URIModule, 'regexp', ANY, () => {
  throw raise('NotImplementedError', 'URI.regexp is not available in the ruby filter')
})

function optional(value: string | null): Value {
  return value === null ? null : str(value)
}
for (const name of ['userinfo', 'host', 'path', 'query', 'fragment', 'opaque'] as const)
  define<RUri>(Generic, name, 0, (self) => optional(self.parts[name]))
define<RUri>(Generic, 'scheme', 0, (self) => optional(self.parts.scheme?.toLowerCase() ?? null))
define<RUri>(Generic, 'hostname', 0, (self) => optional(self.parts.host?.replace(/^\[(.*)\]$/, '$1') ?? null))
define<RUri>(Generic, 'port', 0, (self) => (self.parts.port === null ? defaultPort(self) : Number(self.parts.port)))
define<RUri>(Generic, 'default_port', 0, (self) => defaultPort(self))
define<RUri>(Generic, 'user', 0, (self) => optional(self.parts.userinfo?.split(':')[0] ?? null))
define<RUri>(Generic, 'password', 0, (self) => optional(self.parts.userinfo?.split(':')[1] ?? null))
define<RUri>(Generic, 'request_uri', 0, (self) =>
  str(`${self.parts.path === '' ? '/' : self.parts.path}${self.parts.query === null ? '' : `?${self.parts.query}`}`),
)
define<RUri>(Generic, 'absolute?', 0, (self) => self.parts.scheme !== null)
define<RUri>(Generic, 'relative?', 0, (self) => self.parts.scheme === null)
define<RUri>(Generic, 'to_s', 0, (self) => str(uriText(self)))
define<RUri>(Generic, 'inspect', 0, (self) => str(`#<${self.cls.name} ${uriText(self)}>`))
define<RUri>(Generic, '==', 1, (self, [other]) => other instanceof RUri && uriText(other) === uriText(self))
for (const name of ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment'] as const) {
  define<RUri>(Generic, `${name}=`, 1, (self, [value]) => {
    self.parts[name] = value === null ? null : toS(value!)
    return value!
  })
}

function defaultPort({ parts }: RUri): Value {
  return CLASSES[parts.scheme?.toLowerCase() ?? '']?.port ?? null
}

function uriText({ parts }: RUri): string {
  const { scheme, userinfo, host, port, path, query, fragment, opaque } = parts
  const isDefault = port !== null && CLASSES[scheme?.toLowerCase() ?? '']?.port === Number(port)
  const authority =
    host === null
      ? ''
      : `//${userinfo === null ? '' : `${userinfo}@`}${host}${port === null || isDefault ? '' : `:${port}`}`
  return `${scheme === null ? '' : `${scheme.toLowerCase()}:`}${opaque ?? `${authority}${path}${query === null ? '' : `?${query}`}`}${fragment === null ? '' : `#${fragment}`}`
}

/** Escapes bytes outside the set as `%XX`. */
function percentEncoded(text: string, keeps: RegExp, space: string): string {
  let out = ''
  for (const byte of utf8Bytes(text)) {
    const char = String.fromCharCode(byte)
    out += byte === 32 ? space : keeps.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return out
}

function percentDecoded(text: string, plusIsSpace: boolean): RString {
  const source = plusIsSpace ? text.replaceAll('+', ' ') : text
  if (!source.includes('%')) return str(source)
  const bytes: number[] = []
  for (const match of source.matchAll(/%([\da-fA-F]{2})|([^%]+|%)/g)) {
    if (match[1] !== undefined) bytes.push(Number.parseInt(match[1], 16))
    else bytes.push(...utf8Bytes(match[2]!))
  }
  return str(decodeBytes(bytes))
}

const FORM = /[*\-.0-9A-Z_a-z]/
defineStatic(URIModule, 'encode_www_form_component encode_uri_component', [1, 2], (_self, [text]) =>
  str(percentEncoded(toS(text!), FORM, '+')),
)
defineStatic(URIModule, 'decode_www_form_component decode_uri_component', [1, 2], (_self, [text]) => {
  if (/%(?![\da-fA-F]{2})/.test(toText(text!))) throw argumentError(`invalid %-encoding (${toText(text!)})`)
  return percentDecoded(toText(text!), true)
})
defineStatic(URIModule, 'encode_www_form', [1, 2], (_self, [pairs]) => {
  const list =
    pairs instanceof RHash
      ? pairs.list().map(({ key, value }) => [key, value] as Value[])
      : (listOf(pairs!) as Value[][])
  const text = list.flatMap(([key, value]) => {
    const name = percentEncoded(toS(key!), FORM, '+')
    if (value === null || value === undefined) return [name]
    return (Array.isArray(value) ? value : [value]).map((item) => `${name}=${percentEncoded(toS(item), FORM, '+')}`)
  })
  return str(text.join('&'))
})
defineStatic(URIModule, 'decode_www_form', [1, 2], (_self, [text]) => {
  const source = toText(text!)
  return source === ''
    ? []
    : source.split('&').map((pair) => {
        const at = pair.indexOf('=')
        const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
        return [percentDecoded(name, true), percentDecoded(value, true)]
      })
})
const PARSER = makeClass('Parser', undefined, URIModule)
URIModule.constants.set('DEFAULT_PARSER', PARSER)
defineStatic(PARSER, 'escape', [1, 2], (_self, [text]) =>
  str(percentEncoded(toText(text!), /[-_.!~*'()a-zA-Z\d;/?:@&=+$,[\]]/, '%20')),
)
defineStatic(PARSER, 'unescape', 1, (_self, [text]) => percentDecoded(toText(text!), false))

const CGIClass = makeClass('CGI')
defineStatic(CGIClass, 'escape', 1, (_self, [text]) => str(percentEncoded(toText(text!), /[~\-.0-9A-Z_a-z]/, '+')))
defineStatic(CGIClass, 'unescape', [1, 2], (_self, [text]) => percentDecoded(toText(text!), true))
defineStatic(CGIClass, 'escapeHTML escape_html h', 1, (_self, [text]) =>
  str(
    toText(text!).replace(
      /[&<>"']/g,
      (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char]!,
    ),
  ),
)
defineStatic(CGIClass, 'unescapeHTML unescape_html', 1, (_self, [text]) =>
  str(
    toText(text!).replace(
      /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([\da-f]+));/gi,
      (whole, name?: string, decimal?: string, hex?: string) => {
        if (name !== undefined) return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name] ?? whole
        const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex!, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      },
    ),
  ),
)
defineStatic(CGIClass, 'parse', 1, (_self, [text]) => {
  const hash = new RHash()
  hash.defaultValue = []
  for (const pair of toText(text!).split(/[&;]/)) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const key = percentDecoded(at < 0 ? pair : pair.slice(0, at), true)
    const list = hash.get(key)
    const values = at < 0 ? [] : [percentDecoded(pair.slice(at + 1), true)]
    if (Array.isArray(list)) list.push(...values)
    else hash.set(key, values)
  }
  return hash
})
