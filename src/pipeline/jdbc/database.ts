/** The interface of databases. Each driver is a separate package, loaded when a configuration uses its database. */
import { Fields, type FieldValue } from '../event/fields.ts'
import { type Charset, utf8 } from '../plugin/charset.ts'
import { loadOptional } from '../plugin/optional-package.ts'
import type { Zone } from '../time/zone.ts'
import type { JdbcAddress } from './jdbc-address.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Columns with bytes are not decoded yet. */
export type Row = Record<string, FieldValue | Uint8Array>

export interface Database {
  /** The placeholder of the n-th value, from 1 on. */
  placeholder(number: number): string
  /** The rows of a statement, up to `batch` at a time. */
  rows(sql: string, values: readonly unknown[], batch: number): AsyncIterable<Row[]>
  /** Whether times in statements may have an offset. */
  readonly takesOffsets: boolean
  close(): Promise<void>
}

export interface DatabaseLogin {
  readonly address: JdbcAddress
  readonly user: string | undefined
  readonly password: string | undefined
  readonly connectTimeoutMs: number
  /** The zone of times that have none. */
  readonly zone: Zone
}

const OPENERS = { postgresql: openPostgres, mysql: openMysql, sqlite: openSqlite } as const

const DRIVERS = {
  postgresql: ['pg', 'jdbc with PostgreSQL'],
  mysql: ['mysql2', 'jdbc with MySQL or MariaDB'],
  sqlite: ['node-sqlite3-wasm', 'jdbc with SQLite'],
} as const

/** Throws if the driver of the database is not installed, so that a configuration is rejected before it starts. */
export function checkDriver({ kind }: JdbcAddress): void {
  const [name, purpose] = DRIVERS[kind]
  loadOptional(name, purpose)
}

export function openDatabase(login: DatabaseLogin): Promise<Database> {
  return OPENERS[login.address.kind](login)
}

/** The fields of an event. Bytes are text in UTF-8 unless the column has another charset. */
export function rowFields(row: Row, charsetOf?: (column: string) => Charset | undefined): Fields {
  const fields = new Fields()
  for (const [name, value] of Object.entries(row)) {
    fields[name] = value instanceof Uint8Array ? (charsetOf?.(name) ?? utf8).decode(value) : value
  }
  return fields
}

/** All rows of a statement with a small result. */
export async function allRows(database: Database, sql: string, values: readonly unknown[]): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of database.rows(sql, values, 1000)) all.push(...rows)
  return all
}
