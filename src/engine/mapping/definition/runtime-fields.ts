/** The `runtime` section: fields computed at search time. The mapping stores and shows their definitions. */

import { illegalArgument, illegalState, parseFailure } from '../../../base/api-error.ts'
import { mapperParsing, noHandlerForRuntimeType } from '../../../base/errors/mapping-errors.ts'
import type { ContextName } from '../../painless/index.ts'
import { compile } from '../../scripts/compile-script.ts'
import { type Script, scriptOf } from '../../scripts/script.ts'
import { compileDateFormat } from '../../time/format/date-format.ts'
import { hashedEntries, hashedText, javaSimpleClass } from '../../values/java-text.ts'
import { lookupMembers } from './lookup.ts'
import { readMeta, requireMap } from './parameter.ts'

export type RuntimeFieldDefinition = Readonly<Record<string, unknown>> & { readonly type: string }

/** Undefined for a field that the update removes. */
export type RuntimeFields = ReadonlyMap<string, RuntimeFieldDefinition | undefined>

const COMMON = ['script', 'on_script_error', 'meta']

/** Parameters by type, in print order. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  boolean: COMMON,
  date: [...COMMON, 'format', 'locale'],
  double: COMMON,
  geo_point: COMMON,
  ip: COMMON,
  keyword: COMMON,
  long: COMMON,
  composite: ['script', 'on_script_error', 'fields', 'meta'],
  lookup: ['meta', 'target_index', 'input_field', 'target_field', 'fetch_fields'],
}

export function parseRuntimeFields(value: unknown): RuntimeFields {
  const definitions = requireMap(value, () => parseFailure('runtime must be a map type'))
  const fields = new Map<string, RuntimeFieldDefinition | undefined>()
  for (const [name, definition] of hashedEntries(definitions)) {
    fields.set(name, definition === null ? undefined : parseRuntimeField(name, definition))
  }
  return fields
}

/** Throws if a field has the name of a sub-field of a composite. */
export function checkDistinct(definitions: RuntimeFields): void {
  for (const [name, definition] of definitions) {
    if (definition?.type !== 'composite') continue
    for (const subField of Object.keys((definition['fields'] ?? {}) as object)) {
      const full = `${name}.${subField}`
      if (definitions.get(full) !== undefined)
        throw illegalArgument(`Found two runtime fields with same name [${full}]`)
    }
  }
}

function parseRuntimeField(name: string, value: unknown): RuntimeFieldDefinition {
  const definition = requireMap(value, (javaType) =>
    mapperParsing(`Expected map for runtime field [${name}] definition but got a ${javaType}`),
  )
  const type = definition['type']
  if (type === undefined || type === null) throw mapperParsing(`No type specified for runtime field [${name}]`)
  const typeName = hashedText(type)
  const known = Object.hasOwn(PARAMETERS, typeName) ? PARAMETERS[typeName]! : undefined
  if (known === undefined) throw noHandlerForRuntimeType(typeName, name)

  const field: Record<string, unknown> = { type: typeName }
  for (const [key, given] of hashedEntries(definition)) {
    if (key === 'type') continue
    if (!known.includes(key)) {
      throw mapperParsing(`unknown parameter [${key}] on runtime field [${name}] of type [${typeName}]`)
    }
    if (given === null) {
      if (ACCEPT_NULL.has(key)) continue
      throw mapperParsing(`[${key}] on runtime field [${name}] of type [${typeName}] must not have a [null] value`)
    }
    field[key] = key === 'script' ? shownScript(given) : given
  }
  if (field['meta'] !== undefined) readMeta(field['meta'], { name })
  const script = field['script'] === undefined ? undefined : scriptOf(field['script'])
  if (typeName === 'composite') checkComposite(name, field)
  if (typeName === 'lookup') Object.assign(field, lookupMembers(name, field))
  const onError = field['on_script_error']
  if (onError !== undefined && onError !== 'fail' && onError !== 'continue') {
    throw mapperParsing(
      `Unknown value [${hashedText(onError)}] for field [on_script_error] - accepted values are [fail, continue]`,
    )
  }
  if (onError !== undefined && script === undefined) {
    throw illegalArgument('Field [on_script_error] requires field [script] to be configured')
  }
  if (script !== undefined) checkScript(name, script, typeName)
  if (typeof field['format'] === 'string') compileDateFormat(field['format'])
  return field as RuntimeFieldDefinition
}

const ACCEPT_NULL: ReadonlySet<string> = new Set(['format', 'locale'])

/** A composite has a script and sub-fields, which have none. */
function checkComposite(name: string, { script, fields }: Readonly<Record<string, unknown>>): void {
  const subFields = fields === undefined ? {} : requireObject(fields, name)
  const parsed = Object.entries(subFields).map(([subField, definition]) => {
    if (definition === null) {
      throw mapperParsing(
        `Runtime field [${subField}] was set to null but its removal is not supported in this context`,
      )
    }
    return [subField, parseRuntimeField(subField, definition)] as const
  })
  if (script === undefined) throw illegalArgument(`composite runtime field [${name}] must declare a [script]`)
  if (parsed.length === 0) throw illegalArgument(`composite runtime field [${name}] must declare its [fields]`)
  for (const [subField, { type, script: own }] of parsed) {
    if (type === 'composite') {
      throw illegalArgument(`Composite field [${subField}] cannot be a child of composite field [${name}]`)
    }
    if (type === 'lookup') {
      throw illegalState(`Found sub-fields with name not belonging to the parent field they are part of [${subField}]`)
    }
    if (own !== undefined) {
      throw illegalArgument(`Cannot use [script] parameter on sub-field [${subField}] of composite field [${name}]`)
    }
  }
}

const requireObject = (value: unknown, name: string) =>
  requireMap(value, () =>
    mapperParsing(
      `[fields] must be an object, got ${javaSimpleClass(value)}[${hashedText(value)}] for field [${name}]`,
    ),
  )

/** An error in the script is an error of the definition, whether the field is used or not. */
function checkScript(name: string, script: Script, type: string): void {
  if (script.id !== undefined) throw illegalArgument(`stored scripts are not supported for runtime field [${name}]`)
  compile(script, `${type}_field` as ContextName, undefined, false)
}

/** A script as mappings show it: with its language, and without options, which it cannot have. */
function shownScript(given: unknown): unknown {
  if (typeof given === 'string') return { source: given, lang: 'painless' }
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given
  const { source, lang = 'painless', options, ...others } = given as Record<string, unknown>
  return { ...(source === undefined ? {} : { source }), lang, ...others }
}
