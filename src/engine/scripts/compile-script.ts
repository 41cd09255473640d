/** Compiles the scripts of requests: looks up stored scripts, enforces limits, and caches compiled scripts. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { scriptLanguageNotSupported, storedScriptMissing } from '../../base/errors/script-errors.ts'
import { Double } from '../../base/json/json-writer.ts'
import { compileExpression, EXPRESSION_CONTEXTS } from '../expressions/compile-expression.ts'
import {
  type CompiledScript,
  type ContextName,
  compileScript,
  type DocValuesType,
  type ParamType,
  type RegexSettings,
} from '../painless/index.ts'
import type { CompilationRate, ScriptSettings } from '../running/script-settings.ts'
import type { Script } from './script.ts'
import { collectsScriptCosts, timedScript } from './script-cost.ts'
import { scriptEnvironment } from './script-environment.ts'
import { countCompilation, countEviction, countLimited, mayCompile } from './script-ledger.ts'
import { noteScriptRun } from './script-use.ts'

/** The types of the fields that a script reads. Reads of a known type need no check of the value. */
export type FieldTypes = (field: string) => DocValuesType | undefined

interface Types {
  readonly field: FieldTypes | undefined
  readonly param: (name: string) => ParamType | undefined
}

/** A cached script. It may be compiled for several sets of field types. */
interface Cached {
  readonly variants: Map<string, CompiledScript>
  readonly fields: readonly string[]
  readonly params: readonly string[]
  usedMs: number
}

/** In order of use, the least recently used first. */
const cache = new Map<string, Cached>()

const LANGUAGES: ReadonlySet<string> = new Set(['painless', 'expression'])

/** A script with its source, after the lookup and the check of permissions. */
interface Found {
  readonly source: string
  readonly lang: string
  readonly type: 'inline' | 'stored'
  /** The name of the script in errors. */
  readonly name: string
}

/**
 * Compiles a script. Throws a script_exception if the source is no valid script of the context, and an ApiError if
 * scripts of this kind are not allowed.
 */
export function compile(
  script: Script,
  context: ContextName,
  fieldTypes?: FieldTypes,
  isLimited = true,
): CompiledScript {
  // Runtime fields may have their values already.
  if (!context.endsWith('_field')) noteScriptRun()
  const environment = scriptEnvironment()
  const { settings } = environment
  const isStored = script.id !== undefined
  const kept = isStored ? environment.stored(script.id!) : undefined
  if (isStored && kept === undefined) {
    throw storedScriptMissing(script.id)
  }
  const lang = kept?.lang ?? script.lang
  const source = kept?.source ?? script.source!
  if (!LANGUAGES.has(lang)) throw scriptLanguageNotSupported(lang)
  const type = isStored ? 'stored' : 'inline'
  const found: Found = { source, lang, type, name: isStored ? script.id! : source }
  if (lang === 'expression' && context === 'update') throw noExpressionUpdate(type)
  checkAllowed(settings, type, context)
  checkScriptSize(settings, found, Buffer.byteLength(source))
  const types: Types = { field: fieldTypes, param: (name) => paramType(script.params[name]) }
  const compiled = cached(found, context, settings, types, isLimited ? settings.maxCompilationsRate : undefined)
  return collectsScriptCosts() && !context.endsWith('_field') ? timedScript(found.name, compiled) : compiled
}

export function checkScriptSize(
  { maxSizeInBytes }: Pick<ScriptSettings, 'maxSizeInBytes'>,
  { type, name }: Pick<Found, 'type' | 'name'>,
  size: number,
): void {
  if (size <= maxSizeInBytes) return
  throw illegalArgument(
    `exceeded max allowed ${type} script size in bytes [${maxSizeInBytes}] with size [${size}] for script [${name}]`,
  )
}

function checkAllowed({ allowedTypes, allowedContexts }: ScriptSettings, type: string, context: string): void {
  if (allowedTypes !== undefined && !allowedTypes.includes(type)) {
    throw illegalArgument(`cannot execute [${type}] scripts`)
  }
  if (allowedContexts !== undefined && !allowedContexts.includes(context)) {
    throw illegalArgument(`cannot execute scripts using [${context}] context`)
  }
}

function cached(
  found: Found,
  context: ContextName,
  settings: ScriptSettings,
  types: Types,
  rate: CompilationRate | undefined,
): CompiledScript {
  const { regex, cacheExpireMs } = settings
  const { source, lang } = found
  const key = `${lang}\n${context}\n${regex.enabled}\n${regex.limitFactor}\n${source}`
  const now = cacheExpireMs > 0 ? performance.now() : 0
  let entry = cache.get(key)
  if (entry !== undefined && cacheExpireMs > 0 && now - entry.usedMs > cacheExpireMs) entry = undefined
  if (entry !== undefined) {
    cache.delete(key)
    cache.set(key, entry)
    entry.usedMs = now
    const known = entry.variants.get(typesOf(entry, types))
    if (known !== undefined) return known
  }
  if (rate !== undefined && !mayCompile(rate)) throw tooManyCompilations(found, rate)
  const compiled = lang === 'expression' ? expression(found, context) : painless(source, context, regex, types)
  countCompilation()
  if (entry === undefined) {
    const { fields, params } = compiled.traits
    entry = { variants: new Map(), fields, params, usedMs: now }
    cache.set(key, entry)
    evict(settings.cacheMaxSize)
  }
  entry.variants.set(typesOf(entry, types), compiled)
  return compiled
}

function painless(source: string, context: ContextName, regex: RegexSettings, types: Types): CompiledScript {
  return compileScript({
    source,
    context,
    regex,
    paramType: types.param,
    ...(types.field === undefined ? {} : { fieldType: types.field }),
  })
}

function expression(found: Found, context: ContextName): CompiledScript {
  const compiled = compileExpression(found.source, context)
  if (EXPRESSION_CONTEXTS.includes(context)) return compiled
  const cause = illegalArgument(`expression engine does not know how to handle script context [${context}]`)
  throw failedToCompile(found, 400, cause)
}

const noExpressionUpdate = (type: string) =>
  new ApiError(
    400,
    'unsupported_operation_exception',
    `scripts of type [${type}], operation [update] and lang [expression] are not supported`,
  )

function evict(maxSize: number): void {
  for (const key of cache.keys()) {
    if (cache.size <= Math.max(1, maxSize)) return
    cache.delete(key)
    countEviction()
  }
}

const typesOf = ({ fields, params }: Cached, types: Types): string =>
  [...fields.map((field) => `${field}:${types.field?.(field)}`), ...params.map((name) => types.param(name))].join()

function paramType(value: unknown): ParamType | undefined {
  if (typeof value === 'bigint') return 'long'
  if (value instanceof Double) return 'double'
  if (typeof value !== 'number') return undefined
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'double'
  return (value | 0) === value ? 'int' : 'long'
}

function tooManyCompilations(found: Found, { text }: CompilationRate): ApiError {
  countLimited()
  const cause = new ApiError(
    429,
    'circuit_breaking_exception',
    `[script] Too many dynamic script compilations within, max: [${text}]; please use indexed, or scripts with parameters ` +
      'instead; this limit can be changed by the [script.max_compilations_rate] setting',
    { details: { bytes_wanted: 0, bytes_limit: 0, durability: 'TRANSIENT' } },
  )
  return failedToCompile(found, 500, cause)
}

function failedToCompile({ type, name, lang }: Found, status: number, cause: ApiError): ApiError {
  const reason = `Failed to compile ${type} script [${name}] using lang [${lang}]`
  return new ApiError(status, 'general_script_exception', reason, { causedBy: cause, rootCauses: [cause] })
}
