/**
 * Converts the options of a configuration to the values that a plugin declares, or reports what is wrong with them.
 */
import { existsSync } from 'node:fs'
import { closestWords } from '../../base/suggest.ts'
import { fieldReference } from '../event/field-reference.ts'
import type { ConfigHash, ConfigValue, OptionSpec, OptionTable } from '../plugin/options.ts'
import { parseByteCount } from './byte-count.ts'
import { type ConfigProblem, lineAndColumn } from './config-error.ts'
import { type Environment, substituteVariables } from './environment.ts'
import type { Attribute, HashEntry, PluginNode, Position, ValueNode } from './syntax-tree.ts'

/** The plugin's name in messages. */
export interface PluginLabel {
  readonly kind: 'input' | 'filter' | 'output' | 'codec'
  readonly name: string
}

export interface ResolveContext {
  readonly environment: Environment
  readonly problems: ConfigProblem[]
  /** Reports an option that works but should be written differently. */
  warn?(message: string, at: Position): void
  /** Builds a codec named in an option; undefined after reporting a failure. */
  buildCodec(node: PluginNode): unknown
}

/** All options of a table with their defaults; undefined if a problem was reported. */
export function resolveOptions(
  node: PluginNode,
  table: OptionTable,
  label: PluginLabel,
  context: ResolveContext,
): Record<string, unknown> | undefined {
  const before = context.problems.length
  const values: Record<string, unknown> = {}
  const given = new Map<string, Attribute[]>()
  for (const attribute of node.attributes) {
    const name = currentName(attribute, table, node, label, context)
    const known = given.get(name)
    if (known === undefined) given.set(name, [attribute])
    else known.push(attribute)
  }
  for (const [name, attributes] of given) {
    const spec = Object.hasOwn(table, name) ? table[name] : undefined
    if (spec === undefined) context.problems.push(unknownOption(name, attributes[0]!.at, table, label))
    else if (spec.obsolete !== undefined) context.problems.push(obsoleteOption(name, spec, attributes[0]!.at, label))
    else {
      if (spec.warning !== undefined) {
        context.warn?.(`The setting \`${name}\` in plugin \`${label.name}\` ${spec.warning}`, attributes[0]!.at)
      }
      resolveOption(name, spec, table, attributes, values, node, label, context)
    }
  }
  for (const [name, spec] of Object.entries(table)) {
    if (given.has(name)) continue
    if (spec.required) context.problems.push(missingOption(name, node.at, label))
    else values[name] = spec.kind === 'codec' ? defaultCodec(spec, node, context) : spec.default
  }
  return context.problems.length === before ? values : undefined
}

/** The current name of an option. A renamed option causes a warning. */
function currentName(
  { name, at }: Attribute,
  table: OptionTable,
  node: PluginNode,
  label: PluginLabel,
  context: ResolveContext,
): string {
  const spec = Object.hasOwn(table, name) ? table[name]! : undefined
  if (spec?.renamedTo === undefined) return name
  context.warn?.(`The setting \`${name}\` in plugin \`${label.name}\` ${spec.warning}`, at)
  if (node.attributes.some((other) => other.name === spec.renamedTo)) {
    const message = `Both \`${spec.renamedTo}\` and its old name \`${name}\` are given for ${label.name}; use \`${spec.renamedTo}\` only`
    context.problems.push({ message, at })
  }
  return spec.renamedTo
}

function resolveOption(
  name: string,
  spec: OptionSpec<unknown>,
  table: OptionTable,
  attributes: readonly Attribute[],
  values: Record<string, unknown>,
  node: PluginNode,
  label: PluginLabel,
  context: ResolveContext,
): void {
  const at = attributes[0]!.at
  try {
    if (spec.kind === 'codec') {
      if (attributes.length > 1) {
        context.problems.push({ message: twoCodecs(node, label), at: attributes[1]!.at })
        return
      }
      values[name] = codecOf(attributes[0]!.value, context)
      return
    }
    const parts = attributes.map((attribute) => currentValue(attribute, table, context))
    const value = coerce(parts.length === 1 ? parts[0]! : mergeRepeated(parts), spec)
    const complaint = spec.check?.(value)
    if (complaint !== undefined) throw new WrongValueError(complaint, String(value))
    values[name] = value
  } catch (error) {
    if (error instanceof WrongValueError) {
      const hidden = spec.kind === 'password' ? new WrongValueError(error.expected, '<password>') : error
      context.problems.push({ message: invalidOption(name, attributes[0]!, hidden, label), at })
    } else context.problems.push({ message: (error as Error).message, at })
  }
}

/**
 * The value of an attribute. The value of a renamed option is translated to a current one, if the values were renamed
 * too.
 */
function currentValue({ name, value }: Attribute, table: OptionTable, context: ResolveContext): ConfigValue {
  const given = configValue(value, context)
  const values = table[name]?.renamedValues
  if (values === undefined) return given
  const text = String(given)
  if (!Object.hasOwn(values, text)) throw wrong(`one of ${JSON.stringify(Object.keys(values))}`, given)
  return values[text]!
}

function codecOf(value: ValueNode, context: ResolveContext): unknown {
  if (value.type === 'plugin') return context.buildCodec(value)
  if (value.type !== 'bareword' && value.type !== 'string') throw new WrongValueError('a codec', 'a value')
  const name = value.type === 'string' ? substituteVariables(value.text, context.environment) : value.text
  return context.buildCodec({ type: 'plugin', name, attributes: [], at: value.at })
}

function defaultCodec(spec: OptionSpec<unknown>, node: PluginNode, context: ResolveContext): unknown {
  return context.buildCodec({ type: 'plugin', name: spec.default as unknown as string, attributes: [], at: node.at })
}

/** The value as written, with variables substituted. Maps keep their order. */
function configValue(node: ValueNode, context: ResolveContext): ConfigValue {
  switch (node.type) {
    case 'bareword':
      return node.text
    case 'string':
      return substituteVariables(node.text, context.environment)
    case 'number': {
      const value = Number(node.text)
      if (node.text.endsWith('.') || Number.isNaN(value)) throw new Error(`${node.text} is not a number`)
      return value
    }
    case 'array':
      return node.items.map((item) => configValue(item, context))
    case 'hash':
      return hashValue(node.entries, node.at, context)
    case 'plugin':
      throw new Error(`Only codec takes a plugin as its value, found "${node.name}"`)
  }
}

function hashValue(entries: readonly HashEntry[], at: Position, context: ResolveContext): ConfigHash {
  const hash: Record<string, ConfigValue> = Object.create(null) as ConfigHash
  const twice = new Set<string>()
  for (const { key, value } of entries) {
    if (Object.hasOwn(hash, key)) twice.add(key)
    hash[key] = configValue(value, context)
  }
  if (twice.size > 0) {
    const { line, column } = lineAndColumn(at)
    const names = [...twice].map((name) => JSON.stringify(name)).join(', ')
    const place = `At line: ${line}, column ${column} (byte ${at.offset + 1})`
    throw new Error(`Duplicate keys found in your configuration: [${names}]\n${place}`)
  }
  return hash
}

/** Merges repeated options: hashes are merged, arrays concatenated, and different scalars collected in an array. */
function mergeRepeated(parts: readonly ConfigValue[]): ConfigValue {
  return parts.reduce((merged, part) => {
    if (Array.isArray(merged)) return merged.concat(Array.isArray(part) ? part : [part])
    if (isHash(merged) && isHash(part)) return mergeHashes(merged, part)
    if (Array.isArray(part)) return [merged, ...part]
    return merged === part ? merged : [merged, part]
  })
}

function mergeHashes(first: ConfigHash, second: ConfigHash): ConfigHash {
  const merged = Object.assign(Object.create(null) as ConfigHash, first)
  for (const [name, value] of Object.entries(second)) {
    const known = merged[name]
    merged[name] = known === undefined ? value : [known, value].flat()
  }
  return merged
}

function isHash(value: ConfigValue): value is ConfigHash {
  return typeof value === 'object' && !Array.isArray(value)
}

class WrongValueError extends Error {
  readonly expected: string
  readonly got: string
  constructor(expected: string, got: string) {
    super(`Expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

function wrong(expected: string, value: ConfigValue): WrongValueError {
  return new WrongValueError(expected, JSON.stringify(value))
}

function coerce(value: ConfigValue, spec: OptionSpec<unknown>): unknown {
  switch (spec.kind) {
    case 'array':
      return Array.isArray(value) ? value : [value]
    case 'strings':
      return (Array.isArray(value) ? value : [value]).map((item) => {
        if (typeof item === 'object') throw wrong('an array of texts', value)
        return String(item)
      })
    case 'hash':
      return toMap(value)
    case 'any':
      return value
    default:
      return coerceScalar(unwrap(value), spec)
  }
}

function unwrap(value: ConfigValue): ConfigValue {
  return Array.isArray(value) && value.length === 1 ? value[0]! : value
}

function coerceScalar(value: ConfigValue, spec: OptionSpec<unknown>): unknown {
  switch (spec.kind) {
    case 'boolean':
      if (value === 'true' || value === true) return true
      if (value === 'false' || value === false) return false
      throw wrong("boolean 'true' or 'false'", value)
    case 'number': {
      const number = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
      if (typeof number !== 'number') throw wrong('number', value)
      return number
    }
    case 'bytes': {
      const bytes = typeof value === 'number' ? value : parseByteCount(String(value))
      if (bytes === undefined) throw wrong('bytes (a number, or a size such as "10 MiB")', value)
      return bytes
    }
    case 'enumeration': {
      const words = spec.words!
      if (typeof value !== 'string' || !words.includes(value)) {
        throw wrong(`one of [${words.map((word) => `"${word}"`).join(', ')}]`, value)
      }
      return value
    }
    default:
      return coerceText(value, spec)
  }
}

function coerceText(value: ConfigValue, spec: OptionSpec<unknown>): string {
  if (typeof value === 'object') throw wrong('string', value)
  const text = String(value)
  if (spec.kind === 'path' && !existsSync(text)) throw new WrongValueError('path (a file that exists)', text)
  if (spec.kind === 'field') {
    try {
      fieldReference(text)
    } catch (error) {
      throw new WrongValueError('field reference', (error as Error).message)
    }
  }
  return text
}

/** Accepts a hash, or a flat list of names and values. */
function toMap(value: ConfigValue): Map<string, ConfigValue> {
  if (isHash(value)) return new Map(Object.entries(value))
  if (!Array.isArray(value) || value.length % 2 !== 0) throw wrong('hash', value)
  const map = new Map<string, ConfigValue>()
  for (let i = 0; i < value.length; i += 2) {
    const name = String(value[i])
    const known = map.get(name)
    map.set(name, known === undefined ? value[i + 1]! : [known, value[i + 1]!].flat())
  }
  return map
}

function unknownOption(name: string, at: Position, table: OptionTable, label: PluginLabel): ConfigProblem {
  const [close] = closestWords(name, Object.keys(table))
  return {
    message: `Unknown setting '${name}' for ${label.name}\nSomething is wrong with your configuration.`,
    at,
    suggestion: close === undefined ? undefined : `did you mean ${close}?`,
  }
}

function obsoleteOption(name: string, spec: OptionSpec<unknown>, at: Position, label: PluginLabel): ConfigProblem {
  const message = `The setting \`${name}\` in plugin \`${label.name}\` is obsolete and is no longer available. ${spec.obsolete}`
  return { message: message.trimEnd(), at }
}

function missingOption(name: string, at: Position, label: PluginLabel): ConfigProblem {
  const message =
    `Missing a required setting for the ${label.name} ${label.kind} plugin:\n\n` +
    `  ${label.kind} {\n    ${label.name} {\n      ${name} => # SETTING MISSING\n      ...\n    }\n  }\n`
  return { message: `${message}Something is wrong with your configuration.`, at }
}

function invalidOption(name: string, attribute: Attribute, error: WrongValueError, label: PluginLabel): string {
  const must = error.expected.replace(/ .*/, '')
  const isHidden = error.got === '<password>'
  const source = attribute.value.at.source.slice(attribute.value.at.offset)
  const written = isHidden ? error.got : source.split('\n')[0]!.slice(0, 60)
  return (
    `Invalid setting for ${label.name} ${label.kind} plugin:\n\n  ${label.kind} {\n    ${label.name} {\n` +
    `      # This setting must be a ${must}\n      # ${error.message}\n      ${name} => ${written}\n      ...\n    }\n  }\n` +
    'Something is wrong with your configuration.'
  )
}

function twoCodecs(node: PluginNode, label: PluginLabel): string {
  return (
    `The ${label.kind} plugin ${node.name} at line ${lineAndColumn(node.at).line} has multiple \`codec\` declarations - ` +
    `this is not a valid configuration, only one top-level \`codec\` per ${label.kind} plugin is supported.`
  )
}
