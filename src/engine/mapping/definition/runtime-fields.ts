/** The `runtime` section: fields computed at search time. The mapping stores and shows their definitions. */

import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { mapperParsing, noHandlerForRuntimeType } from '../../../base/errors/mapping-errors.ts'
import type { ContextName } from '../../painless/index.ts'
import { compile } from '../../scripts/compile-script.ts'
import { scriptOf } from '../../scripts/script.ts'
import { compileDateFormat } from '../../time/format/date-format.ts'
import { javaText } from '../../values/java-text.ts'
import { checkLookup } from './lookup.ts'
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
  lookup: ['meta', 'target_index', 'input_field', 'target_field', 'fetch_fields'],
}

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
    field[key] = key === 'script' && typeof given === 'string' ? { source: given, lang: 'painless' } : given
  }
  if (typeName === 'composite' && field['script'] === undefined) {
    throw illegalArgument(`composite runtime field [${name}] must declare a [script]`)
  }
  if (typeName === 'lookup') {
    field['target_field'] ??= '_id'
    checkLookup(name, field)
  }
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

/** An error in the script is an error of the definition, whether the field is used or not. */
function checkScript(value: unknown, type: string): void {
  const script = scriptOf(value)
  if (script.id !== undefined) throw illegalArgument(`stored scripts are not supported but got id [${script.id}]`)
  compile(script, `${type}_field` as ContextName, undefined, false)
}
