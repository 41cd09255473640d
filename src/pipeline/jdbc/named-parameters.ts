/** Turns `:name` in a statement into the placeholders of a driver. Quoted text, comments and casts (`::int`) stay as they are. */

export interface BoundStatement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** Quoted text, comments and casts are matched first, so that names inside of them are not seen. */
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
