/** MySQL and MariaDB by the package `mysql2`. */
import { loadOptional } from '../plugin/optional-package.ts'
import { UTC } from '../time/zone.ts'
import { decimalValue, integerValue, timeValue } from './column-values.ts'
import type { Database, DatabaseLogin, Row } from './database.ts'
import { tlsWish } from './jdbc-address.ts'

interface MysqlField {
  readonly type: string
  readonly length: number
  string(): string | null
}

interface MysqlConnection {
  connect(done: (error: Error | null) => void): void
  query(options: { sql: string; values: readonly unknown[]; typeCast: unknown }): {
    stream(options?: object): AsyncIterable<Row>
  }
  query(sql: string, done: (error: Error | null) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  end(done: () => void): void
  destroy(): void
}

interface Mysql {
  createConnection(settings: object): MysqlConnection
}

export async function openMysql({ address, user, password, zone, connectTimeoutMs }: DatabaseLogin): Promise<Database> {
  const mysql = loadOptional<Mysql>('mysql2', 'jdbc with MySQL or MariaDB')
  const wish = tlsWish(address)
  const connection = mysql.createConnection({
    host: address.host,
    port: address.port,
    database: address.database,
    user,
    password,
    connectTimeout: connectTimeoutMs,
    ...(wish === 'no' ? {} : { ssl: { rejectUnauthorized: wish === 'checked' } }),
  })
  connection.on('error', () => {})
  await settled((done) => connection.connect(done))
  // Times with a zone are sent in the zone of the session.
  await settled((done) => connection.query("SET time_zone = '+00:00'", done))
  const typeCast = (field: MysqlField, next: () => unknown) => {
    const read = () => field.string()
    const converted = (convert: (text: string) => unknown) => {
      const text = read()
      return text === null ? null : convert(text)
    }
    switch (field.type) {
      case 'LONGLONG':
        return converted(integerValue)
      case 'DECIMAL':
      case 'NEWDECIMAL':
        return converted(decimalValue)
      case 'TINY':
        // A column of one digit is a boolean.
        return field.length === 1 ? converted((text) => text !== '0') : converted(integerValue)
      case 'TIMESTAMP':
        return converted((text) => timeValue(text, UTC))
      case 'DATETIME':
      case 'DATE':
        return converted((text) => timeValue(text, zone))
      case 'JSON':
        return read()
      default:
        return next()
    }
  }
  return {
    takesOffsets: false,
    placeholder: () => '?',
    async *rows(sql, values, batch) {
      let rows: Row[] = []
      for await (const row of connection.query({ sql, values, typeCast }).stream({ highWaterMark: batch })) {
        rows.push({ ...row })
        if (rows.length < batch) continue
        yield rows
        rows = []
      }
      if (rows.length > 0) yield rows
    },
    close: () => new Promise((resolve) => connection.end(() => resolve())),
  }
}

function settled(run: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => run((error) => (error === null ? resolve() : reject(error))))
}
