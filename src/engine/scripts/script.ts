/** A script as a request or a mapping names it: its source, or the id of a stored one, with its parameters. */
import { illegalArgument, parseFailure } from '../../base/api-error.ts'
import { illegalCompilerOptions } from '../../base/errors/script-errors.ts'

export interface Script {
  /** Undefined for a stored script. */
  readonly source: string | undefined
  /** Names a stored script. */
  readonly id: string | undefined
  readonly lang: string
  readonly params: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, string>>
}

export const DEFAULT_LANG = 'painless'
/** The option that marks a source given as an object. */
export const JSON_SOURCE = { content_type: 'application/json;charset=utf-8' }

export const inlineScript = (source: string, params: Readonly<Record<string, unknown>> = {}): Script => ({
  source,
  id: undefined,
  lang: DEFAULT_LANG,
  params,
  options: {},
})

/** Rules between the members of a script. */
export function checkedScript(given: Omit<Script, 'lang'> & { readonly lang: string | undefined }): Script {
  const { source, id, lang, params, options } = given
  if (source === undefined && id === undefined) {
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script')
  }
  if (id !== undefined) {
    if (lang !== undefined) throw illegalArgument('illegally specified <lang> for a stored script')
    if (Object.keys(options).length > 0) {
      throw illegalArgument('field [options] cannot be specified using a stored script')
    }
  } else {
    const unknown = Object.entries(options).filter(([name]) => name !== 'content_type')
    if (unknown.length > 0) throw illegalCompilerOptions(unknown)
  }
  return { source, id, lang: lang ?? DEFAULT_LANG, params, options }
}

export const oneOfSourceAndId = () => illegalArgument('must only use one of [source, id] when specifying a script')

/** A script that was read as a plain value, as those of mappings are. The rules are stricter than in a search. */
export function scriptOf(value: unknown): Script {
  if (typeof value === 'string') return inlineScript(value)
  if (!isObject(value)) throw illegalArgument('Script value should be a String or a Map')
  for (const [name, member] of Object.entries(value)) {
    const type = MEMBER_TYPES[name]
    if (type === undefined) throw parseFailure(`Unsupported field [${name}]`)
    if (member === null || member === undefined) continue
    const fits = type === 'String' ? typeof member === 'string' : isObject(member)
    if (!fits) throw parseFailure(`Value must be of type ${type}: [${name}]`)
  }
  const { source, id, lang, params, options } = value as { [K in keyof Script]?: never }
  if ((source ?? id ?? undefined) === undefined) {
    throw parseFailure('Expected one of [source] or [id] fields, but found none')
  }
  return checkedScript({
    source: (id ?? undefined) === undefined ? source : undefined,
    id: id ?? undefined,
    lang: lang ?? undefined,
    params: params ?? {},
    options: options ?? {},
  })
}

const MEMBER_TYPES: Readonly<Record<string, 'String' | 'Map' | undefined>> = {
  __proto__: null as never,
  source: 'String',
  id: 'String',
  lang: 'String',
  params: 'Map',
  options: 'Map',
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
