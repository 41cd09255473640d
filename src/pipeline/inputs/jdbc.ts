/**
 * `jdbc`: an event per row of a statement, once or on a schedule. `:sql_last_value` lets a run continue where the previous one ended. It is
 * saved after the outputs have written the rows before it.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Event } from '../event/event.ts'
import { Fields } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type Database, type Row, rowFields } from '../jdbc/database.ts'
import { databaseTimeText } from '../jdbc/database-times.ts'
import { JDBC_OPTIONS, JdbcConnection } from '../jdbc/jdbc-options.ts'
import { firstValue, type LastValue, readLastValue, trackedValue, writeLastValue } from '../jdbc/last-value.ts'
import { type BoundStatement, bindNamed, bindPositions, checkPrepared } from '../jdbc/named-parameters.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type ConfigValue, type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { scheduleOf, waitForTurn } from '../plugin/schedule.ts'
import { DeliveredPosition } from '../queue/delivered-position.ts'

const OPTIONS = {
  ...JDBC_OPTIONS,
  statement: option.string(),
  statement_filepath: option.path(),
  parameters: option.hash({ default: new Map<string, ConfigValue>() }),
  schedule: option.string(),
  last_run_metadata_path: option.touching('files', option.string()),
  use_column_value: option.boolean({ default: false }),
  tracking_column: option.string(),
  tracking_column_type: option.words(['numeric', 'timestamp'], { default: 'numeric' }),
  clean_run: option.boolean({ default: false }),
  record_last_run: option.boolean({ default: true }),
  lowercase_column_names: option.boolean({ default: true }),
  columns_charset: option.hash({ default: new Map<string, ConfigValue>() }),
  charset: option.string(),
  use_prepared_statements: option.boolean({ default: false }),
  prepared_statement_name: option.string({ default: '' }),
  prepared_statement_bind_values: option.array({ default: [] }),
  jdbc_paging_enabled: option.boolean({ default: false }),
  jdbc_paging_mode: option.words(['auto', 'explicit'], { default: 'auto' }),
  jdbc_page_size: option.number({ default: 100_000 }),
  jdbc_fetch_size: option.number({ default: 1000 }),
  statement_retry_attempts: option.number({ default: 1 }),
  statement_retry_attempts_wait_time: option.number({ default: 0.5 }),
  target: option.field(),
} as const

type Options = OptionValues<typeof OPTIONS>

export const jdbc = inputPlugin({
  name: 'jdbc',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new JdbcInput(options, context),
})

class JdbcInput implements Input {
  readonly #options: Options
  readonly #context: PluginContext
  readonly #connection: JdbcConnection
  readonly #statement: string
  readonly #schedule: ReturnType<typeof scheduleOf>
  readonly #charsets: Map<string, Charset>
  readonly #stopping = new AbortController()
  readonly #isNumber: boolean
  readonly #path: string
  #last: LastValue
  /** Values of `:sql_last_value` to save, by the number of the batch that must be delivered first. */
  readonly #values = new Map<number, LastValue>()
  readonly #delivered = new DeliveredPosition((batch) => this.#save(batch))
  #batches = 0

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#statement = statementOf(options)
    this.#schedule = scheduleOf(options.schedule)
    this.#connection = new JdbcConnection(options, context.log)
    this.#charsets = new Map([...options.columns_charset].map(([name, charset]) => [name, charsetOf(String(charset))]))
    if (options.charset !== undefined) this.#charsets.set('', charsetOf(options.charset))
    this.#isNumber = options.use_column_value && options.tracking_column_type === 'numeric'
    this.#path = metadataPath(options, context)
    const saved = options.clean_run || !options.record_last_run ? undefined : readLastValue(this.#path, this.#isNumber)
    this.#last = saved ?? firstValue(this.#isNumber)
  }

  async run(sink: InputSink): Promise<void> {
    if (this.#schedule === undefined) return this.#runOnce(sink)
    while (await waitForTurn(this.#schedule, this.#stopping.signal)) await this.#runOnce(sink)
  }

  stop(): void {
    this.#stopping.abort()
  }

  async close(): Promise<void> {
    await this.#connection.forget()
  }

  /** A failing statement is retried as often as configured. After that the schedule continues with its next run. */
  async #runOnce(sink: InputSink): Promise<void> {
    const { statement_retry_attempts: attempts, statement_retry_attempts_wait_time: waitS } = this.#options
    for (let tries = 1; ; tries++) {
      const startedMs = this.#context.clock.nowMs()
      try {
        await this.#readAll(sink)
        if (this.#stopping.signal.aborted) return
        if (!this.#options.use_column_value) this.#last = new Timestamp(startedMs)
        this.#values.set(++this.#batches, this.#last)
        this.#delivered.expect(this.#batches)()
        return
      } catch (error) {
        await this.#connection.forget()
        if (error instanceof PluginOptionError && this.#schedule === undefined) throw error
        this.#context.log.warn(`Exception when executing JDBC query: ${(error as Error).message}`)
        if (tries >= attempts || this.#stopping.signal.aborted) return
        await sleep(waitS * 1000, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
  }

  async #readAll(sink: InputSink): Promise<void> {
    const { jdbc_paging_enabled: isPaged, jdbc_paging_mode: mode, jdbc_page_size: size } = this.#options
    const database = await this.#connection.database()
    if (!isPaged) return void (await this.#read(database, this.#bound(database, this.#statement), sink))
    for (let offset = 0; !this.#stopping.signal.aborted; offset += size) {
      const text =
        mode === 'explicit'
          ? this.#statement
          : `SELECT * FROM (${this.#statement.trim().replace(/;+$/, '')}) AS t1 LIMIT ${size} OFFSET ${offset}`
      const page = this.#bound(database, text, mode === 'explicit' ? { size, offset } : {})
      if ((await this.#read(database, page, sink)) < size) return
    }
  }

  /** Returns the number of rows. */
  async #read(database: Database, { sql, values }: BoundStatement, sink: InputSink): Promise<number> {
    this.#connection.logStatement(sql)
    let count = 0
    for await (const rows of database.rows(sql, values, Math.max(1, this.#options.jdbc_fetch_size))) {
      if (this.#stopping.signal.aborted) return count
      count += rows.length
      const events = rows.map((row) => this.#eventOf(row))
      await sink.push(events, this.#delivered.expect(++this.#batches))
    }
    return count
  }

  #bound(database: Database, statement: string, more: Record<string, unknown> = {}): BoundStatement {
    const last = this.#parameter(this.#last, database)
    const { use_prepared_statements: isPrepared, prepared_statement_bind_values: given, parameters } = this.#options
    if (isPrepared) {
      const values = given.map((value) => (value === ':sql_last_value' ? last : value))
      return bindPositions(statement, values, database.placeholder)
    }
    const named = new Map<string, unknown>([...parameters, ['sql_last_value', last], ...Object.entries(more)])
    return bindNamed(statement, named, database.placeholder)
  }

  #parameter(value: LastValue, { takesOffsets }: Database): unknown {
    if (value instanceof Timestamp) return databaseTimeText(value.ms, this.#connection.zones.write, takesOffsets)
    return typeof value === 'bigint' ? String(value) : value
  }

  #eventOf(row: Row): Event {
    const { lowercase_column_names: isLower, target, use_column_value: tracks, tracking_column: column } = this.#options
    const named = rowFields(row, (name) => this.#charsets.get(name) ?? this.#charsets.get(''))
    const fields = isLower ? lowercased(named) : named
    if (tracks) {
      const value = trackedValue(fields[isLower ? column!.toLowerCase() : column!], this.#isNumber)
      if (value !== undefined) this.#last = value
      else this.#context.log.warn(`tracking_column ${column} has no ${this.#options.tracking_column_type} value`)
    }
    const now = new Timestamp(this.#context.clock.nowMs())
    const event = Event.ofFields(target === undefined ? fields : new Fields(), now)
    if (target !== undefined) event.set(target, fields)
    return event
  }

  #save(batch: number): void {
    for (const [number, value] of this.#values) {
      if (number > batch) continue
      this.#values.delete(number)
      if (this.#options.record_last_run) writeLastValue(this.#path, value)
    }
  }
}

function lowercased(fields: Fields): Fields {
  const lower = new Fields()
  for (const name of Object.keys(fields)) lower[name.toLowerCase()] = fields[name]
  return lower
}

function statementOf(options: Options): string {
  const { statement, statement_filepath: path, use_column_value: tracks, tracking_column: column } = options
  if ((statement === undefined) === (path === undefined)) {
    throw new PluginOptionError('Must set either :statement or :statement_filepath. Only one may be set at a time.')
  }
  if (tracks && column === undefined) {
    throw new PluginOptionError('Must set :tracking_column if :use_column_value is true.')
  }
  const text = statement ?? readFileSync(path!, 'utf8')
  if (options.use_prepared_statements) checkPrepared(text, options)
  return text
}

function metadataPath({ last_run_metadata_path: path }: Options, { dataFolder }: PluginContext): string {
  const place = path ?? join(dataFolder, 'plugins', 'inputs', 'jdbc', 'logstash_jdbc_last_run')
  if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new PluginOptionError(
      `The "last_run_metadata_path" argument must point to a file, received a directory: "${path}"`,
    )
  }
  return place
}
