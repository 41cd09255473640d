/** SQLite by the package `node-sqlite3-wasm`, which needs no compiler. */
import { loadOptional } from '../plugin/optional-package.ts'
import type { Database, DatabaseLogin, Row } from './database.ts'

interface SqliteStatement {
  iterate(values: readonly unknown[]): IterableIterator<Record<string, unknown>>
  finalize(): void
}

export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  all(sql: string, values?: readonly unknown[]): Record<string, unknown>[]
  run(sql: string, values?: readonly unknown[]): unknown
  exec(sql: string): void
  close(): void
}

interface Sqlite {
  readonly Database: new (path: string, options?: object) => SqliteDatabase
}

export function sqliteFile(path: string, options: object): SqliteDatabase {
  const { Database: Opened } = loadOptional<Sqlite>('node-sqlite3-wasm', 'jdbc with SQLite')
  return new Opened(path, options)
}

export async function openSqlite({ address }: DatabaseLogin): Promise<Database> {
  const isFile = address.database !== ':memory:'
  const database = sqliteFile(address.database, isFile ? { fileMustExist: true } : {})
  return {
    takesOffsets: false,
    placeholder: () => '?',
    async *rows(sql, values, batch) {
      const statement = database.prepare(sql)
      try {
        let rows: Row[] = []
        for (const row of statement.iterate(values)) {
          rows.push(row as Row)
          if (rows.length < batch) continue
          yield rows
          rows = []
        }
        if (rows.length > 0) yield rows
      } finally {
        statement.finalize()
      }
    },
    close: async () => database.close(),
  }
}
