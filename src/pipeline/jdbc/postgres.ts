/** PostgreSQL by the package `pg`. Large results are read through a cursor. */
import { readFileSync } from 'node:fs'
import type { FieldValue } from '../event/fields.ts'
import { loadOptional } from '../plugin/optional-package.ts'
import { UTC } from '../time/zone.ts'
import { decimalValue, integerValue, timeValue } from './column-values.ts'
import type { Database, DatabaseLogin, Row } from './database.ts'
import { tlsWish } from './jdbc-address.ts'

interface PgClient {
  connect(): Promise<void>
  query(statement: { text: string; values: readonly unknown[] } | string): Promise<{ rows?: Row[] }>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
}

interface Pg {
  readonly Client: new (settings: object) => PgClient
  readonly types: { getTypeParser(oid: number, format?: string): (text: string) => unknown }
}

/** Type ids of PostgreSQL whose values are converted here instead of by the driver. */
const INT8 = 20
const NUMERIC = 1700
const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184
const JSON_TYPES = [114, 3802]
const CURSOR = 'sandpiper_rows'

export async function openPostgres({
  address,
  user,
  password,
  zone,
  connectTimeoutMs,
}: DatabaseLogin): Promise<Database> {
  const pg = loadOptional<Pg>('pg', 'jdbc with PostgreSQL')
  const parsers: Readonly<Record<number, (text: string) => FieldValue>> = {
    [INT8]: integerValue,
    [NUMERIC]: decimalValue,
    [DATE]: (text) => timeValue(text, zone),
    [TIMESTAMP]: (text) => timeValue(text, zone),
    [TIMESTAMPTZ]: (text) => timeValue(text, UTC),
    ...Object.fromEntries(JSON_TYPES.map((oid) => [oid, (text: string) => text])),
  }
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user,
    password,
    connectionTimeoutMillis: connectTimeoutMs,
    ssl: tlsOf(address),
    types: { getTypeParser: (oid: number, format?: string) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  })
  // The error is not handled here, because the next statement fails with it.
  client.on('error', () => {})
  await client.connect()
  return {
    takesOffsets: true,
    placeholder: (number) => `$${number}`,
    async *rows(sql, values, batch) {
      if (!/^\s*(?:select|with|values|table)\b/i.test(sql)) {
        yield (await client.query({ text: sql, values })).rows ?? []
        return
      }
      await client.query('BEGIN')
      let isDone = false
      try {
        await client.query({
          text: `DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${sql.trim().replace(/;+\s*$/, '')}`,
          values,
        })
        for (;;) {
          const { rows = [] } = await client.query(`FETCH ${batch} FROM ${CURSOR}`)
          if (rows.length > 0) yield rows
          if (rows.length < batch) break
        }
        isDone = true
      } finally {
        await client.query(isDone ? 'COMMIT' : 'ROLLBACK').catch(() => {})
      }
    },
    close: () => client.end().catch(() => {}),
  }
}

function tlsOf(address: DatabaseLogin['address']): object | false {
  const wish = tlsWish(address)
  if (wish === 'no') return false
  const authority = address.parameters.get('sslrootcert')
  const ca = authority === undefined ? {} : { ca: readFileSync(authority) }
  return { rejectUnauthorized: wish === 'checked', ...ca }
}
