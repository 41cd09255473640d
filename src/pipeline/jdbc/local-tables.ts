/**
 * The local database of `jdbc_static`: tables in memory that loaders fill and lookups read. It is SQLite; Logstash uses Derby. New rows are
 * loaded into a second table that then replaces the first, so that lookups never see a partially filled table.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Double } from '../../base/json/json-writer.ts'
import type { Fields, FieldValue } from '../event/fields.ts'
import { parseIsoTimestamp, Timestamp } from '../event/timestamp.ts'
import { type Row, rowFields } from './database.ts'
import { type SqliteDatabase, sqliteFile } from './sqlite.ts'

export interface LocalTable {
  readonly name: string
  /** Names and types. */
  readonly columns: readonly (readonly [string, string])[]
  readonly indexColumns: readonly string[]
}

type Kind = 'boolean' | 'float' | 'time'

export class LocalTables {
  readonly #database: SqliteDatabase
  readonly #tables: ReadonlyMap<string, LocalTable>
  /** Value types that SQLite lacks, by lower-case column name. */
  readonly #kinds = new Map<string, Kind>()
  #generation = 0

  /** Throws if a definition is no valid SQL. */
  constructor(tables: readonly LocalTable[]) {
    this.#database = sqliteFile(':memory:', {})
    this.#tables = new Map(tables.map((table) => [table.name.toLowerCase(), table]))
    for (const table of tables) {
      this.#create(table, table.name)
      for (const [name, type] of table.columns) {
        const kind = kindOf(type)
        if (kind !== undefined) this.#kinds.set(name.toLowerCase(), kind)
      }
    }
  }

  has(name: string): boolean {
    return this.#tables.has(name.toLowerCase())
  }

  /** Replaces the rows of a table. Values go to columns by their order. */
  async fill(name: string, batches: AsyncIterable<readonly Row[]>): Promise<number> {
    const table = this.#tables.get(name.toLowerCase())!
    const loading = `${table.name}__${++this.#generation}`
    this.#create(table, loading)
    const places = table.columns.map(() => '?').join(', ')
    let count = 0
    try {
      for await (const rows of batches) {
        this.#database.exec('BEGIN')
        for (const row of rows) {
          const values = Object.values(row).slice(0, table.columns.length)
          while (values.length < table.columns.length) values.push(null)
          this.#database.run(`INSERT INTO ${quoted(loading)} VALUES (${places})`, values.map(storedValue))
        }
        this.#database.exec('COMMIT')
        count += rows.length
        await nextTurn()
      }
    } catch (error) {
      this.#database.exec(`DROP TABLE IF EXISTS ${quoted(loading)}`)
      throw error
    }
    this.#database.exec(`DROP TABLE ${quoted(table.name)}`)
    this.#database.exec(`ALTER TABLE ${quoted(loading)} RENAME TO ${quoted(table.name)}`)
    return count
  }

  /** Names of columns are in lower case, as Logstash has them. */
  lookUp(sql: string, values: readonly unknown[]): Fields[] {
    const found = this.#database.all(sql, values.map(storedValue)) as Row[]
    return found.map((row) => {
      const entries = Object.entries(row).map(([name, value]) => [name.toLowerCase(), value] as const)
      return rowFields(Object.fromEntries(entries.map(([name, value]) => [name, this.#readValue(name, value)])))
    })
  }

  close(): void {
    this.#database.close()
  }

  #create(table: LocalTable, name: string): void {
    const columns = table.columns.map(([column, type]) => `${quoted(column)} ${type}`)
    this.#database.exec(`CREATE TABLE ${quoted(name)} (${columns.join(', ')})`)
    if (table.indexColumns.length === 0) return
    const indexed = table.indexColumns.map(quoted).join(', ')
    this.#database.exec(`CREATE INDEX ${quoted(`${name}_index`)} ON ${quoted(name)} (${indexed})`)
  }

  #readValue(name: string, value: FieldValue | Uint8Array): FieldValue | Uint8Array {
    switch (this.#kinds.get(name)) {
      case 'boolean':
        return typeof value === 'number' ? value !== 0 : value
      case 'float':
        return typeof value === 'number' && Number.isInteger(value) ? new Double(value) : value
      case 'time':
        return typeof value === 'string' ? (parseIsoTimestamp(value) ?? value) : value
      default:
        return value
    }
  }
}

function kindOf(type: string): Kind | undefined {
  if (/^bool/i.test(type)) return 'boolean'
  if (/^(?:double|real|float|decimal|numeric)/i.test(type)) return 'float'
  return /^(?:timestamp|datetime|date)/i.test(type) ? 'time' : undefined
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function storedValue(value: unknown): unknown {
  if (value instanceof Timestamp) return value.toString()
  if (value instanceof Double) return Number(value.value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value
  if (value instanceof Uint8Array) return value
  return value === null || value === undefined ? null : JSON.stringify(value)
}
