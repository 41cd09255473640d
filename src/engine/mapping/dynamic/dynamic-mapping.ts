/** The type of a value of an unmapped field: by the mapping's templates, its detection rules, or its JSON type. */
import { illegalArgument } from '../../../base/api-error.ts'
import { compileDateFormat } from '../../time/format/date-format.ts'
import { tryParseDouble } from '../../values/java-number.ts'
import type { RootSettings } from '../definition/root-settings.ts'
import { DEFAULT_DATE_FORMAT } from '../field-types/date.ts'
import {
  DEFAULT_RUNTIME_TYPE,
  DEFAULT_TYPE,
  type DynamicTemplate,
  type JsonKind,
  templateDefinition,
  templateMatches,
} from './dynamic-templates.ts'

type Definition = Record<string, unknown>

/** A definition under `properties`, or one of the `runtime` section. */
export interface DynamicField {
  readonly definition: Definition
  readonly isRuntime: boolean
}

const SLASH_DATES = 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'

/** The kind of a text value, and the date format that recognized it. */
export function textKind(settings: RootSettings, text: string): { kind: JsonKind; format?: string } {
  const isLong = isJavaLong(text)
  const isDouble = isLong || tryParseDouble(text) !== undefined
  if (settings.numericDetection === true && isLong) return { kind: 'long' }
  if (settings.numericDetection === true && isDouble) return { kind: 'double' }
  // Plain numbers are too often years and ids to be taken for dates.
  if (!isDouble && settings.dateDetection !== false) {
    for (const format of settings.dynamicDateFormats ?? [DEFAULT_DATE_FORMAT, SLASH_DATES]) {
      if (format !== 'none' && compileDateFormat(format).accepts(text)) return { kind: 'date', format }
    }
  }
  return { kind: 'string' }
}

function isJavaLong(text: string): boolean {
  if (!/^[+-]?\d+$/.test(text)) return false
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value
}

export interface NewField {
  readonly path: string
  readonly name: string
  readonly kind: JsonKind
  /** For dates: the format that recognized it. */
  readonly format?: string | undefined
  /** The template that the request names for this field. */
  readonly templateName?: string | undefined
  /** Whether the enclosing object has `dynamic: runtime`. */
  readonly asRuntime: boolean
}

export function dynamicField(settings: RootSettings, field: NewField): DynamicField {
  const template = findTemplate(settings, field)
  if (template !== undefined) return fromTemplate(template, field)
  if (field.asRuntime && field.kind !== 'object') {
    const definition: Definition = { type: DEFAULT_RUNTIME_TYPE[field.kind] }
    if (field.kind === 'date') addFormat(definition, field, false)
    return { isRuntime: true, definition }
  }
  return { isRuntime: false, definition: defaultDefinition(field) }
}

/** A matching template for objects: checked before arrays and objects are taken apart. */
export function objectFromTemplate(settings: RootSettings, field: NewField): DynamicField | undefined {
  const template = findTemplate(settings, field)
  return template === undefined ? undefined : fromTemplate(template, field)
}

function defaultDefinition(field: NewField): Definition {
  if (field.kind === 'string') {
    return { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }
  }
  const definition: Definition = { type: DEFAULT_TYPE[field.kind] }
  if (field.kind === 'date') addFormat(definition, field, true)
  return definition
}

/** The format that recognized a date becomes its format, unless it is the default. */
function addFormat(definition: Definition, field: NewField, withLocale: boolean): void {
  if (field.format === undefined || field.format === DEFAULT_DATE_FORMAT || definition['format'] !== undefined) return
  definition['format'] = field.format
  if (withLocale && field.format === SLASH_DATES) definition['locale'] = ''
}

function findTemplate(settings: RootSettings, field: NewField): DynamicTemplate | undefined {
  const templates = settings.dynamicTemplates ?? []
  if (field.templateName !== undefined) {
    const named = templates.find((template) => template.name === field.templateName)
    if (named !== undefined) return named
    throw illegalArgument(
      `Can't find dynamic template for dynamic template name [${field.templateName}] of field [${field.path}]`,
    )
  }
  return templates.find((template) => templateMatches(template, field.path, field.name, field.kind))
}

function fromTemplate(template: DynamicTemplate, field: NewField): DynamicField {
  const dynamicType = template.isRuntime
    ? (DEFAULT_RUNTIME_TYPE[field.kind] ?? DEFAULT_TYPE[field.kind])
    : DEFAULT_TYPE[field.kind]
  const definition: Definition = { ...templateDefinition(template, field.name, dynamicType) }
  if (field.kind === 'date' && definition['type'] === 'date') addFormat(definition, field, !template.isRuntime)
  return { isRuntime: template.isRuntime, definition }
}
