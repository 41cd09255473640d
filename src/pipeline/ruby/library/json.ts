/** JSON: parsing, generating, and `to_json` of all values. */
import { Double } from '../../../base/json/json-writer.ts'
import { type FieldValue, isFields, namesOf } from '../../event/fields.ts'
import { parseJson } from '../../event/json-text.ts'
import { errorClass } from '../core/exception.ts'
import { ANY, classOf, define, defineStatic, Kernel, makeModule } from '../runtime/classes.ts'
import { optionsOf, toText } from '../runtime/convert.ts'
import { send, toS, truthy } from '../runtime/dispatch.ts'
import { raise } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { charge } from '../runtime/limits.ts'
import { RFloat, RSymbol, symbol, type Value } from '../runtime/model.ts'
import { isBroken, RString, str } from '../runtime/string.ts'

const JSONModule = makeModule('JSON')
errorClass('JSONError', 'StandardError', JSONModule)
errorClass('ParserError', 'JSON::JSONError', JSONModule)
errorClass('NestingError', 'JSON::ParserError', JSONModule)
errorClass('GeneratorError', 'JSON::JSONError', JSONModule)

function parsed(text: string, options: RHash | undefined): Value {
  let value: FieldValue
  try {
    value = parseJson(text.replace(/\/\*[\s\S]*?\*\/(?=(?:[^"]*"[^"]*")*[^"]*$)/g, ''))
  } catch {
    throw raise('JSON::ParserError', parserMessage(text))
  }
  return toRuby(value, truthy(options?.get(symbol('symbolize_names')) ?? null), 1, options)
}

/** Ruby's error message contains the rest of the text from the invalid position on. */
function parserMessage(text: string): string {
  if (text.trim() === '') return "unexpected token at ''"
  const at = failingPlace(text)
  return `unexpected token at '${text.slice(at)}'`
}

function failingPlace(text: string): number {
  const start = text.search(/\S/)
  return start < 0 ? 0 : start
}

function toRuby(value: FieldValue | undefined, symbolizes: boolean, depth: number, options: RHash | undefined): Value {
  const limit = options?.get(symbol('max_nesting'))
  if (depth > (typeof limit === 'number' && limit > 0 ? limit : limit === false || limit === 0 ? 5000 : 101))
    throw raise('JSON::NestingError', `nesting of ${depth - 1} is too deep`)
  if (typeof value === 'string') return str(value)
  if (typeof value === 'number') return Number.isInteger(value) ? value : new RFloat(value)
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null
  if (Array.isArray(value)) return value.map((item) => toRuby(item, symbolizes, depth + 1, options))
  if (value instanceof Double) return new RFloat(value.value)
  if (!isFields(value)) return null
  const hash = new RHash()
  for (const name of namesOf(value))
    hash.set(symbolizes ? symbol(name) : str(name), toRuby(value[name], symbolizes, depth + 1, options))
  return hash
}

interface Style {
  readonly indent: string
  readonly space: string
  readonly newline: string
  readonly allowsNan: boolean
}
const COMPACT: Style = { indent: '', space: '', newline: '', allowsNan: false }
const PRETTY: Style = { indent: '  ', space: ' ', newline: '\n', allowsNan: false }

export function generate(value: Value, style: Style = COMPACT, depth = 0): string {
  if (depth > 100) throw raise('JSON::NestingError', `nesting of ${depth} is too deep`)
  if (value instanceof RString) return quoted(value)
  if (value === null) return 'null'
  if (typeof value !== 'object') return String(value)
  if (value instanceof RFloat) {
    if (!Number.isFinite(value.value) && !style.allowsNan)
      throw raise('JSON::GeneratorError', `${toS(value)} not allowed in JSON`)
    return toS(value)
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    charge(value.length)
    return wrapped(
      '[',
      ']',
      value.map((item) => generate(item, style, depth + 1)),
      style,
      depth,
    )
  }
  if (value instanceof RHash) {
    if (value.size === 0) return '{}'
    const members = value
      .list()
      .map(({ key, value: item }) => `${quoted(str(toS(key)))}:${style.space}${generate(item, style, depth + 1)}`)
    return wrapped('{', '}', members, style, depth)
  }
  if (value instanceof RSymbol) return quoted(str(value.name))
  const method = classOf(value).find('to_json')
  if (method !== undefined && method.owner !== Kernel) return toS(send(value, 'to_json'))
  return quoted(str(toS(value)))
}

function wrapped(
  open: string,
  close: string,
  items: readonly string[],
  { indent, newline }: Style,
  depth: number,
): string {
  const inner = newline + indent.repeat(depth + 1)
  return `${open}${inner}${items.join(`,${inner}`)}${newline}${indent.repeat(depth)}${close}`
}

function quoted(text: RString): string {
  if (
    isBroken(text.text) ||
    (text.encoding === 'ASCII-8BIT' &&
      /[^\0-\x7f]/.test(text.text) &&
      Buffer.from(text.text, 'latin1').toString('utf8').includes('\ufffd'))
  ) {
    throw raise('JSON::GeneratorError', 'source sequence is illegal/malformed utf-8')
  }
  const plain = text.encoding === 'ASCII-8BIT' ? Buffer.from(text.text, 'latin1').toString('utf8') : text.text
  return JSON.stringify(plain)
}

function styleOf(args: Value[], base: Style): Style {
  const options = optionsOf(args)
  if (options === undefined) return base
  const text = (name: string, fallback: string) => {
    const value = options.get(symbol(name))
    return value instanceof RString ? value.text : fallback
  }
  return {
    indent: text('indent', base.indent),
    space: text('space', base.space),
    newline: text('object_nl', base.newline),
    allowsNan: truthy(options.get(symbol('allow_nan')) ?? null),
  }
}

defineStatic(JSONModule, 'parse parse!', [1, 2], (_self, args) =>
  parsed(toText(args[0]!), args.length > 1 ? optionsOf(args) : undefined),
)
defineStatic(JSONModule, 'load restore', [1, 3], (_self, args) =>
  args[0] === null || (args[0] instanceof RString && args[0].text === '')
    ? null
    : parsed(toText(args[0]!), args.length > 1 ? optionsOf(args) : undefined),
)
defineStatic(JSONModule, 'generate unparse fast_generate', [1, 2], (_self, args) =>
  str(generate(args[0]!, args.length > 1 ? styleOf(args, COMPACT) : COMPACT)),
)
defineStatic(JSONModule, 'dump', [1, 3], (_self, args) => str(generate(args[0]!, { ...COMPACT, allowsNan: true })))
defineStatic(JSONModule, 'pretty_generate', [1, 2], (_self, args) =>
  str(generate(args[0]!, args.length > 1 ? styleOf(args, PRETTY) : PRETTY)),
)
defineStatic(JSONModule, '[]', [1, 2], (_self, args) =>
  args[0] instanceof RString ? parsed(args[0].text, undefined) : str(generate(args[0]!)),
)
define(Kernel, 'to_json', ANY, (self, args) => str(generate(self, styleOf(args, COMPACT))))
define(
  Kernel,
  'JSON',
  [1, 2],
  (_self, args) => (args[0] instanceof RString ? parsed(args[0].text, undefined) : str(generate(args[0]!))),
  'private',
)
