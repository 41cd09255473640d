/** YAML and Psych: reading texts. Files cannot be reached. */
import { createRequire } from 'node:module'
import { errorClass } from '../core/exception.ts'
import { ANY, defineStatic, makeModule, ObjectClass } from '../runtime/classes.ts'
import { optionsOf, toText } from '../runtime/convert.ts'
import { truthy } from '../runtime/dispatch.ts'
import { raise } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { charge } from '../runtime/limits.ts'
import { RFloat, symbol, type Value } from '../runtime/model.ts'
import { RString, str } from '../runtime/string.ts'

const Psych = makeModule('Psych')
ObjectClass.constants.set('YAML', Psych)
errorClass('Exception', 'StandardError', Psych)
errorClass('DisallowedClass', 'Psych::Exception', Psych)
errorClass('BadAlias', 'Psych::Exception', Psych)
errorClass('SyntaxError', 'Psych::Exception', Psych)

defineStatic(Psych, 'load safe_load unsafe_load', ANY, (_self, args) => {
  const symbolizes = truthy(optionsOf(args)?.get(symbol('symbolize_names')) ?? null)
  const { parseDocument } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  const document = parseDocument(toText(args[0]!), { uniqueKeys: false, version: '1.1' })
  const [error] = document.errors
  if (error !== undefined) throw raise('Psych::SyntaxError', error.message.split('\n')[0]!)
  const [warning] = document.warnings
  if (warning !== undefined) throw raise('Psych::DisallowedClass', warning.message.split('\n')[0]!)
  let value: unknown
  try {
    value = document.toJS({ mapAsMap: true, maxAliasCount: 100 })
  } catch (thrown) {
    throw raise('Psych::BadAlias', (thrown as Error).message)
  }
  return toRuby(value, symbolizes)
})

function toRuby(value: unknown, symbolizes: boolean): Value {
  charge(1)
  if (typeof value === 'string') return str(value)
  if (typeof value === 'number') return Number.isInteger(value) ? value : new RFloat(value)
  if (typeof value === 'boolean' || typeof value === 'bigint') return value
  if (Array.isArray(value)) return value.map((item) => toRuby(item, symbolizes))
  if (!(value instanceof Map)) return value === null || value === undefined ? null : str(String(value))
  const hash = new RHash()
  for (const [name, item] of value) {
    const key = toRuby(name, symbolizes)
    hash.set(symbolizes && key instanceof RString ? symbol(key.text) : key, toRuby(item, symbolizes))
  }
  return hash
}
