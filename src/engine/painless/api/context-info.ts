/** What scripts of a context may use, as `_scripts/painless/_context` describes it. */
import { type ContextName, contextDefinition } from '../contexts/context.ts'
import { type ApiClass, type ApiField, type ApiMethod, apiClass, apiClassNames } from './api-lines.ts'

/** The class of the methods that Painless adds to classes of Java. */
const ADDED_BY = 'org.elasticsearch.painless.api.Augmentation'
const DEF = 'org.elasticsearch.painless.lookup.def'
const VECTOR_UTILITIES = 'org.elasticsearch.script.VectorScoreScriptUtils'
const SCORE_SCRIPT = 'org.elasticsearch.script.ScoreScript'
const SCORE_UTILITIES = 'org.elasticsearch.script.ScoreScriptUtils'

/** `java.util.Map.Entry` is `java.util.Map$Entry` in Java. */
function javaName(name: string): string {
  const at = name.search(/(?<=\.|^)[A-Z]/)
  return at < 0 ? name : name.slice(0, at) + name.slice(at).replaceAll('.', '$')
}

interface Listed {
  readonly contexts: ReadonlySet<string> | undefined
}

const isIn = (context: string) => (member: Listed) => member.contexts === undefined || member.contexts.has(context)

const byText =
  <T>(text: (value: T) => string) =>
  (a: T, b: T) => {
    const [left, right] = [text(a), text(b)]
    return left < right ? -1 : left > right ? 1 : 0
  }

const signature = ({ name, params }: ApiMethod) => `${name} ${params.length} ${params.join(' ')}`

function classInfo(context: string, type: ApiClass) {
  const own = isIn(context)
  const methods = (list: ReadonlyMap<string, ApiMethod>) =>
    [...list.values()].filter(own).sort(byText(signature)).map(methodInfo)
  const fields = (list: ReadonlyMap<string, ApiField>) =>
    [...list.values()]
      .filter(own)
      .sort(byText(({ name }) => name))
      .map(({ name, owner, type: of }) => ({ declaring: javaName(owner), name, type: javaName(of) }))
  return {
    name: javaName(type.name),
    imported: type.shortName !== undefined,
    constructors: [...type.constructors.values()]
      .filter(own)
      .sort(byText(signature))
      .map(({ owner, params }) => ({ declaring: javaName(owner), parameters: params.map(javaName) })),
    static_methods: methods(type.statics),
    methods: methods(type.methods),
    static_fields: fields(type.staticFields),
    fields: fields(type.fields),
  }
}

const declaring = ({ owner, isAdded }: ApiMethod) => {
  if (isAdded === true) return ADDED_BY
  return owner === 'java.lang.Exception' ? 'java.lang.Throwable' : javaName(owner)
}

const methodInfo = (method: ApiMethod) => ({
  declaring: declaring(method),
  name: method.name,
  return: javaName(method.returns),
  parameters: method.params.map(javaName),
})

/** Classes, members and functions of a context. */
export function painlessContext(context: ContextName) {
  const { functions } = contextDefinition(context)
  const scoring = functions.filter(({ name }) => name !== 'field' && name !== 'metadata')
  return {
    name: context,
    classes: apiClassNames()
      .map((name) => apiClass(name)!)
      .filter(isIn(context))
      .map((type) => classInfo(context, type))
      .sort(byText(({ name }) => name)),
    imported_methods: scoring
      .filter(({ name }) => IMPORTED.has(name))
      .map(({ name, returns, params }) => ({
        declaring: SCORE_UTILITIES,
        name,
        return: returns,
        parameters: params.map(javaName),
      })),
    class_bindings: scoring
      .filter(({ name }) => !IMPORTED.has(name))
      .map(({ name, returns, params, constants }) => bindingInfo(context, name, returns, params, constants ?? 0))
      .sort(byText(({ name, parameters }) => `${name} ${parameters.length}`)),
    instance_bindings: [],
  }
}

/** Functions that keep no state. */
const IMPORTED: ReadonlySet<string> = new Set(['saturation', 'sigmoid'])

/** Functions that keep state get the script as their first argument, except for those of decay. */
function bindingInfo(
  context: ContextName,
  name: string,
  returns: string,
  params: readonly string[],
  constants: number,
) {
  const isDecay = name.startsWith('decay')
  const script = SCRIPTS[context]
  const scriptParameter = isDecay || script === undefined ? [] : [script]
  return {
    declaring: declaringOf(name, className(name, params.length), script),
    name,
    return: returns,
    read_only: constants + scriptParameter.length,
    parameters: [...scriptParameter, ...params.map((param) => (param === 'def' ? DEF : javaName(param)))],
  }
}

/** The class of a function has its name, with a few exceptions. */
function className(name: string, paramCount: number): string {
  if (name === 'randomScore') return paramCount === 1 ? 'RandomScoreDoc' : 'RandomScoreField'
  return name[0]!.toUpperCase() + name.slice(1).replace('norm', 'Norm')
}

function declaringOf(name: string, ownClass: string, script: string | undefined): string {
  if (script !== undefined && script !== SCORE_SCRIPT) return `${script}$${ownClass}`
  const isOfScores = name.startsWith('decay') || name === 'randomScore'
  return `${isOfScores ? SCORE_UTILITIES : VECTOR_UTILITIES}$${ownClass}`
}

/** The class of the scripts of a context. */
const SCRIPTS: Readonly<Partial<Record<ContextName, string>>> = {
  boolean_field: 'org.elasticsearch.script.BooleanFieldScript',
  composite_field: 'org.elasticsearch.script.CompositeFieldScript',
  date_field: 'org.elasticsearch.script.DateFieldScript',
  double_field: 'org.elasticsearch.script.DoubleFieldScript',
  geo_point_field: 'org.elasticsearch.script.GeoPointFieldScript',
  ip_field: 'org.elasticsearch.script.IpFieldScript',
  keyword_field: 'org.elasticsearch.script.StringFieldScript',
  long_field: 'org.elasticsearch.script.LongFieldScript',
  painless_test: SCORE_SCRIPT,
  score: SCORE_SCRIPT,
}
