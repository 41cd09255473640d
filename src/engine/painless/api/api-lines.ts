/**
 * Reads the generated list of classes. The text is split once. The members of a class are parsed when a script first
 * uses the class.
 */
import { classText, contextSets } from './api-data.generated.ts'

export interface ApiMethod {
  name: string
  /** The declaring class. */
  owner: string
  returns: string
  params: readonly string[]
  /** Painless adds the method to the Java class. */
  isAdded?: boolean
  /** The contexts in which the member is available; undefined for all contexts of its class. */
  contexts: ReadonlySet<string> | undefined
}

export interface ApiField {
  name: string
  owner: string
  type: string
  contexts: ReadonlySet<string> | undefined
}

export type ApiKind = 'class' | 'abstract' | 'interface' | 'enum' | 'primitive'

export interface ApiClass {
  name: string
  /** The name without package; undefined if scripts must write the full name. */
  shortName: string | undefined
  contexts: ReadonlySet<string> | undefined
  kind: ApiKind
  /** All super types, the nearest first. */
  supers: readonly string[]
  constructors: ReadonlyMap<number, ApiMethod>
  statics: ReadonlyMap<string, ApiMethod>
  methods: ReadonlyMap<string, ApiMethod>
  staticFields: ReadonlyMap<string, ApiField>
  fields: ReadonlyMap<string, ApiField>
}

const KINDS: Record<string, ApiKind> = { c: 'class', a: 'abstract', i: 'interface', e: 'enum', p: 'primitive' }

let lines: Map<string, string> | undefined
let names: string[] = []
const classes = new Map<string, ApiClass>()

function classLines(): Map<string, string> {
  if (lines === undefined) {
    const all = classText().trim().split('\n')
    names = all.map((line) => line.slice(0, line.indexOf(';')))
    lines = new Map(all.map((line, i) => [names[i]!, line]))
  }
  return lines
}

export function apiClassNames(): readonly string[] {
  classLines()
  return names
}

export function apiClass(name: string): ApiClass | undefined {
  const known = classes.get(name)
  if (known !== undefined) return known
  const line = classLines().get(name)
  if (line === undefined) return undefined
  const parsed = parseClass(line)
  classes.set(name, parsed)
  return parsed
}

/** The short name and the contexts of a class. Does not parse the members. */
export function apiShortName(name: string): {
  shortName: string | undefined
  contexts: ReadonlySet<string> | undefined
} {
  const second = classLines().get(name)!.split(';', 2)[1]!
  const [short, set] = second.split('@')
  return { shortName: shortNameOf(short!, name), contexts: contextSet(set) }
}

/**
 * Parses a line `name;short@contexts;kind;supers;constructors;statics;methods;static fields;fields;enum constants`.
 * Types are base 36 line numbers with a `+` per array dimension. A method is `name:returns,param,…@contexts`.
 * Constructors are `(param,param(param`. `*` marks methods that Painless adds to the Java class.
 */
function parseClass(line: string): ApiClass {
  const [name, second, kind, supers, constructors, statics, methods, staticFields, fields] = line.split(';')
  const [short, set] = second!.split('@')
  return {
    name: name!,
    shortName: shortNameOf(short!, name!),
    contexts: contextSet(set),
    kind: KINDS[kind!]!,
    supers: supers === '' ? [] : supers!.split(',').map(typeName),
    constructors: new Map(parseConstructors(constructors!, name!).map((m) => [m.params.length, m])),
    statics: methodMap(statics!, name!),
    methods: methodMap(methods!, name!),
    staticFields: fieldMap(staticFields!, name!),
    fields: fieldMap(fields!, name!),
  }
}

const shortNameOf = (short: string, name: string) => (short === '-' ? undefined : short === '=' ? name : short)

const contextSet = (number: string | undefined) =>
  number === undefined ? undefined : new Set(contextSets()[Number(number)]!.split(','))

function typeName(text: string): string {
  const base = text.replace(/\++$/, '')
  const dimensions = '[]'.repeat(text.length - base.length)
  if (base === 'def') return base + dimensions
  return (base.startsWith('!') ? base.slice(1) : names[Number.parseInt(base, 36)]!) + dimensions
}

function parseConstructors(text: string, owner: string): ApiMethod[] {
  if (text === '') return []
  return text
    .slice(1)
    .split('(')
    .map((one) => {
      const [params, set] = one.split('@')
      return {
        name: '<init>',
        owner,
        returns: owner,
        params: params === '' ? [] : params!.split(',').map(typeName),
        contexts: contextSet(set),
      }
    })
}

function methodMap(text: string, owner: string): Map<string, ApiMethod> {
  const map = new Map<string, ApiMethod>()
  if (text === '') return map
  for (const one of text.split(' ')) {
    const [signature, set] = one.split('@')
    const [marked, types] = signature!.split(':')
    const [returns, ...params] = types!.split(',').map(typeName)
    const isAdded = marked!.startsWith('*')
    const name = isAdded ? marked!.slice(1) : marked!
    map.set(`${name}/${params.length}`, { name, owner, returns: returns!, params, isAdded, contexts: contextSet(set) })
  }
  return map
}

function fieldMap(text: string, owner: string): Map<string, ApiField> {
  const map = new Map<string, ApiField>()
  if (text === '') return map
  for (const one of text.split(' ')) {
    const [signature, set] = one.split('@')
    const [name, type] = signature!.split(':')
    map.set(name!, { name: name!, owner, type: typeName(type!), contexts: contextSet(set) })
  }
  return map
}
