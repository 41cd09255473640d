/** Scripts of requests become compiled ones: stored ones are looked up, limits are kept, and what was compiled is kept. */
import { ApiError, illegalArgument, resourceNotFound } from '../../base/api-error.ts'
import { type CompiledScript, type ContextName, compileScript, type DocValuesType } from '../painless/index.ts'
import type { Script } from './script.ts'
import { type ScriptSettings, scriptEnvironment } from './script-environment.ts'

/** Types of the fields a script reads: reads of known types need no look at the value. */
export type FieldTypes = (field: string) => DocValuesType | undefined

/** One script may be compiled for several sets of field types. */
interface Cached {
  readonly variants: Map<string, CompiledScript>
  fields: readonly string[]
}

const CACHE_MAX = 3_000

/** The least recently used first. */
const cache = new Map<string, Cached>()

export const scriptCounts = { compilations: 0, evictions: 0, limited: 0 }

/** Throws a script_exception where the source is no script of the context, or what forbids it. */
export function compile(
  script: Script,
  context: ContextName,
  fieldTypes?: FieldTypes,
  isLimited = true,
): CompiledScript {
  const { settings, stored } = scriptEnvironment()
  const isStored = script.id !== undefined
  const found = isStored ? stored(script.id!) : undefined
  if (isStored && found === undefined) {
    throw resourceNotFound(`unable to find script [${script.id}] in cluster state`)
  }
  const lang = found?.lang ?? script.lang
  const source = found?.source ?? script.source!
  if (lang !== 'painless') throw illegalArgument(`script_lang not supported [${lang}]`)
  checkAllowed(settings, isStored ? 'stored' : 'inline', context)
  const size = Buffer.byteLength(source)
  if (size > settings.maxSizeInBytes) {
    throw illegalArgument(
      `exceeded max allowed ${isStored ? 'stored' : 'inline'} script size in bytes [${settings.maxSizeInBytes}] with size ` +
        `[${size}] for script [${isStored ? script.id : source}]`,
    )
  }
  return cached(source, context, isLimited ? settings : { ...settings, maxCompilationsRate: undefined }, fieldTypes)
}

function checkAllowed(settings: ScriptSettings, type: string, context: string): void {
  const { allowedTypes, allowedContexts } = settings
  if (allowedTypes !== undefined && !allowedTypes.includes(type)) {
    throw illegalArgument(`cannot execute [${type}] scripts`)
  }
  if (allowedContexts !== undefined && !allowedContexts.includes(context)) {
    throw illegalArgument(`cannot execute scripts using [${context}] context`)
  }
}

function cached(
  source: string,
  context: ContextName,
  settings: ScriptSettings,
  fieldTypes: FieldTypes | undefined,
): CompiledScript {
  const { regex } = settings
  const key = `${context}\n${regex.enabled}\n${regex.limitFactor}\n${source}`
  let entry = cache.get(key)
  if (entry !== undefined) {
    cache.delete(key)
    cache.set(key, entry)
    const known = entry.variants.get(typesOf(entry.fields, fieldTypes))
    if (known !== undefined) return known
  }
  takeToken(settings)
  const compiled = compileScript({
    source,
    context,
    regex,
    ...(fieldTypes === undefined ? {} : { fieldType: fieldTypes }),
  })
  scriptCounts.compilations++
  if (entry === undefined) {
    entry = { variants: new Map(), fields: compiled.traits.fields }
    cache.set(key, entry)
    if (cache.size > CACHE_MAX) {
      cache.delete(cache.keys().next().value!)
      scriptCounts.evictions++
    }
  }
  entry.variants.set(typesOf(entry.fields, fieldTypes), compiled)
  return compiled
}

const typesOf = (fields: readonly string[], types: FieldTypes | undefined): string =>
  types === undefined ? '' : fields.map((field) => `${field}:${types(field)}`).join()

let tokens = Number.NaN
let refilledAt = 0
let rate = ''

/** A bucket that fills with the time: bursts are allowed, floods are not. */
function takeToken({ maxCompilationsRate: limit }: ScriptSettings): void {
  if (limit === undefined) return
  const now = performance.now()
  if (limit.text !== rate) {
    rate = limit.text
    tokens = limit.count
    refilledAt = now
  }
  tokens = Math.min(limit.count, tokens + ((now - refilledAt) * limit.count) / limit.ms)
  refilledAt = now
  if (tokens >= 1) {
    tokens--
    return
  }
  scriptCounts.limited++
  throw new ApiError(
    429,
    'circuit_breaking_exception',
    `[script] Too many dynamic script compilations within, max: [${limit.text}]; please use indexed, or scripts with parameters ` +
      'instead; this limit can be changed by the [script.max_compilations_rate] setting',
    { details: { bytes_wanted: 0, bytes_limit: 0, durability: 'TRANSIENT' } },
  )
}

/** Forgets what was compiled: the settings have changed. */
export function clearScripts(): void {
  cache.clear()
  rate = ''
}
