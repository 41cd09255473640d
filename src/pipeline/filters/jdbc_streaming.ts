/** `jdbc_streaming`: adds the rows of a statement to each event. Results are kept for a while. */
import type { Event } from '../event/event.ts'
import { copyValue, type FieldValue, toFieldValue, toPlainValue } from '../event/fields.ts'
import { rowFields } from '../jdbc/database.ts'
import { JDBC_OPTIONS, JdbcConnection } from '../jdbc/jdbc-options.ts'
import { bindNamed, bindPositions, checkPrepared } from '../jdbc/named-parameters.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'

export const jdbcStreaming = filterPlugin({
  name: 'jdbc_streaming',
  touches: 'network',
  options: {
    ...JDBC_OPTIONS,
    statement: option.string({ required: true }),
    parameters: option.hash({ default: new Map<string, ConfigValue>() }),
    target: option.field({ required: true }),
    default_hash: option.hash({ default: new Map<string, ConfigValue>() }),
    tag_on_failure: option.strings({ default: ['_jdbcstreamingfailure'] }),
    tag_on_default_use: option.strings({ default: ['_jdbcstreamingdefaultsused'] }),
    use_cache: option.boolean({ default: true }),
    cache_expiration: option.number({ default: 5 }),
    cache_size: option.number({ default: 500 }),
    use_prepared_statements: option.boolean({ default: false }),
    prepared_statement_name: option.string({ default: '' }),
    prepared_statement_bind_values: option.array({ default: [] }),
    prepared_statement_warn_on_constant_usage: option.ignored('Constants are bound like fields.'),
  },
  create(options, { log, clock }) {
    if (options.use_prepared_statements) checkPrepared(options.statement, options)
    const connection = new JdbcConnection(options, log)
    const cache = new Map<string, { rows: FieldValue[]; untilMs: number }>()
    const fallback = toFieldValue(Object.fromEntries(options.default_hash))

    const valuesOf = (event: Event): unknown[] =>
      options.use_prepared_statements
        ? options.prepared_statement_bind_values.map((value) => parameterValue(event, value, true))
        : [...options.parameters.values()].map((value) => parameterValue(event, value, false))
    const ask = async (values: readonly unknown[]): Promise<FieldValue[]> => {
      const database = await connection.database()
      const names = [...options.parameters.keys()]
      const { sql, values: bound } = options.use_prepared_statements
        ? bindPositions(options.statement, values, database.placeholder)
        : bindNamed(options.statement, new Map(names.map((name, i) => [name, values[i]])), database.placeholder)
      return (await connection.query(sql, bound)).map((row) => rowFields(row))
    }
    const lookUp = async (values: readonly unknown[]): Promise<FieldValue[]> => {
      if (!options.use_cache) return ask(values)
      const key = JSON.stringify(values)
      const nowMs = clock.nowMs()
      const known = cache.get(key)
      cache.delete(key)
      const entry =
        known !== undefined && known.untilMs > nowMs
          ? known
          : { rows: await ask(values), untilMs: nowMs + options.cache_expiration * 1000 }
      // Entries are ordered by last use: the first one is evicted first.
      cache.set(key, entry)
      if (cache.size > options.cache_size) cache.delete(cache.keys().next().value!)
      return entry.rows
    }
    return {
      async filter(event) {
        let rows: FieldValue[] = []
        try {
          rows = await lookUp(valuesOf(event))
        } catch (error) {
          log.warn(`Exception when executing JDBC query: ${(error as Error).message}`)
          for (const tag of options.tag_on_failure) event.tag(tag)
        }
        if (rows.length === 0) for (const tag of options.tag_on_default_use) event.tag(tag)
        event.set(options.target, copyValue(rows.length === 0 ? [fallback] : rows))
        return true
      },
      close: () => connection.forget(),
    }
  },
})

/** A parameter names a field, or is a text with references. Values of prepared statements name fields in brackets only. */
export function parameterValue(event: Event, value: ConfigValue, onlyBrackets: boolean): unknown {
  if (typeof value !== 'string') return value
  if (value.includes('%{')) return event.expand(value)
  if (onlyBrackets && !/^\[.*\]$/.test(value)) return value
  const found = toPlainValue(event.get(value))
  return found !== null && typeof found === 'object' ? JSON.stringify(found) : (found ?? null)
}
