/** The options of all jdbc plugins, and a connection that opens when it is needed and again after a failure. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { allRows, checkDriver, type Database, openDatabase, type Row } from './database.ts'
import { type DatabaseZones, databaseZones } from './database-times.ts'
import { jdbcAddress } from './jdbc-address.ts'

const NO_JAVA = 'Databases are reached without Java; the connection string says which one it is.'

export const JDBC_OPTIONS = {
  jdbc_connection_string: option.string({ required: true }),
  jdbc_driver_library: option.ignored(NO_JAVA),
  jdbc_driver_class: option.ignored(NO_JAVA),
  jdbc_user: option.string(),
  jdbc_password: option.password(),
  jdbc_password_filepath: option.path(),
  jdbc_validate_connection: option.boolean({ default: false }),
  jdbc_validation_timeout: option.ignored('A connection is checked with a statement of its own before each run.'),
  jdbc_pool_timeout: option.number({ default: 5 }),
  jdbc_default_timezone: option.string(),
  plugin_timezone: option.words(['utc', 'local'], { default: 'utc' }),
  sequel_opts: option.ignored('There is no Sequel here.'),
  sql_log_level: option.words(['fatal', 'error', 'warn', 'info', 'debug'], { default: 'info' }),
  connection_retry_attempts: option.number({ default: 1 }),
  connection_retry_attempts_wait_time: option.number({ default: 0.5 }),
} as const

export type JdbcOptions = OptionValues<typeof JDBC_OPTIONS>

export class JdbcConnection {
  readonly #options: JdbcOptions
  readonly #log: Log
  readonly #password: string | undefined
  readonly zones: DatabaseZones
  #database: Promise<Database> | undefined

  /** Throws for options that contradict each other, before anything is connected. */
  constructor(options: JdbcOptions, log: Log) {
    checkDriver(jdbcAddress(options.jdbc_connection_string))
    if (options.jdbc_password !== undefined && options.jdbc_password_filepath !== undefined) {
      throw new PluginOptionError('Only one of :jdbc_password, :jdbc_password_filepath may be set at a time.')
    }
    this.#password =
      options.jdbc_password_filepath === undefined
        ? options.jdbc_password
        : readFileSync(options.jdbc_password_filepath, 'utf8').trim()
    this.zones = databaseZones(options.jdbc_default_timezone, options.plugin_timezone)
    this.#options = options
    this.#log = log
  }

  async database(): Promise<Database> {
    if (this.#database !== undefined && this.#options.jdbc_validate_connection) {
      await this.#database.then((database) => allRows(database, 'SELECT 1', [])).catch(() => this.forget())
    }
    this.#database ??= this.#open().catch((error) => {
      this.#database = undefined
      throw error
    })
    return this.#database
  }

  /** Called after a failure: the next statement opens a new connection. */
  async forget(): Promise<void> {
    const database = this.#database
    this.#database = undefined
    await database?.then((opened) => opened.close()).catch(() => {})
  }

  /** Logs the statement at the level `sql_log_level`. */
  logStatement(sql: string): void {
    const { sql_log_level: level } = this.#options
    if (level === 'debug') this.#log.debug(sql)
    else if (level === 'info') this.#log.debug(sql)
    else if (level === 'warn') this.#log.warn(sql)
    else this.#log.error(sql)
  }

  async query(sql: string, values: readonly unknown[]): Promise<Row[]> {
    this.logStatement(sql)
    try {
      return await allRows(await this.database(), sql, values)
    } catch (error) {
      await this.forget()
      throw error
    }
  }

  async #open(): Promise<Database> {
    const { connection_retry_attempts: attempts, connection_retry_attempts_wait_time: waitS } = this.#options
    for (let tries = 1; ; tries++) {
      try {
        return await openDatabase({
          address: jdbcAddress(this.#options.jdbc_connection_string),
          user: this.#options.jdbc_user,
          password: this.#password,
          connectTimeoutMs: this.#options.jdbc_pool_timeout * 1000,
          zone: this.zones.read,
        })
      } catch (error) {
        if (tries >= attempts || error instanceof PluginOptionError) throw error
        this.#log.warn(`Failed to connect to the database, trying again: ${(error as Error).message}`)
        await sleep(waitS * 1000)
      }
    }
  }
}
