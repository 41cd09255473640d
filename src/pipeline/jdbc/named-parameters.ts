/** Turns `:name` in a statement into the placeholders of a driver. Quoted text, comments and casts (`::int`) stay as they are. */

import { PluginOptionError } from '../plugin/plugin-context.ts'

export interface BoundStatement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** Quoted text, comments and casts are matched first, so that names inside them are not taken for parameters. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z_]\w*)/g

export function bindNamed(
  statement: string,
  parameters: ReadonlyMap<string, unknown>,
  placeholder: (number: number) => string,
): BoundStatement {
  const values: unknown[] = []
  const sql = statement.replaceAll(TOKENS, (text, name: string | undefined) => {
    if (name === undefined || !parameters.has(name)) return text
    values.push(parameters.get(name))
    return placeholder(values.length)
  })
  return { sql, values }
}

/** Numbers the question marks of a prepared statement. */
export function bindPositions(
  statement: string,
  values: readonly unknown[],
  placeholder: (number: number) => string,
): BoundStatement {
  let count = 0
  const tokens = new RegExp(`${TOKENS.source}|\\?`, 'g')
  const sql = statement.replaceAll(tokens, (text) => (text === '?' ? placeholder(++count) : text))
  return { sql, values }
}

export function countPositions(statement: string): number {
  let count = 0
  bindPositions(statement, [], () => {
    count++
    return '?'
  })
  return count
}

export function checkPrepared(
  statement: string,
  options: {
    prepared_statement_name: string
    prepared_statement_bind_values: readonly unknown[]
    jdbc_paging_enabled?: boolean
  },
): void {
  const problems: string[] = []
  if (options.prepared_statement_name === '') {
    problems.push('must provide a name for the Prepared Statement, it must be unique for the db session')
  }
  if (countPositions(statement) !== options.prepared_statement_bind_values.length) {
    problems.push(
      'there is a mismatch between the number of statement `?` placeholders and :prepared_statement_bind_values array setting elements',
    )
  }
  if (options.jdbc_paging_enabled === true) problems.push('JDBC pagination cannot be used at this time')
  if (problems.length > 0)
    throw new PluginOptionError(`Prepared Statement Mode validation errors: ${problems.join(', ')}`)
}
