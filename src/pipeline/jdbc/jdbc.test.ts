import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'
import { toPlainValue } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { jdbc } from '../inputs/jdbc.ts'
import { makeInput, RunningInput, testContext } from '../registry/plugin-fixture.ts'
import { UTC, zoneOf } from '../time/zone.ts'
import { databaseTimeText, parseDatabaseTime } from './database-times.ts'
import { jdbcAddress, tlsWish } from './jdbc-address.ts'
import { readLastValue, writeLastValue } from './last-value.ts'
import { bindNamed, bindPositions } from './named-parameters.ts'
import { sqliteFile } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-jdbc-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const path = join(folder, 'songs.db')
const database = sqliteFile(path, {})
database.exec('CREATE TABLE songs (Id INTEGER, artist TEXT, length REAL, cover BLOB)')
for (let i = 1; i <= 5; i++) {
  database.run('INSERT INTO songs VALUES (?, ?, ?, ?)', [
    i,
    i % 2 === 0 ? 'Ann' : 'Bob',
    i + 0.5,
    Buffer.from('é', 'latin1'),
  ])
}
database.close()

const SOURCE = { jdbc_connection_string: `jdbc:sqlite:${path}` }

async function rowsOf(options: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  const input = await makeInput(jdbc, { ...SOURCE, ...options }, testContext({ dataFolder: folder }))
  const running = await new RunningInput(input).start()
  await running.ended()
  return running.events.map((event) => toPlainValue(event.fields) as Record<string, unknown>)
}

test('the jdbc input makes an event of each row, with parameters and column names in lower case', async () => {
  const rows = await rowsOf({
    statement: "SELECT Id, artist, length, cover FROM songs WHERE artist = :who AND ':who' <> '' ORDER BY Id",
    parameters: new Map([['who', 'Ann']]),
    columns_charset: new Map([['cover', 'ISO-8859-1']]),
    jdbc_fetch_size: 1,
  })
  assert.deepEqual(
    rows.map(({ id, artist, length, cover }) => [id, artist, length, cover]),
    [
      [2, 'Ann', 2.5, 'é'],
      [4, 'Ann', 4.5, 'é'],
    ],
  )
})

test('a run continues after the last value of the tracked column, which is kept in a file', async () => {
  const metadata = join(folder, 'last_run')
  const options = {
    statement: 'SELECT Id FROM songs WHERE Id > :sql_last_value ORDER BY Id LIMIT 2',
    use_column_value: true,
    tracking_column: 'id',
    last_run_metadata_path: metadata,
  }
  assert.deepEqual(
    (await rowsOf(options)).map(({ id }) => id),
    [1, 2],
  )
  assert.match(readFileSync(metadata, 'utf8'), /^--- 2\n# checksum \d+\n$/)
  assert.deepEqual(
    (await rowsOf(options)).map(({ id }) => id),
    [3, 4],
  )
  assert.deepEqual(
    (await rowsOf({ ...options, clean_run: true })).map(({ id }) => id),
    [1, 2],
  )
})

test('large results are read in pages', async () => {
  const statement = 'SELECT Id FROM songs ORDER BY Id'
  const paged = await rowsOf({ statement, jdbc_paging_enabled: true, jdbc_page_size: 2 })
  assert.deepEqual(
    paged.map(({ id }) => id),
    [1, 2, 3, 4, 5],
  )
  const explicit = { statement: `${statement} LIMIT :size OFFSET :offset`, jdbc_paging_mode: 'explicit' }
  const own = await rowsOf({ ...explicit, jdbc_paging_enabled: true, jdbc_page_size: 2 })
  assert.deepEqual(
    own.map(({ id }) => id),
    [1, 2, 3, 4, 5],
  )
})

test('contradictory options and unknown databases are rejected', async () => {
  await assert.rejects(rowsOf({}), /Must set either :statement or :statement_filepath/)
  await assert.rejects(rowsOf({ statement: 'x', use_column_value: true }), /Must set :tracking_column/)
  const prepared = { statement: 'SELECT ?', use_prepared_statements: true }
  await assert.rejects(rowsOf(prepared), /must provide a name .* mismatch between the number of statement/)
  const other = { statement: 'x', jdbc_connection_string: 'jdbc:oracle:thin:@h:1521/x' }
  await assert.rejects(rowsOf(other), /cannot be used here; there are jdbc:postgresql/)
})

test('jdbc_streaming adds rows, defaults and tags', async () => {
  const filter = (more: string) =>
    `filter { jdbc_streaming { jdbc_connection_string => "jdbc:sqlite:${path}" target => "songs" ${more} } }`
  const found = filter(
    'statement => "SELECT Id FROM songs WHERE artist = :who ORDER BY Id" parameters => { "who" => "artist" }',
  )
  const [ann, nobody] = await runFilters(found, [{ artist: 'Ann' }, { artist: 'Eve' }])
  assert.deepEqual(JSON.parse(JSON.stringify(ann!['songs'])), [{ Id: 2 }, { Id: 4 }])
  assert.deepEqual(nobody!['tags'], ['_jdbcstreamingdefaultsused'])
  const broken = filter('statement => "SELECT nothing FROM nowhere" default_hash => { "a" => "b" }')
  const [failed] = await runFilters(broken, [{}])
  assert.deepEqual(failed!['tags'], ['_jdbcstreamingfailure', '_jdbcstreamingdefaultsused'])
  assert.deepEqual(JSON.parse(JSON.stringify(failed!['songs'])), [{ a: 'b' }])
  const prepared = filter(
    'statement => "SELECT count(*) AS n FROM songs WHERE artist = ? AND Id > ?" use_prepared_statements => true prepared_statement_name => "p" prepared_statement_bind_values => ["[artist]", 1]',
  )
  const [counted] = await runFilters(prepared, [{ artist: 'Bob' }])
  assert.deepEqual(JSON.parse(JSON.stringify(counted!['songs'])), [{ n: 2 }])
})

test('named parameters are bound, except inside quotes, comments and casts', () => {
  const values = new Map<string, unknown>([['a', 1]])
  const { sql, values: bound } = bindNamed("SELECT ':a', :a::int -- :a\n, :b, :a", values, (n) => `$${n}`)
  assert.equal(sql, "SELECT ':a', $1::int -- :a\n, :b, $2")
  assert.deepEqual(bound, [1, 1])
  assert.equal(bindPositions("SELECT '?', ?, ?", [], (n) => `$${n}`).sql, "SELECT '?', $1, $2")
})

test('connection strings name hosts, ports, databases and TLS', () => {
  const { kind, host, port, database: name } = jdbcAddress('jdbc:mariadb://[::1]:3307/shop?useSSL=true')
  assert.deepEqual([kind, host, port, name], ['mysql', '::1', 3307, 'shop'])
  assert.equal(jdbcAddress('jdbc:postgresql://db/x').port, 5432)
  assert.equal(tlsWish(jdbcAddress('jdbc:postgresql://db/x?sslmode=verify-full')), 'checked')
  assert.equal(tlsWish(jdbcAddress('jdbc:mysql://db/x?useSSL=true')), 'unchecked')
  assert.equal(tlsWish(jdbcAddress('jdbc:mysql://db/x')), 'no')
})

test('times of databases are read and written in a zone', () => {
  const paris = zoneOf('Europe/Paris')!
  assert.equal(parseDatabaseTime('2024-07-01 12:00:00.123456', paris)!.toString(), '2024-07-01T10:00:00.123456Z')
  assert.equal(parseDatabaseTime('2024-07-01 12:00:00+02', UTC)!.toString(), '2024-07-01T10:00:00.000Z')
  assert.equal(databaseTimeText(Date.UTC(2024, 6, 1, 10), paris, true), '2024-07-01 12:00:00.000+0200')
  assert.equal(databaseTimeText(Date.UTC(2024, 0, 1, 10), UTC, false), '2024-01-01 10:00:00.000')
})

test('the value of the last run is read as Logstash wrote it', () => {
  const file = join(folder, 'state')
  writeFileSync(file, "--- !ruby/object:BigDecimal '18:0.42e2'\n")
  assert.equal(readLastValue(file, true), 42)
  writeFileSync(file, '--- 2024-01-02 03:04:05.678000000 Z\n')
  assert.equal(String(readLastValue(file, false)), '2024-01-02T03:04:05.678Z')
  writeLastValue(file, new Timestamp(Date.UTC(2024, 0, 1)))
  assert.equal(String(readLastValue(file, false)), '2024-01-01T00:00:00.000Z')
  assert.ok(!existsSync(`${file}.new`))
})

test('a value of the last run that was changed is reported and not used', () => {
  const file = join(folder, 'changed')
  writeLastValue(file, 42)
  assert.equal(readLastValue(file, true), 42)
  writeFileSync(file, readFileSync(file, 'utf8').replace('42', '82'))
  assert.throws(() => readLastValue(file, true), /changed is damaged: it does not match its checksum/)
})
