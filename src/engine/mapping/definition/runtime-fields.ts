/** The `runtime` section: fields computed at search time. The mapping stores and shows their definitions. */

import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { mapperParsing, noHandlerForRuntimeType } from '../../../base/errors/mapping-errors.ts'
import type { ContextName } from '../../painless/index.ts'
import { compile } from '../../scripts/compile-script.ts'
import { scriptOf } from '../../scripts/script.ts'
import { compileDateFormat } from '../../time/format/date-format.ts'
import { javaSimpleClass, javaText } from '../../values/java-text.ts'
import { requireMap } from './parameter.ts'

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
}

/** Types whose values are those of a field of the same name in the mapping. */
const LEAF_TYPES = ['boolean', 'date', 'double', 'geo_point', 'ip', 'keyword', 'long']
/** Parameters for which null means that they are absent. */
const NULLABLE = ['format', 'locale']

export function parseRuntimeFields(value: unknown): RuntimeFields {
  const definitions = requireMap(value, () => parseFailure('runtime must be a map type'))
  const fields = new Map<string, RuntimeFieldDefinition | undefined>()
  for (const [name, definition] of Object.entries(definitions)) {
    fields.set(name, definition === null ? undefined : parseRuntimeField(name, definition))
  }
  return fields
}

function parseRuntimeField(name: string, value: unknown): RuntimeFieldDefinition {
  if (Array.isArray(value) && value.length === 0) throw mapperParsing(`No type specified for runtime field [${name}]`)
  const definition = requireMap(value, (javaType) =>
    mapperParsing(`Expected map for runtime field [${name}] definition but got a ${javaType}`),
  )
  const type = definition['type']
  if (type === undefined || type === null) throw mapperParsing(`No type specified for runtime field [${name}]`)
  const typeName = javaText(type)
  const known = Object.hasOwn(PARAMETERS, typeName) ? PARAMETERS[typeName]! : undefined
  if (known === undefined) throw noHandlerForRuntimeType(typeName, name)

  const field: Record<string, unknown> = { type: typeName }
  for (const [key, given] of Object.entries(definition)) {
    if (key === 'type') continue
    if (!known.includes(key)) {
      throw mapperParsing(`unknown parameter [${key}] on runtime field [${name}] of type [${typeName}]`)
    }
    if (given === null) {
      if (NULLABLE.includes(key)) continue
      throw mapperParsing(`[${key}] on runtime field [${name}] of type [${typeName}] must not have a [null] value`)
    }
    if (key === 'meta' || key === 'fields') {
      const shown = () => `got ${javaSimpleClass(given)}[${javaText(given)}] for field [${name}]`
      requireMap(given, () => mapperParsing(`[${key}] must be an object, ${shown()}`))
    }
    field[key] = key === 'script' && typeof given === 'string' ? { source: given, lang: 'painless' } : given
  }
  if (typeName === 'composite' && field['script'] === undefined) {
    throw illegalArgument(`composite runtime field [${name}] must declare a [script]`)
  }
  if (typeName === 'composite') checkSubFields(name, (field['fields'] ?? {}) as Record<string, unknown>)
  const onError = field['on_script_error']
  if (onError !== undefined && onError !== 'fail' && onError !== 'continue') {
    throw mapperParsing(
      `Unknown value [${javaText(onError)}] for field [on_script_error] - accepted values are [fail, continue]`,
    )
  }
  if (field['script'] !== undefined) checkScript(field['script'], typeName)
  if (typeof field['format'] === 'string') compileDateFormat(field['format'])
  return field as RuntimeFieldDefinition
}

/** A sub-field is a runtime field with a type and without a script: the script of the composite computes it. */
function checkSubFields(name: string, fields: Readonly<Record<string, unknown>>): void {
  if (Object.keys(fields).length === 0)
    throw illegalArgument(`composite runtime field [${name}] must declare its [fields]`)
  for (const [subField, definition] of Object.entries(fields)) {
    if (definition === null) {
      throw mapperParsing(
        `Runtime field [${subField}] was set to null but its removal is not supported in this context`,
      )
    }
    const { type, script } = parseRuntimeField(subField, definition)
    if (!LEAF_TYPES.includes(type)) {
      const kind = `${type[0]!.toUpperCase()}${type.slice(1)}`
      throw illegalArgument(`${kind} field [${subField}] cannot be a child of composite field [${name}]`)
    }
    if (script !== undefined) {
      throw illegalArgument(`Cannot use [script] parameter on sub-field [${subField}] of composite field [${name}]`)
    }
  }
}

/** An error in the script is an error of the definition, whether the field is used or not. */
function checkScript(value: unknown, type: string): void {
  const script = scriptOf(value)
  if (script.id !== undefined) throw illegalArgument(`stored scripts are not supported but got id [${script.id}]`)
  compile(script, `${type}_field` as ContextName, undefined, false)
}
