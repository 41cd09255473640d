/** Parses the tables, loaders and lookups of `jdbc_static`. All mistakes are reported together. */
import type { ConfigHash, ConfigValue } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import type { LocalTable } from './local-tables.ts'
import { countPositions } from './named-parameters.ts'

export interface LoaderDefinition {
  readonly id: string
  readonly table: string
  readonly query: string
  readonly rowsMax: number
  readonly connectionString: string | undefined
  readonly user: string | undefined
  readonly password: string | undefined
}

export interface LookupDefinition {
  readonly id: string
  readonly query: string
  readonly target: string
  /** Named parameters, or undefined if they are numbered. */
  readonly names: readonly string[] | undefined
  readonly parameters: readonly string[]
  readonly defaultHash: ConfigHash | undefined
  readonly failureTags: readonly string[]
  readonly defaultTags: readonly string[]
}

const ROWS_MAX = 1_000_000

/** The hashes of an option; other values are reported as mistakes. */
function hashOf(value: ConfigValue): ConfigHash | undefined {
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined
}

function textOf(value: ConfigValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

class Mistakes {
  readonly #found: string[] = []

  add(mistake: string): void {
    this.#found.push(mistake)
  }

  check(option: string): void {
    if (this.#found.length > 0) throw new PluginOptionError(`${option}: ${this.#found.join(', ')}`)
  }
}

/** Unknown names are reported, because they would be ignored silently. */
function checkNames(hash: ConfigHash, known: readonly string[], what: string, mistakes: Mistakes): void {
  for (const name of Object.keys(hash)) {
    if (!known.includes(name)) mistakes.add(`Unknown setting '${name}' for ${what}`)
  }
}

export function tableDefinitions(given: readonly ConfigValue[]): LocalTable[] {
  const mistakes = new Mistakes()
  const tables = given.map((value): LocalTable => {
    const hash = hashOf(value)
    if (hash === undefined) mistakes.add('DbObject options must be a Hash')
    const name = textOf(hash?.['name'])
    if (hash !== undefined && name === undefined) mistakes.add("DbObject options must include a 'name' string")
    if (hash !== undefined) {
      const known = ['name', 'columns', 'index_columns', 'preserve_existing']
      checkNames(hash, known, `local_db_objects '${name ?? 'unnamed'}'`, mistakes)
    }
    const columns = columnsOf(hash?.['columns'], name ?? 'unnamed', mistakes)
    const wanted = hash?.['index_columns']
    const indexColumns = (Array.isArray(wanted) ? wanted : wanted === undefined ? [] : [wanted]).map(String)
    for (const column of indexColumns) {
      if (columns.some(([known]) => known === column)) continue
      mistakes.add(`The index_columns element: '${column}' must be a column defined in the columns array`)
    }
    return { name: name ?? 'unnamed', columns, indexColumns }
  })
  mistakes.check('local_db_objects')
  return tables
}

function columnsOf(given: ConfigValue | undefined, table: string, mistakes: Mistakes): [string, string][] {
  if (!Array.isArray(given)) {
    mistakes.add(`DbObject options for '${table}' must include a 'columns' array`)
    return []
  }
  if (given.some((column) => !Array.isArray(column) || column.length !== 2)) {
    mistakes.add(`The columns array for '${table}' is not uniform, it should contain arrays of two strings only`)
    return []
  }
  return given.map((column): [string, string] => {
    const [name, type] = column as ConfigValue[]
    if (typeof type !== 'string' || !/^[A-Za-z][\w ]*(?:\([\d, ]+\))?[\w ]*$/.test(type)) {
      mistakes.add(`The column datatype for '${String(name)}' must be the name of a type, not '${String(type)}'`)
    }
    return [String(name), String(type)]
  })
}

export function loaderDefinitions(given: readonly ConfigValue[]): LoaderDefinition[] {
  const mistakes = new Mistakes()
  const loaders = given.map((value): LoaderDefinition => {
    const hash = hashOf(value) ?? {}
    const table = textOf(hash['local_table'])
    const query = textOf(hash['query'])
    if (table === undefined) mistakes.add("The options must include a 'local_table' string")
    if (query === undefined) mistakes.add(`The options for '${table ?? ''}' must include a 'query' string`)
    const known = ['id', 'local_table', 'query', 'max_rows', 'jdbc_connection_string', 'jdbc_user', 'jdbc_password']
    checkNames(hash, [...known, 'jdbc_driver_class', 'jdbc_driver_library'], `loader '${table ?? ''}'`, mistakes)
    const rowsMax = hash['max_rows'] === undefined ? ROWS_MAX : Number(hash['max_rows'])
    if (!Number.isInteger(rowsMax)) mistakes.add(`The 'max_rows' option for '${table ?? ''}' must be an integer`)
    return {
      id: textOf(hash['id']) ?? table ?? '',
      table: table ?? '',
      query: query ?? '',
      rowsMax,
      connectionString: textOf(hash['jdbc_connection_string']),
      user: textOf(hash['jdbc_user']),
      password: textOf(hash['jdbc_password']),
    }
  })
  mistakes.check('loaders')
  return loaders
}

const LOOKUP_NAMES = ['id', 'query', 'target', 'parameters', 'prepared_parameters', 'default_hash']
const LOOKUP_TAGS = ['tag_on_failure', 'tag_on_default_use']

export function lookupDefinitions(
  given: readonly ConfigValue[],
  tags: { readonly tag_on_failure: readonly string[]; readonly tag_on_default_use: readonly string[] },
): LookupDefinition[] {
  const mistakes = new Mistakes()
  const lookups = given.map((value, i): LookupDefinition => {
    const hash = hashOf(value) ?? {}
    const id = textOf(hash['id']) ?? `lookup-${i + 1}`
    const query = textOf(hash['query'])
    if (query === undefined) mistakes.add(`The options for '${id}' must include a 'query' string`)
    checkNames(hash, [...LOOKUP_NAMES, ...LOOKUP_TAGS], `lookup '${id}'`, mistakes)
    const list = (name: 'tag_on_failure' | 'tag_on_default_use') => {
      const own = hash[name]
      return own === undefined ? tags[name] : (Array.isArray(own) ? own : [own]).map(String)
    }
    const defaultHash = hash['default_hash'] === undefined ? undefined : hashOf(hash['default_hash'])
    return {
      id,
      query: query ?? '',
      target: textOf(hash['target']) ?? id,
      ...parametersOf(hash, id, query ?? '', mistakes),
      defaultHash: defaultHash === undefined || Object.keys(defaultHash).length === 0 ? undefined : defaultHash,
      failureTags: list('tag_on_failure'),
      defaultTags: list('tag_on_default_use'),
    }
  })
  const targets = given.map((value) => textOf(hashOf(value)?.['target']))
  repeated(lookups.map(({ id }) => id)).forEach((id) => {
    mistakes.add(`Id setting must be different across all lookups, '${id}' is specified multiple times`)
  })
  repeated(targets.filter((target) => target !== undefined)).forEach((target) => {
    const same = lookups.filter((_, i) => targets[i] === target).map(({ id }) => `'${id}'`)
    mistakes.add(
      `Target setting must be different across all lookups, ${same.join(', ')} have the same target field setting`,
    )
  })
  mistakes.check('local_lookups')
  return lookups
}

function parametersOf(
  hash: ConfigHash,
  id: string,
  query: string,
  mistakes: Mistakes,
): Pick<LookupDefinition, 'names' | 'parameters'> {
  const { parameters: named, prepared_parameters: numbered } = hash
  if (named !== undefined && numbered !== undefined) {
    mistakes.add("Can't specify 'parameters' and 'prepared_parameters' in the same lookup")
  } else if (named !== undefined) {
    const given = hashOf(named)
    if (given === undefined) mistakes.add(`The 'parameters' option for '${id}' must be a Hash`)
    else return { names: Object.keys(given), parameters: Object.values(given).map(String) }
  } else if (numbered !== undefined) {
    if (!Array.isArray(numbered)) mistakes.add(`The 'prepared_parameters' option for '${id}' must be an Array`)
    else if (countPositions(query) !== numbered.length) {
      mistakes.add(`The 'prepared_parameters' option for '${id}' doesn't match count with query's placeholder`)
    } else return { names: undefined, parameters: numbered.map(String) }
  }
  return { names: [], parameters: [] }
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, i) => values.indexOf(value) < i))]
}
