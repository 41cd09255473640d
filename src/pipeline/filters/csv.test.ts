import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

async function columns(options: string, ...lines: string[]): Promise<Record<string, unknown>[]> {
  const events = await runFilters(`filter { csv { ${options} remove_field => ["message"] } }`, lines)
  return events.map(({ '@timestamp': _time, '@version': _version, ...rest }) => rest)
}

test("conversions of csv columns follow Ruby's number syntax", async () => {
  const convert = 'convert => { "column1" => "integer" "column2" => "float" }'
  assert.deepEqual(
    await columns(convert, '0x1F,1e3', '010,1_000.5', '08, 2.5 ', '-1_000,Infinity', ' 7 ,0b1', '1.5,.'),
    [
      { column1: 31, column2: 1000 },
      { column1: 8, column2: 1000.5 },
      { column1: '08', column2: 2.5 },
      { column1: -1000, column2: 'Infinity' },
      { column1: 7, column2: '0b1' },
      { column1: '1.5', column2: '.' },
    ],
  )
})

test('csv converts booleans and dates, and keeps values that cannot be converted', async () => {
  const convert = 'convert => { "column1" => "boolean" "column2" => "date" "column3" => "date_time" }'
  assert.deepEqual(
    await columns(convert, ' TRUE ,2001-02-03T04:05,2001-02-03 04:05:06', 'Maybe,someday,2001-02-03T04:05:06+02:00'),
    [
      { column1: true, column2: '2001-02-03T04:05', column3: '2001-02-03T04:05:06.000Z' },
      { column1: 'maybe', column2: 'someday', column3: '2001-02-03T02:05:06.000Z' },
    ],
  )
})

test('csv skips a line that repeats the column names, and a NUL quote character disables quoting', async () => {
  const header = 'columns => ["a", "b"] skip_header => true'
  assert.deepEqual(await columns(header, 'a,b', 'a,b,c'), [{ a: 'a', b: 'b', column3: 'c' }])
  assert.deepEqual(await columns("quote_char => '\\x00'", 'x,"y" z'), [{ column1: 'x', column2: '"y" z' }])
})

test('csv tags an event whose line is malformed or cannot be stored', async () => {
  const [unclosed, timestamp] = await columns('columns => ["@timestamp"]', '"x', 'now')
  assert.deepEqual([unclosed!['tags'], timestamp!['tags']], [['_csvparsefailure'], ['_csvparsefailure']])
})
