/**
 * Dynamic templates: the first one that matches a new field determines its mapping.
 */

import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { mapperParsing, nullValueInMapping, unknownMappingType } from '../../../base/errors/mapping-errors.ts'
import { compileJavaRegex, PatternSyntaxError, StepBudget } from '../../../base/java-regex/java-regex.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { newMembers } from '../../../base/json/members.ts'
import { javaText } from '../../values/java-text.ts'
import { parseProperties } from '../definition/mapping-parser.ts'
import { castToMap, requireMap } from '../definition/parameter.ts'
import { parseRuntimeFields } from '../definition/runtime-fields.ts'
import { leafDefinition } from '../field-type-registry.ts'
import type { MappingContext } from '../mapping-context.ts'
import { ObjectMapper } from '../object-mapper.ts'

/** The kinds of JSON values in dynamic mapping. */
export type JsonKind = 'object' | 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary'

const KINDS: readonly JsonKind[] = ['object', 'string', 'long', 'double', 'boolean', 'date', 'binary']

/** The mapping type of a new field without a matching template. */
export const DEFAULT_TYPE: Readonly<Record<JsonKind, string>> = {
  object: 'object',
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  binary: 'binary',
}

export const DEFAULT_RUNTIME_TYPE: Readonly<Partial<Record<JsonKind, string>>> = {
  string: 'keyword',
  long: 'long',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
}

export interface DynamicTemplate {
  readonly name: string
  /** The printed form. */
  readonly json: Readonly<Record<string, unknown>>
  readonly match: readonly string[]
  readonly unmatch: readonly string[]
  readonly pathMatch: readonly string[]
  readonly pathUnmatch: readonly string[]
  readonly isRegex: boolean
  readonly kinds: readonly JsonKind[]
  readonly isRuntime: boolean
  readonly mapping: Readonly<Record<string, unknown>>
}

export function parseDynamicTemplates(value: unknown, context: MappingContext): DynamicTemplate[] {
  if (!Array.isArray(value)) {
    throw mapperParsing('Dynamic template syntax error. An array of named objects is expected.')
  }
  const templates: DynamicTemplate[] = []
  for (const item of value) {
    if (item === null) {
      const reason = 'Cannot invoke "java.util.Map.size()" because "tmpl" is null'
      throw new ApiError(400, 'null_pointer_exception', reason)
    }
    const named = castToMap(item)
    const entries = Object.entries(named)
    if (entries.length !== 1) throw mapperParsing('A dynamic template must be defined with a name')
    const [name, definition] = entries[0]!
    const template = parseTemplate(name, definition)
    validateTemplate(template, context)
    templates.push(template)
  }
  return templates
}

const LISTS = ['match', 'path_match', 'unmatch', 'path_unmatch', 'match_mapping_type', 'unmatch_mapping_type'] as const
type ListName = (typeof LISTS)[number]

function parseTemplate(name: string, value: unknown): DynamicTemplate {
  const definition = requireMap(value, () => mapperParsing('A dynamic template must be defined with a name'))
  const lists = new Map<ListName, string[]>()
  let pattern: string | undefined
  let mapping: Record<string, unknown> | undefined
  let isRuntime = false
  for (const [key, given] of Object.entries(definition)) {
    const isList = (LISTS as readonly string[]).includes(key)
    if (given === null && (isList || key === 'match_pattern')) throw nullValueInMapping()
    if (isList) {
      lists.set(key as ListName, readList(key, given))
    } else if (key === 'match_pattern') pattern = javaText(given)
    else if (key === 'mapping' || key === 'runtime') {
      if (mapping !== undefined) {
        throw mapperParsing(`mapping and runtime cannot be both specified in the same dynamic template [${name}]`)
      }
      if (given === null) continue
      mapping = castToMap(given)
      isRuntime = key === 'runtime'
    } else throw illegalArgument(`Illegal dynamic template parameter: [${key}]`)
  }
  if (mapping === undefined) throw mapperParsing(`template [${name}] must have either mapping or runtime set`)

  const list = (key: ListName) => lists.get(key) ?? []
  const given = ['match', 'path_match', 'match_mapping_type', 'unmatch_mapping_type'] as const
  // A template without conditions applies only if a request names it.
  const kinds = given.every((key) => list(key).length === 0)
    ? []
    : templateKinds(name, list('match_mapping_type'), list('unmatch_mapping_type'), isRuntime)
  const isRegex = readPatternKind(pattern)
  if (isRegex) {
    for (const key of ['match', 'unmatch', 'path_match', 'path_unmatch'] as const) {
      for (const expression of list(key)) checkRegex(expression, name)
    }
  }
  const json: Record<string, unknown> = newMembers()
  for (const key of LISTS) {
    const items = lists.get(key)
    if (items !== undefined && items.length > 0) json[key] = items.length === 1 ? items[0] : items
  }
  if (pattern !== undefined) json['match_pattern'] = pattern
  json[isRuntime ? 'runtime' : 'mapping'] = mapping
  return {
    name,
    json,
    match: list('match'),
    unmatch: list('unmatch'),
    pathMatch: list('path_match'),
    pathUnmatch: list('path_unmatch'),
    isRegex,
    kinds,
    isRuntime,
    mapping,
  }
}

function readList(key: string, given: unknown): string[] {
  if (!Array.isArray(given)) return [javaText(given)]
  if (given.every((item) => typeof item === 'string')) return given
  throw mapperParsing(`[${key}] values must either be a string or list of strings, but was [${javaText(given)}]`)
}

function templateKinds(
  name: string,
  given: readonly string[],
  not: readonly string[],
  isRuntime: boolean,
): readonly JsonKind[] {
  const possible = isRuntime ? KINDS.filter((kind) => DEFAULT_RUNTIME_TYPE[kind] !== undefined) : KINDS
  let kinds: readonly JsonKind[] = possible
  if (given.length > 0 && !(given.length === 1 && given[0] === '*')) {
    kinds = given.map(readKind)
    for (const kind of isRuntime ? kinds : []) {
      if (!possible.includes(kind)) {
        throw mapperParsing(
          `Dynamic template [${name}] defines a runtime field but type [${kind}] is not supported as runtime field`,
        )
      }
    }
  }
  const excluded = not.map(readKind)
  return kinds.filter((kind) => !excluded.includes(kind))
}

function readKind(text: string): JsonKind {
  const kind = KINDS.find((candidate) => candidate === text)
  if (kind === undefined) {
    throw illegalArgument(`No field type matched on [${text}], possible values are [${KINDS.join(', ')}]`)
  }
  return kind
}

function readPatternKind(pattern: string | undefined): boolean {
  if (pattern === undefined || pattern === 'simple') return false
  if (pattern === 'regex') return true
  throw illegalArgument(`No matching pattern matched on [${pattern}]`)
}

function checkRegex(expression: string, template: string): void {
  try {
    compileJavaRegex(expression)
  } catch (error) {
    if (!(error instanceof PatternSyntaxError)) throw error
    throw illegalArgument(
      `Pattern [${expression}] of type [regex] is invalid. Cannot create dynamic template [${template}].`,
    )
  }
}

/** Whether the template applies to a field; `name` is the last part of `path`. */
export function templateMatches(template: DynamicTemplate, path: string, name: string, kind: JsonKind): boolean {
  const hit = (patterns: readonly string[], text: string) =>
    patterns.some((pattern) => (template.isRegex ? fullMatch(pattern, text) : simpleMatch(pattern, text)))
  if (template.pathMatch.length > 0 && !hit(template.pathMatch, path)) return false
  if (template.match.length > 0 && !hit(template.match, name)) return false
  if (hit(template.pathUnmatch, path) || hit(template.unmatch, name)) return false
  return template.kinds.includes(kind)
}

/** Steps that an expression may take for one field name. */
const STEPS_OF_NAME = 200_000

function fullMatch(pattern: string, name: string): boolean {
  const budget = new StepBudget(STEPS_OF_NAME, () =>
    illegalArgument(
      `The regular expression [${pattern}] of a dynamic template needs too many steps for the field [${name}]`,
    ),
  )
  return compileJavaRegex(pattern).matches(name, budget) !== undefined
}

/** A pattern in which `*` matches any run of characters. */
function simpleMatch(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  if (parts.length === 1) return pattern === text
  const first = parts[0]!
  const last = parts.at(-1)!
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  const limit = text.length - last.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > limit) return false
    at = found + part.length
  }
  return true
}

/**
 * The definition that a template creates for a field: `{name}` and `{dynamic_type}` substituted, with a type added if
 * missing.
 */
export function templateDefinition(template: DynamicTemplate, name: string, dynamicType: string) {
  const filled = fill(template.mapping, name, dynamicType) as Record<string, unknown>
  return filled['type'] === undefined ? { type: dynamicType, ...filled } : filled
}

function fill(value: unknown, name: string, dynamicType: string): unknown {
  if (typeof value === 'string') {
    return value
      .replaceAll('{name}', name)
      .replaceAll('{dynamic_type}', dynamicType)
      .replaceAll('{dynamicType}', dynamicType)
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, name, dynamicType))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fill(key, name, dynamicType), fill(item, name, dynamicType)]),
  )
}

/** A template must be valid for at least one of its kinds; one with `{name}` is not checked. */
function validateTemplate(template: DynamicTemplate, context: MappingContext): void {
  if (jsonText(template.mapping).includes('{name}')) return
  let lastError: ApiError | undefined
  for (const kind of template.kinds) {
    const dynamicType = template.isRuntime ? DEFAULT_RUNTIME_TYPE[kind]! : DEFAULT_TYPE[kind]
    try {
      tryTemplate(template, templateDefinition(template, `__dynamic__${template.name}`, dynamicType), context)
      return
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      lastError = error
    }
  }
  if (lastError === undefined) return
  throw illegalArgument(
    `dynamic template [${template.name}] has invalid content [${jsonText(template.json)}], ` +
      `attempted to validate it with the following match_mapping_type: [${template.kinds.join(', ')}]`,
    lastError,
  )
}

function tryTemplate(template: DynamicTemplate, definition: Record<string, unknown>, context: MappingContext): void {
  const name = `__dynamic__${template.name}`
  const type = javaText(definition['type'])
  if (template.isRuntime) {
    parseRuntimeFields({ [name]: definition })
    return
  }
  if (type !== 'object' && type !== 'nested' && type !== 'alias' && leafDefinition(type) === undefined) {
    throw unknownMappingType(type)
  }
  const empty = new ObjectMapper({ name: '', path: '', subobjects: false, children: new Map() })
  parseProperties(
    type === 'nested' || type === 'object' ? empty.with({ subobjects: undefined }) : empty,
    { [name]: definition },
    context,
  )
}

/** Unlike JSON.stringify, this prints integers of any size. */
function jsonText(value: unknown): string {
  return encodeJson(value).toString()
}
