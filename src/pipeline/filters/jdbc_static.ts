/**
 * `jdbc_static`: copies tables of a database into memory, once or on a schedule, and adds the rows that lookups find there. The
 * first event waits until the tables are loaded.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../event/event.ts'
import { copyValue, type FieldValue, isFields, toFieldValue } from '../event/fields.ts'
import { allRows, type Row } from '../jdbc/database.ts'
import { JDBC_OPTIONS, JdbcConnection } from '../jdbc/jdbc-options.ts'
import { LocalTables } from '../jdbc/local-tables.ts'
import { bindNamed } from '../jdbc/named-parameters.ts'
import {
  type LoaderDefinition,
  type LookupDefinition,
  loaderDefinitions,
  lookupDefinitions,
  tableDefinitions,
} from '../jdbc/static-definitions.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { scheduleOf, waitForTurn } from '../plugin/schedule.ts'

const { jdbc_connection_string, jdbc_driver_library, jdbc_driver_class, jdbc_user, jdbc_password } = JDBC_OPTIONS
const CONNECT_AGAIN_MS = 1000
const BATCH = 1000

export const jdbcStatic = filterPlugin({
  name: 'jdbc_static',
  touches: 'network',
  options: {
    jdbc_connection_string,
    jdbc_driver_library,
    jdbc_driver_class,
    jdbc_user,
    jdbc_password,
    loaders: option.array({ default: [] }),
    local_db_objects: option.array({ default: [] }),
    local_lookups: option.array({ required: true }),
    loader_schedule: option.string(),
    tag_on_failure: option.strings({ default: ['_jdbcstaticfailure'] }),
    tag_on_default_use: option.strings({ default: ['_jdbcstaticdefaultsused'] }),
    staging_directory: option.ignored('Rows go straight into the tables in memory.'),
  },
  create(options, { log }) {
    const lookups = lookupDefinitions(options.local_lookups, options)
    const definitions = loaderDefinitions(options.loaders)
    const tables = localTables(options.local_db_objects)
    const unknown = definitions.find(({ table }) => !tables.has(table))
    if (unknown !== undefined) {
      throw new PluginOptionError(`loaders: the local_table '${unknown.table}' is not one of local_db_objects`)
    }
    const schedule = scheduleOf(options.loader_schedule)
    const stopping = new AbortController()
    const loaders = definitions.map((definition) => ({
      definition,
      connection: new JdbcConnection(
        withDefaults(JDBC_OPTIONS, {
          jdbc_connection_string: definition.connectionString ?? options.jdbc_connection_string,
          jdbc_user: definition.user ?? options.jdbc_user,
          jdbc_password: definition.password ?? options.jdbc_password,
        }),
        log,
      ),
    }))

    const loadAll = async (): Promise<void> => {
      for (const { definition, connection } of loaders) {
        await connect(connection, definition)
        try {
          await fillTable(tables, connection, definition, (message) => log.warn(message))
        } catch (error) {
          // The table keeps its previous rows, as in Logstash.
          log.error(`Exception occurred when executing loader Jdbc query (${definition.id}): ${textOf(error)}`)
        } finally {
          await connection.forget()
        }
      }
    }
    /** Events wait for a database that cannot be reached. */
    const connect = async (connection: JdbcConnection, { id }: LoaderDefinition): Promise<void> => {
      for (;;) {
        try {
          await connection.database()
          return
        } catch (error) {
          stopping.signal.throwIfAborted()
          log.error(`Remote DB connection error when executing loader Jdbc query (${id}): ${textOf(error)}`)
          await sleep(CONNECT_AGAIN_MS, undefined, { signal: stopping.signal })
        }
      }
    }
    const loadOnSchedule = async (): Promise<void> => {
      while (schedule !== undefined && (await waitForTurn(schedule, stopping.signal))) {
        await loadAll().catch(() => {})
      }
    }
    let loaded: Promise<void> | undefined
    let repeating: Promise<void> | undefined
    const load = async (): Promise<void> => {
      await loadAll()
      repeating = loadOnSchedule()
    }
    return {
      async filter(event) {
        loaded ??= load()
        await loaded
        let isComplete = true
        for (const lookup of lookups) if (!addRows(tables, lookup, event, (text) => log.warn(text))) isComplete = false
        return isComplete
      },
      async close() {
        stopping.abort()
        await loaded?.catch(() => {})
        await repeating
        tables.close()
      },
    }
  },
})

function localTables(given: Parameters<typeof tableDefinitions>[0]): LocalTables {
  try {
    return new LocalTables(tableDefinitions(given))
  } catch (error) {
    if (error instanceof PluginOptionError) throw error
    throw new PluginOptionError(`local_db_objects: ${textOf(error)}`)
  }
}

async function fillTable(
  tables: LocalTables,
  connection: JdbcConnection,
  { id, query, table, rowsMax }: LoaderDefinition,
  warn: (message: string) => void,
): Promise<void> {
  const database = await connection.database()
  const sql = query.trim().replace(/;+$/, '')
  connection.logStatement(sql)
  const counted = await allRows(database, `SELECT count(*) AS n FROM (${sql}) AS counted`, [])
  const count = Number(Object.values(counted[0] ?? {})[0])
  if (count === 0) warn(`Query returned no results (${id})`)
  if (count > rowsMax) warn(`Query returned more than max_rows results (${id}): ${count}, and max_rows is ${rowsMax}`)
  await tables.fill(table, count > rowsMax ? noRows() : database.rows(sql, [], BATCH))
}

async function* noRows(): AsyncIterable<Row[]> {}

/** Returns false if the event lacks a value that the lookup needs. */
function addRows(tables: LocalTables, lookup: LookupDefinition, event: Event, warn: (text: string) => void): boolean {
  const { id, query, names, parameters, target, defaultHash } = lookup
  const values = parameters.map((parameter) => parameterOf(event, parameter))
  const missing = parameters.filter((_, i) => values[i] === undefined)
  if (missing.length > 0) {
    warn(`Parameter field not found in event (${id}): ${missing.join(', ')}`)
    for (const tag of lookup.failureTags) event.tag(tag)
    return false
  }
  let rows: FieldValue[] = []
  try {
    const bound =
      names === undefined
        ? { sql: query, values }
        : bindNamed(query, new Map(names.map((name, i) => [name, values[i]])), () => '?')
    rows = tables.lookUp(bound.sql, bound.values)
  } catch (error) {
    warn(`Exception when executing Jdbc query (${id}): ${textOf(error)}`)
    for (const tag of lookup.failureTags) event.tag(tag)
  }
  if (rows.length === 0 && defaultHash !== undefined) {
    for (const tag of lookup.defaultTags) event.tag(tag)
    rows = [toFieldValue(defaultHash)]
  }
  event.set(target, copyValue(rows))
  return true
}

/** A parameter names a field, or is a text with references. Undefined if the event has no such value. */
function parameterOf(event: Event, parameter: string): FieldValue | undefined {
  if (/%\{[^}]+\}/.test(parameter)) {
    const text = event.expand(parameter)
    return text === parameter ? undefined : text
  }
  const value = event.get(parameter)
  return value === null || Array.isArray(value) || isFields(value) ? undefined : value
}

function textOf(error: unknown): string {
  return (error as Error).message
}
