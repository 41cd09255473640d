/** The script contexts, as `_script_context` and `_script_language` list them. */
import { illegalArgument } from '../../base/api-error.ts'
import { contextDefinition, contextNames, isContextName, painlessContext } from '../../engine/painless/index.ts'

/** Contexts of Elasticsearch that no request of this service uses. */
const OTHER_CONTEXTS = ['double_values', 'geometry_field', 'ingest_template', 'template']

const allContexts = (): string[] => [...contextNames(), ...OTHER_CONTEXTS].sort()

interface Method {
  readonly name: string
  readonly return_type: string
  readonly params: readonly { readonly type: string; readonly name: string }[]
}

/** Every context with its methods: the one that runs the script, and a getter for each variable. */
export function scriptContexts(): { contexts: { name: string; methods: Method[] }[] } {
  const contexts = [...contextNames()].sort().map((name) => {
    const { returns, variables } = contextDefinition(name)
    const params = variables.filter(({ parameter }) => parameter === true)
    const getters = variables.filter(({ parameter }) => parameter !== true)
    const methods: Method[] = [
      {
        name: 'execute',
        return_type: returns,
        params: params.map(({ type, name: param }) => ({ type, name: param })),
      },
      ...getters.map(({ name: variable, type }) => ({ name: getterName(variable), return_type: type, params: [] })),
    ]
    return { name, methods: methods.sort((a, b) => (a.name < b.name ? -1 : 1)) }
  })
  return { contexts }
}

const getterName = (variable: string): string =>
  variable.startsWith('_') ? `get${variable}` : `get${variable[0]!.toUpperCase()}${variable.slice(1)}`

export function scriptLanguages() {
  return {
    types_allowed: ['inline', 'stored'],
    language_contexts: [{ language: 'painless', contexts: allContexts() }],
  }
}

/** The names of the contexts, or what scripts of one context may use. */
export function painlessContexts(context: string | undefined): unknown {
  if (context === undefined) return { contexts: allContexts() }
  if (!isContextName(context)) throw illegalArgument(`script context [${context}] not found`)
  return painlessContext(context)
}
