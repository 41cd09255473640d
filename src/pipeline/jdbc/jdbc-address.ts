/** Connection strings of JDBC: which database they name, and where it is. */
import { PluginOptionError } from '../plugin/plugin-context.ts'

export type DatabaseKind = 'postgresql' | 'mysql' | 'sqlite'

export interface JdbcAddress {
  readonly kind: DatabaseKind
  readonly host: string
  readonly port: number
  /** The name of the database, or the file of SQLite. */
  readonly database: string
  readonly parameters: ReadonlyMap<string, string>
}

const PORTS = { postgresql: 5432, mysql: 3306 } as const

export function jdbcAddress(text: string): JdbcAddress {
  const sqlite = /^jdbc:sqlite:(?:file:)?(.*?)(?:\?.*)?$/i.exec(text)
  if (sqlite !== null) {
    const database = sqlite[1] === '' || sqlite[1] === undefined ? ':memory:' : sqlite[1]
    return { kind: 'sqlite', host: '', port: 0, database, parameters: new Map() }
  }
  const server =
    /^jdbc:(postgresql|mysql|mariadb):\/\/(\[[^\]]+\]|[^/:?,]*)(?::(\d+))?(?:,[^/?]*)?(?:\/([^?]*))?(?:\?(.*))?$/i.exec(
      text,
    )
  if (server === null) {
    throw new PluginOptionError(
      `jdbc_connection_string "${text}" is for a database that cannot be used here; there are jdbc:postgresql://HOST/DATABASE, ` +
        'jdbc:mysql://HOST/DATABASE, jdbc:mariadb://HOST/DATABASE and jdbc:sqlite:FILE',
    )
  }
  const [, name, host, port, database, query] = server
  const kind = name!.toLowerCase() === 'postgresql' ? 'postgresql' : 'mysql'
  return {
    kind,
    host: (host === '' ? 'localhost' : host!).replace(/^\[|\]$/g, ''),
    port: port === undefined ? PORTS[kind] : Number(port),
    database: decodeURIComponent(database ?? ''),
    parameters: new Map(new URLSearchParams(query ?? '')),
  }
}

/** Whether the connection string asks for TLS, and whether the certificate of the server is checked. */
export function tlsWish({ kind, parameters }: JdbcAddress): 'no' | 'unchecked' | 'checked' {
  const lower = (name: string) => parameters.get(name)?.toLowerCase()
  const mode =
    kind === 'postgresql'
      ? lower('sslmode')
      : (lower('sslmode') ?? lower('sslMode') ?? parameters.get('sslMode')?.toLowerCase())
  if (mode !== undefined) {
    if (/^(?:disable|disabled|allow|prefer|preferred)$/.test(mode)) return 'no'
    return /^verify/.test(mode) ? 'checked' : 'unchecked'
  }
  const wanted = lower('ssl') === 'true' || lower('usessl') === 'true' || parameters.get('useSSL') === 'true'
  if (!wanted) return 'no'
  return kind === 'postgresql' || parameters.get('verifyServerCertificate') === 'true' ? 'checked' : 'unchecked'
}
