import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { jdbcStatic } from '../filters/jdbc_static.ts'
import { withDefaults } from '../plugin/default-options.ts'
import type { Filter } from '../plugin/filter-plugin.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { sqliteFile } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-jdbc-static-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const path = join(folder, 'hosts.db')
const source = sqliteFile(path, {})
source.exec('CREATE TABLE hosts (ip TEXT, descr TEXT, rack INTEGER, weight REAL, active INTEGER)')
source.run("INSERT INTO hosts VALUES ('10.0.0.1', 'web', 1, 2.0, 1), ('10.0.0.2', 'mail', 2, 3.5, 0)")
source.close()

const SERVERS = {
  name: 'servers',
  index_columns: ['ip'],
  columns: [
    ['ip', 'varchar(15)'],
    ['Descr', 'varchar(60)'],
    ['rack', 'int'],
    ['weight', 'double precision'],
    ['active', 'boolean'],
  ],
}
const LOADER = { query: 'SELECT ip, descr, rack, weight, active FROM hosts', local_table: 'servers' }
const LOOKUP = { query: 'SELECT * FROM servers WHERE ip = :ip', parameters: { ip: '[ip]' }, target: 'server' }

function make(options: Record<string, unknown>, warnings: string[] = []): Filter {
  const told = (message: string) => void warnings.push(message)
  const context = testContext({ log: { error: told, warn: told, info() {}, debug() {} } })
  const given = {
    jdbc_connection_string: `jdbc:sqlite:${path}`,
    loaders: [LOADER],
    local_db_objects: [SERVERS],
    local_lookups: [LOOKUP],
    ...options,
  }
  return jdbcStatic.create(withDefaults(jdbcStatic.options, given), { ...context, succeed() {} })
}

async function run(filter: Filter, fields: Record<string, unknown>): Promise<[boolean, Record<string, unknown>]> {
  const event = Event.ofFields(toFieldValue(fields) as Fields, new Timestamp(0))
  const isMatch = await filter.filter(event, [])
  const { '@timestamp': _, '@version': __, ...rest } = JSON.parse(jsonText(event.fields)) as Record<string, unknown>
  return [isMatch, rest]
}

test('jdbc_static adds rows of tables it has loaded, with names in lower case and the types of the columns', async () => {
  const filter = make({})
  assert.deepEqual(await run(filter, { ip: '10.0.0.1' }), [
    true,
    { ip: '10.0.0.1', server: [{ ip: '10.0.0.1', descr: 'web', rack: 1, weight: 2, active: true }] },
  ])
  assert.deepEqual(await run(filter, { ip: 'x' }), [true, { ip: 'x', server: [] }])
  await filter.close!()
})

test('jdbc_static tags an event without the field of a parameter, and the filter does not match', async () => {
  const warnings: string[] = []
  const filter = make({}, warnings)
  for (const fields of [{ a: 1 }, { ip: ['10.0.0.1'] }]) {
    const [isMatch, found] = await run(filter, fields)
    assert.equal(isMatch, false)
    assert.deepEqual(found, { ...fields, tags: ['_jdbcstaticfailure'] })
  }
  assert.match(warnings.join('\n'), /Parameter field not found in event \(lookup-1\): \[ip\]/)
  await filter.close!()
})

test('jdbc_static uses the default of a lookup without rows, numbered parameters, and its id as target', async () => {
  const numbered = {
    id: 'rack_of',
    query: 'SELECT rack FROM servers WHERE ip = ? AND rack < ?',
    prepared_parameters: ['%{ip}', '[max]'],
    default_hash: { rack: 'none' },
  }
  const filter = make({ local_lookups: [numbered] })
  assert.deepEqual((await run(filter, { ip: '10.0.0.2', max: 5 }))[1]['rack_of'], [{ rack: 2 }])
  assert.deepEqual(await run(filter, { ip: '10.0.0.2', max: 1 }), [
    true,
    { ip: '10.0.0.2', max: 1, rack_of: [{ rack: 'none' }], tags: ['_jdbcstaticdefaultsused'] },
  ])
  await filter.close!()
})

test('jdbc_static leaves a table empty if its query fails or finds more rows than max_rows', async () => {
  const warnings: string[] = []
  const tooMany = make({ loaders: [{ ...LOADER, max_rows: 1 }] }, warnings)
  assert.deepEqual((await run(tooMany, { ip: '10.0.0.1' }))[1]['server'], [])
  await tooMany.close!()
  const wrong = make({ loaders: [{ ...LOADER, query: 'SELECT nothing FROM nowhere' }] }, warnings)
  assert.deepEqual((await run(wrong, { ip: '10.0.0.1' }))[1]['server'], [])
  await wrong.close!()
  assert.match(warnings.join('\n'), /more than max_rows results[\s\S]*executing loader Jdbc query \(servers\)/)
})

test('jdbc_static rejects definitions that contradict themselves, with all mistakes', () => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ local_lookups: [{ target: 'a' }] }, /The options for 'lookup-1' must include a 'query' string/],
    [
      { local_lookups: [{ ...LOOKUP, prepared_parameters: [] }] },
      /Can't specify 'parameters' and 'prepared_parameters' in the same lookup/,
    ],
    [
      { local_lookups: [{ query: 'SELECT ?', prepared_parameters: [] }] },
      /doesn't match count with query's placeholder/,
    ],
    [{ local_lookups: [LOOKUP, { ...LOOKUP, id: 'b' }] }, /'lookup-1', 'b' have the same target field setting/],
    [{ local_lookups: [{ ...LOOKUP, tagret: 'x' }] }, /Unknown setting 'tagret' for lookup 'lookup-1'/],
    [{ loaders: [{ query: 'SELECT 1' }] }, /The options must include a 'local_table' string/],
    [{ loaders: [{ ...LOADER, local_table: 'none' }] }, /the local_table 'none' is not one of local_db_objects/],
    [{ local_db_objects: [{ ...SERVERS, index_columns: ['x'] }] }, /The index_columns element: 'x' must be a column/],
    [{ local_db_objects: [{ name: 'a', columns: [['b']] }] }, /The columns array for 'a' is not uniform/],
    [{ local_db_objects: [{ name: 'a', columns: [['b', 'int); --']] }] }, /must be the name of a type/],
  ]
  for (const [options, expected] of cases) assert.throws(() => make(options), expected)
})
