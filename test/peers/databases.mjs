// jdbc, jdbc_streaming and jdbc_static with PostgreSQL, MariaDB and SQLite.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { account, expect, firstLine, freePort, JSON_OUT } from './harness.mjs'

const ROWS = 2500
const PLUGINS = 'input jdbc, filter jdbc_streaming, filter jdbc_static'

/** The same questions to every database. `login` are the options of the connection. */
async function checkDatabase(surroundings, login, run, time = '2026-03-01T00:00:00.000Z') {
  run(`CREATE TABLE logs (id INTEGER PRIMARY KEY, name VARCHAR(40), price DECIMAL(10,2), at TIMESTAMP NULL)`)
  run(`CREATE TABLE hosts (ip VARCHAR(15), descr VARCHAR(60), rack INTEGER)`)
  run(`INSERT INTO hosts VALUES ('10.0.0.1', 'Überwachung', 1), ('10.0.0.2', 'mail', 2)`)
  const rows = Array.from({ length: ROWS }, (_, i) => `(${i + 1}, 'zwölf ${i + 1}', ${i}.50, '2026-03-01 00:00:00')`)
  for (let i = 0; i < ROWS; i += 500) run(`INSERT INTO logs VALUES ${rows.slice(i, i + 500).join(', ')}`)

  const last = join(surroundings.folder, 'last-run')
  const tracked = `input { jdbc { ${login} statement => "SELECT * FROM logs WHERE id > :sql_last_value ORDER BY id"
    use_column_value => true tracking_column => "id" last_run_metadata_path => "${last}" jdbc_fetch_size => 300 } } ${JSON_OUT}`
  const first = await surroundings.pipeline(tracked)
  expect(first.length, ROWS, 'rows: ')
  const { id, name, price, at } = first[11]
  expect([id, name, price, at], [12, 'zwölf 12', 11.5, time], 'a row: ')
  run(`INSERT INTO logs VALUES (${ROWS + 1}, 'late', NULL, NULL)`)
  const second = await surroundings.pipeline(tracked)
  expect(
    second.map((event) => [event.id, event.name, event.price, event.at]),
    [[ROWS + 1, 'late', null, null]],
    'the second run: ',
  )

  const paged = await surroundings.pipeline(`input { jdbc { ${login} statement => "SELECT id FROM logs ORDER BY id"
    jdbc_paging_enabled => true jdbc_page_size => 1000 record_last_run => false } } ${JSON_OUT}`)
  expect(new Set(paged.map((event) => event.id)).size, ROWS + 1, 'rows of pages: ')
  const prepared =
    await surroundings.pipeline(`input { jdbc { ${login} statement => "SELECT name FROM logs WHERE id = ? OR name = ?"
    use_prepared_statements => true prepared_statement_name => "p" prepared_statement_bind_values => [7, "late"] record_last_run => false } } ${JSON_OUT}`)
  expect(prepared.map((event) => event.name).sort(), ['late', 'zwölf 7'], 'a prepared statement: ')

  const events = ['10.0.0.1', '10.0.0.2', '10.9.9.9', "x' OR '1'='1"]
  const streamed = await surroundings.pipeline(
    `input { stdin { } } filter { jdbc_streaming { ${login}
    statement => "SELECT descr, rack FROM hosts WHERE ip = :ip" parameters => { "ip" => "message" } target => "host_info"
    default_hash => { "descr" => "unknown" } } } ${JSON_OUT}`,
    events,
  )
  const wanted = ['Überwachung', 'mail', 'unknown', 'unknown']
  expect(
    streamed.map((event) => event.host_info[0].descr),
    wanted,
    'jdbc_streaming: ',
  )
  expect(
    streamed.map((event) => (event.tags ?? []).length),
    [0, 0, 1, 1],
    'tags of jdbc_streaming: ',
  )

  const stored = await surroundings.pipeline(
    `input { stdin { } } filter { jdbc_static { ${login} jdbc_driver_class => "x"
    loaders => [ { id => "hosts" query => "SELECT ip, descr, rack FROM hosts ORDER BY ip" local_table => "servers" } ]
    local_db_objects => [ { name => "servers" index_columns => ["ip"] columns => [["ip", "varchar(15)"], ["descr", "varchar(60)"], ["rack", "int"]] } ]
    local_lookups => [
      { id => "named" query => "SELECT descr, rack FROM servers WHERE ip = :ip" parameters => { ip => "message" } target => "named" default_hash => { descr => "unknown" } },
      { id => "numbered" query => "SELECT rack FROM servers WHERE ip = ?" prepared_parameters => ["[message]"] target => "numbered" } ] } } ${JSON_OUT}`,
    events,
  )
  expect(
    stored.map((event) => event.named[0].descr),
    wanted,
    'jdbc_static: ',
  )
  expect(
    stored.map((event) => event.numbered.length),
    [1, 1, 0, 0],
    'numbered parameters of jdbc_static: ',
  )
  return `${ROWS + 1} rows in two runs, in pages and prepared; 4 events enriched by each filter`
}

const postgresBin = () => {
  const root = '/usr/lib/postgresql'
  const version = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0] : undefined
  return version === undefined ? undefined : join(root, version, 'bin')
}

export const DATABASES = [
  {
    name: 'PostgreSQL',
    plugins: PLUGINS,
    isThere: () => postgresBin() !== undefined,
    package: 'postgresql',
    version: () => firstLine(join(postgresBin(), 'postgres'), ['--version']),
    async run(surroundings) {
      const owner = account('postgres')
      const bin = postgresBin()
      const data = surroundings.subfolder('pg', owner)
      const sockets = surroundings.subfolder('sockets', owner)
      const port = await freePort()
      const made = surroundings.spawn(
        join(bin, 'initdb'),
        [
          '-D',
          data,
          '-U',
          'tester',
          '-A',
          'scram-sha-256',
          '--pwfile',
          surroundings.file('password', 'sécret\n'),
          '-E',
          'UTF8',
          '--no-sync',
        ],
        { owner },
      )
      if ((await made.exited) !== 0) throw new Error(made.text)
      await surroundings.server(
        join(bin, 'postgres'),
        ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', sockets, '-F'],
        port,
        { owner },
      )
      const env = { ...process.env, PGPASSWORD: 'sécret' }
      const run = (sql) =>
        execFileSync(
          'psql',
          ['-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'tester', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1'],
          { env, input: sql },
        )
      const login = `jdbc_connection_string => "jdbc:postgresql://127.0.0.1:${port}/postgres" jdbc_user => "tester" jdbc_password => "sécret"`
      return checkDatabase(surroundings, login, run)
    },
  },
  {
    name: 'MariaDB',
    plugins: PLUGINS,
    program: 'mariadbd',
    package: 'mariadb-server',
    version: () => firstLine('mariadbd', ['--version']),
    async run(surroundings) {
      const data = surroundings.subfolder('db')
      const socket = join(surroundings.folder, 's')
      const port = await freePort()
      const user = process.getuid?.() === 0 ? ['--user=root'] : []
      const made = surroundings.spawn('mariadb-install-db', [
        '--no-defaults',
        `--datadir=${data}`,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        ...user,
      ])
      if ((await made.exited) !== 0) throw new Error(made.text)
      await surroundings.server(
        'mariadbd',
        [
          '--no-defaults',
          `--datadir=${data}`,
          `--socket=${socket}`,
          `--pid-file=${data}/pid`,
          '--bind-address=127.0.0.1',
          `--port=${port}`,
          ...user,
        ],
        port,
      )
      const run = (sql) =>
        execFileSync(
          'mariadb',
          ['--no-defaults', '-S', socket, '-u', 'root', '--default-character-set=utf8mb4', 'peers'],
          { input: sql },
        )
      execFileSync('mariadb', ['--no-defaults', '-S', socket, '-u', 'root'], {
        input:
          "CREATE DATABASE peers CHARACTER SET utf8mb4; CREATE USER 'tester'@'127.0.0.1' IDENTIFIED BY 'sécret'; GRANT ALL ON peers.* TO 'tester'@'127.0.0.1'; SET GLOBAL time_zone = '+00:00';",
      })
      const login = `jdbc_connection_string => "jdbc:mariadb://127.0.0.1:${port}/peers" jdbc_user => "tester" jdbc_password => "sécret"`
      return checkDatabase(surroundings, login, (sql) => run(`SET time_zone = '+00:00'; ${sql};`))
    },
  },
  {
    name: 'SQLite',
    plugins: PLUGINS,
    program: 'python3',
    package: 'python3',
    version: () => `SQLite ${firstLine('python3', ['-c', 'import sqlite3; print(sqlite3.sqlite_version)'])} of Python`,
    async run(surroundings) {
      const file = join(surroundings.folder, 'peers.db')
      const code =
        'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.stdin.read()); c.commit()'
      const run = (sql) => execFileSync('python3', ['-c', code, file], { input: `${sql};` })
      // SQLite has no type for times.
      return checkDatabase(surroundings, `jdbc_connection_string => "jdbc:sqlite:${file}"`, run, '2026-03-01 00:00:00')
    },
  },
]
