/** Addressable::URI: addresses are taken apart without a check of their characters. */
import { define, defineStatic, makeClass, makeModule, setClass } from '../runtime/classes.ts'
import { toText } from '../runtime/convert.ts'
import { RHash } from '../runtime/hash.ts'
import { RBasic, type Value } from '../runtime/model.ts'
import { str } from '../runtime/string.ts'

/** The expression of RFC 3986, appendix B. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
const AUTHORITY = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/s

class RAddressable extends RBasic {
  readonly text: string
  readonly parts: Readonly<Record<string, string | undefined>>

  constructor(text: string) {
    super()
    this.text = text
    const [, scheme, authority, path, query, fragment] = PARTS.exec(text)!
    const [, userinfo, host, port] = authority === undefined ? [] : (AUTHORITY.exec(authority) ?? [])
    const [user, password] = userinfo?.split(/:(.*)/s) ?? []
    this.parts = { scheme, authority, userinfo, user, password, host, port, path, query, fragment }
  }
}

const Module = makeModule('Addressable')
const URI = makeClass('URI', undefined, Module)
setClass(RAddressable, URI)

const textOrNil = (text: string | undefined): Value => (text === undefined ? null : str(text))
defineStatic(URI, 'parse', 1, (_self, [given]) => {
  if (given === null || given === undefined || given instanceof RAddressable) return given ?? null
  return new RAddressable(toText(given))
})
/** Like `parse`, with `http` for an address that begins with a host. */
defineStatic(URI, 'heuristic_parse', 1, (_self, [given]) => {
  if (given === null || given === undefined) return null
  const text = toText(given)
  return new RAddressable(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
})
for (const name of ['scheme', 'authority', 'userinfo', 'user', 'password', 'host', 'path', 'query', 'fragment']) {
  define<RAddressable>(URI, name, 0, ({ parts }) => textOrNil(parts[name]))
}
define<RAddressable>(URI, 'hostname', 0, ({ parts }) => textOrNil(parts['host']?.replace(/^\[(.*)\]$/, '$1')))
define<RAddressable>(URI, 'port', 0, ({ parts: { port } }) => (port === undefined || port === '' ? null : Number(port)))
define<RAddressable>(URI, 'to_s', 0, ({ text }) => str(text))
define<RAddressable>(URI, 'query_values', 0, ({ parts: { query } }) => {
  if (query === undefined) return null
  const values = new RHash()
  for (const [name, value] of new URLSearchParams(query)) values.set(str(name), str(value))
  return values
})
