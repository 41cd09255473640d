/**
 * The parameters of a mapping type: how a value is parsed, compared and printed, and whether it may change later.
 *
 * A type is mostly its list of parameters. Unknown names, update conflicts and the printed form all follow from the
 * list.
 */

import { ApiError, arithmeticFailure, illegalArgument, notANumber } from '../../../base/api-error.ts'
import { mapperParsing, nullValueInMapping } from '../../../base/errors/mapping-errors.ts'
import { notTrueOrFalse } from '../../../base/errors/value-errors.ts'
import { newMembers } from '../../../base/json/members.ts'
import type { ContextName } from '../../painless/index.ts'
import { compile } from '../../scripts/compile-script.ts'
import { scriptText } from '../../scripts/document-script.ts'
import { scriptOf } from '../../scripts/script.ts'
import { hashedText, hashOrder, javaClass, javaSimpleClass } from '../../values/java-text.ts'
import type { MappingContext } from '../mapping-context.ts'
import { BUILT_IN_SIMILARITIES } from '../similarities.ts'

/** The location of a parameter. */
export interface ParameterSite {
  /** Name of the field inside its object. */
  readonly name: string
  readonly type: string
  readonly context: MappingContext
}

export interface Parameter {
  readonly name: string
  readonly initial: unknown
  /** Whether a later update may change it, or may change it from one value to another. */
  readonly updatable: boolean | ((from: unknown, to: unknown) => boolean)
  readonly acceptsNull: boolean
  /** Printed whenever it was given, even if it equals the default. */
  readonly printedWhenGiven: boolean
  readonly alwaysPrinted: boolean
  /** Omitted from the form with defaults unless it was given. */
  readonly hiddenByDefault: boolean
  read(value: unknown, site: ParameterSite): unknown
  /** The reason why a parameter may not change from one value to another, if the type has a specific one. */
  conflicts?: ((from: unknown, to: unknown) => readonly string[]) | undefined
  /** The value in a conflict message; by default printed as Java does. */
  describe?: ((value: unknown) => string) | undefined
  print(value: unknown): unknown
}

type Options = Partial<Omit<Parameter, 'name' | 'initial' | 'read'>>

export function parameter(
  name: string,
  initial: unknown,
  read: (value: unknown, site: ParameterSite) => unknown,
  options: Options = {},
): Parameter {
  return {
    name,
    initial,
    updatable: false,
    acceptsNull: false,
    printedWhenGiven: false,
    alwaysPrinted: false,
    hiddenByDefault: false,
    print: (value) => value,
    ...options,
    read,
  }
}

export const flag = (name: string, initial: boolean, options: Options = {}) =>
  parameter(name, initial, (value) => readBoolean(value), options)

export const index = () => flag('index', true)
export const docValues = (initial = true) => flag('doc_values', initial)
export const store = () => flag('store', false)

/** `coerce` and `ignore_malformed`: separate from the index-wide default once they are given. */
export const lenience = (name: string, initial: boolean) =>
  flag(name, initial, { updatable: true, printedWhenGiven: true })

/**
 * `ignore_malformed` of types that print it only if it differs from the index setting; used with `dropDefaultLenience`.
 */
export const ownLenience = () => lenience('ignore_malformed', false)

export function dropDefaultLenience(given: Map<string, unknown>, { context }: ParameterSite): void {
  if (given.get('ignore_malformed') === context.limits.ignoreMalformed) given.delete('ignore_malformed')
}

export const text = (name: string, initial: string | null, options: Options = {}) =>
  parameter(name, initial, (value) => hashedText(value), options)

export const integer = (name: string, initial: number, options: Options = {}) =>
  parameter(name, initial, (value) => readInteger(value), options)

/** A whole number that must not be negative. */
export const positive = (name: string, initial: number, fail: (reason: string) => ApiError, options: Options = {}) =>
  parameter(
    name,
    initial,
    (value) => {
      const number = readInteger(value)
      if (number < 0) throw fail(`[${name}] must be positive, got [${number}]`)
      return number
    },
    options,
  )

export const choice = (name: string, initial: string, accepted: readonly string[], options: Options = {}) =>
  parameter(
    name,
    initial,
    (value) => {
      const chosen = hashedText(value)
      if (!accepted.includes(chosen)) {
        throw mapperParsing(
          `Unknown value [${chosen}] for field [${name}] - accepted values are [${accepted.join(', ')}]`,
        )
      }
      return chosen
    },
    options,
  )

export const similarity = () =>
  parameter(
    'similarity',
    null,
    (value, site) => {
      const name = hashedText(value)
      if (!(site.context.similarities ?? BUILT_IN_SIMILARITIES).has(name)) {
        throw mapperParsing(`Unknown Similarity type [${name}] for field [${site.name}]`)
      }
      return name
    },
    { acceptsNull: true },
  )

/** Free-form notes on a field. */
export const meta = () => parameter('meta', {}, readMeta, { updatable: true })

/**
 * Parameters of fields whose values a script computes when a document is indexed. The rules between them and other
 * parameters are in `script-rules.ts`. Some types know the parameter but reject every script (`isSupported`).
 */
export const script = (isSupported = true): Parameter[] => [
  parameter('script', null, isSupported ? readScript : rejectScript, {
    acceptsNull: true,
    describe: (value) => (value === null ? 'null' : scriptText(scriptOf(value))),
  }),
  choice('on_script_error', 'fail', ['fail', 'continue'], { updatable: true }),
]

function rejectScript(_value: unknown, { name }: ParameterSite): never {
  throw illegalArgument(`Unknown parameter [script] for mapper [${name}]`)
}

/** The script as it is printed; it is compiled to find its mistakes. */
function readScript(value: unknown, { name, type }: ParameterSite): unknown {
  const read = scriptOf(value)
  if (read.id !== undefined) throw illegalArgument(`stored scripts are not supported on field [${name}]`)
  compile(read, `${type}_field` as ContextName, undefined, false)
  const { source, lang, params, options } = read
  return {
    source,
    lang,
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(Object.keys(params).length > 0 ? { params } : {}),
  }
}

/** Time series parameters, which are accepted without effect. */
export const timeSeriesDimension = () => flag('time_series_dimension', false)

export const timeSeriesMetric = (accepted: readonly string[]) =>
  parameter(
    'time_series_metric',
    null,
    (value) => {
      const chosen = hashedText(value)
      if (!accepted.includes(chosen)) {
        throw mapperParsing(
          `Unknown value [${chosen}] for field [time_series_metric] - accepted values are [${accepted.join(', ')}]`,
        )
      }
      return chosen
    },
    { acceptsNull: true },
  )

export function readBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  if (value === null) throw nullValueInMapping('"node"')
  throw notABooleanValue(value)
}

const notABooleanValue = (value: unknown) => notTrueOrFalse(hashedText(value))

/** A boolean of an object or of the root, whose errors name its path. */
export function readObjectBoolean(value: unknown, name: string): boolean {
  try {
    return readBoolean(value)
  } catch (error) {
    if (value === null) throw error
    throw illegalArgument(`Could not convert [${name}] to boolean`, error as ApiError)
  }
}

export function readInteger(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const number = Number(value)
    if (!Number.isInteger(number)) throw illegalArgument(`${hashedText(value)} is not an integer value`)
    if ((number | 0) !== number) throw arithmeticFailure('integer overflow')
    return number
  }
  const written = hashedText(value)
  if (!/^[+-]?\d+$/.test(written)) throw notANumber(written)
  return Number(written)
}

export function readMeta(value: unknown, site: Pick<ParameterSite, 'name'>): Record<string, string> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw mapperParsing(
      `[meta] must be an object, got ${javaSimpleClass(value)}[${hashedText(value)}] for field [${site.name}]`,
    )
  }
  const entries = Object.entries(value)
  if (entries.length > 5) {
    throw mapperParsing(`[meta] can't have more than 5 entries, but got ${entries.length} on field [${site.name}]`)
  }
  for (const [key] of entries) {
    if (key.length > 20) {
      throw mapperParsing(`[meta] keys can't be longer than 20 chars, but got [${key}] for field [${site.name}]`)
    }
  }
  const notes: Record<string, string> = newMembers()
  for (const [key, note] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (note === null) throw mapperParsing(`[meta] values can't be null (field [${site.name}])`)
    if (typeof note !== 'string') {
      throw mapperParsing(
        `[meta] values can only be strings, but got ${javaSimpleClass(note)}[${hashedText(note)}] for field [${site.name}]`,
      )
    }
    if (note.length > 50) {
      throw mapperParsing(`[meta] values can't be longer than 50 chars, but got [${note}] for field [${site.name}]`)
    }
    notes[key] = note
  }
  return { ...notes }
}

/** The object under a name, or Elasticsearch's error for another type. */
export function requireMap(value: unknown, complain: (javaType: string) => ApiError): Record<string, unknown> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw complain(javaClass(value))
}

/** The same where Elasticsearch casts without a check. */
export const castToMap = (value: unknown): Record<string, unknown> =>
  requireMap(value, (javaType) => failedCast(javaType, 'java.util.Map'))

export function castToList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw failedCast(javaClass(value), 'java.util.List')
}

export function castToString(value: unknown): string {
  if (typeof value === 'string') return value
  throw failedCast(javaClass(value), 'java.lang.String')
}

const failedCast = (from: string, to: string) =>
  new ApiError(
    400,
    'class_cast_exception',
    `class ${from} cannot be cast to class ${to} (${from} and ${to} are in module java.base of loader 'bootstrap')`,
  )

/** Values that a synthetic source would keep; our source is always stored. */
export const syntheticSourceKeep = () =>
  parameter('synthetic_source_keep', null, readSourceKeep, { updatable: true, hiddenByDefault: true })

export function readSourceKeep(value: unknown): string {
  const kept = hashedText(value)
  if (kept === 'none' || kept === 'arrays' || kept === 'all') return kept
  throw illegalArgument(`Unknown synthetic_source_keep value [${kept}], accepted values are [none,arrays,all]`)
}

/** Rejects members of an object definition that were not consumed. */
export function checkNoneLeft(what: string, left: Readonly<Record<string, unknown>>): void {
  const names = hashOrder(Object.keys(left))
  if (names.length === 0) return
  const shown = names.map((name) => ` [${name} : ${hashedText(left[name])}]`).join('')
  throw mapperParsing(`${what} has unsupported parameters: ${shown}`)
}
