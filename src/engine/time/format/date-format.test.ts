import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../../base/api-error.ts'
import { timeZone } from '../zone/time-zone.ts'
import { BUILT_IN_FORMAT_NAMES } from './built-in-formats.ts'
import { compileDateFormat } from './date-format.ts'

// Goal: texts are parsed to the same instants as in Elasticsearch. Method: its recorded responses per format.
test('date texts are parsed as in Elasticsearch', () => {
  const read: [pattern: string, text: string, ms: number, nanosOfMs?: number][] = [
    ['strict_date_optional_time', '2024', 1704067200000],
    ['strict_date_optional_time', '2024-02', 1706745600000],
    ['strict_date_optional_time', '2024-02-29', 1709164800000],
    ['strict_date_optional_time', '2024-01-01T10', 1704103200000],
    ['strict_date_optional_time', '2024-01-01T10:11:12.123456789+0200', 1704096672123, 456789],
    ['strict_date_optional_time', '2024-01-01T10:00:00,5Z', 1704103200500],
    ['strict_date_optional_time', '2024-01-01T10:00:00Europe/Paris', 1704099600000],
    ['strict_date_optional_time', '2024-03-31T02:30:00Europe/Paris', 1711848600000],
    ['strict_date_optional_time', '2024-10-27T02:30:00Europe/Paris', 1729989000000],
    ['strict_date_optional_time||epoch_millis', '1704067200000', 1704067200000],
    ['date_optional_time', '24-1-2T3:4', -61409739360000],
    ['epoch_millis', '-1500', -1500],
    ['epoch_millis', '1500.25', 1500, 250000],
    ['epoch_second', '-1.5', -1500],
    ['basic_date_time', '20240102T030405.678Z', 1704164645678],
    ['basic_ordinal_date', '2024060', 1709164800000],
    ['basic_week_date', '2024W011', 1704067200000],
    ['strict_date', '2023-02-30', 1677715200000],
    ['strict_date_hour', '2024-01-01T24', 1704153600000],
    ['strict_week_date', '2020-W53-7', 1609632000000],
    ['weekyear_week', '2024-W09', 1708905600000],
    ['strict_t_time', 'T10:11:12.5+01:00', 33072500],
    ['year_month', '2024-7', 1719792000000],
    ['yyyy-MM-dd', '2024-05-06', 1714953600000],
    ['dd/MM/yy', '01/02/99', 4073587200000],
    ['yyyyMMddHHmmssSSS', '20240506070809123', 1714979289123],
    ['EEE, dd MMM yyyy HH:mm:ss Z', 'Mon, 06 May 2024 07:08:09 +0130', 1714973889000],
    ['d/M/yyyy h:mm a', '6/5/2024 12:08 AM', 1714954080000],
    ['YYYY-ww-e', '2024-52-7', 1735430400000],
    ['uuuu-DDD', '2024-366', 1735603200000],
    ['HH:mm', '07:08', 25680000],
    ['MM-dd', '05-06', 10800000000],
    ['G yyyy-MM-dd', 'BC 0044-03-15', -63517824000000],
    ['yyyy-MM-dd[ HH:mm[:ss]]', '2024-05-06 07:08', 1714979280000],
    ['uuuu-MM-dd HH:mm VV', '2024-05-06 07:08 America/New_York', 1714993680000],
    ['8yyyy-MM-dd', '2024-05-06', 1714953600000],
  ]
  for (const [pattern, text, ms, nanosOfMs = 0] of read) {
    assert.deepEqual(compileDateFormat(pattern).parse(text), { ms, nanosOfMs }, `${pattern} ${text}`)
  }
})

// Goal: invalid dates are rejected with Elasticsearch's message, down to the index. Method: its recorded errors.
test("invalid date texts are rejected with Elasticsearch's causes", () => {
  const unreadable = (pattern: string, text: string, ...causes: string[]) => [
    `failed to parse date field [${text}] with format [${pattern}]`,
    ...causes,
  ]
  const refused: [pattern: string, text: string, reasons: string[]][] = [
    ['yyyy-MM-dd', '2023-02-30', ["Invalid date 'FEBRUARY 30'"]],
    ['strict_date_optional_time', '2023-02-29', ["Invalid date 'February 29' as '2023' is not a leap year"]],
    ['strict_date_optional_time', '2024-00-01', ['Invalid value for MonthOfYear (valid values 1 - 12): 0']],
    ['yyyy-MM-dd', '', ['cannot parse empty datetime']],
  ]
  for (const text of ['31-12-2023', '2024-13-01', '2024-01-01T25', '2024-01-01T10:00:00+19:00']) {
    const pattern = 'strict_date_optional_time||epoch_millis'
    refused.push([pattern, text, unreadable(pattern, text, 'Failed to parse with all enclosed parsers')])
  }
  const conflict = 'Conflict found: Field DayOfWeek 1 differs from DayOfWeek 2 derived from 2024-05-06'
  const single: [string, string, string[]][] = [
    ['yyyy-MM-dd', '2023-02', ["Text '2023-02' could not be parsed at index 7"]],
    ['yyyy-MM-dd', '2023-02-01x', ["Text '2023-02-01x' could not be parsed, unparsed text found at index 10"]],
    ['EEE uuuu-MM-dd', 'Tue 2024-05-06', [`Text 'Tue 2024-05-06' could not be parsed: ${conflict}`, conflict]],
  ]
  for (const [pattern, text, causes] of single) refused.push([pattern, text, unreadable(pattern, text, ...causes)])

  for (const [pattern, text, reasons] of refused) {
    const error = errorOf(() => compileDateFormat(pattern).parse(text))
    const found: string[] = []
    for (let cause: ApiError | undefined = error; cause !== undefined; cause = cause.causedBy) found.push(cause.message)
    assert.deepEqual(found, reasons, `${pattern} ${text}`)
  }
})

test('instants are printed as in Elasticsearch', () => {
  const ms = 1714979289123
  const printed: [pattern: string, ms: number, nanosOfMs: number, zone: string, text: string][] = [
    ['strict_date_optional_time', ms, 0, 'Z', '2024-05-06T07:08:09.123Z'],
    ['strict_date_optional_time_nanos', ms, 456700, 'Z', '2024-05-06T07:08:09.1234567Z'],
    ['strict_date_optional_time', ms, 0, 'Europe/Paris', '2024-05-06T09:08:09.123+02:00'],
    ['strict_date_optional_time', -62198755200000, 0, 'Z', '-0001-01-01T00:00:00.000Z'],
    ['strict_date_optional_time', 253402300800000, 0, 'Z', '+10000-01-01T00:00:00.000Z'],
    ['epoch_second', -1500, 0, 'Z', '-1.5'],
    ['epoch_millis', -1500, 250000, 'Z', '-1499.75'],
    ['basic_week_date_time', ms, 0, 'Z', '2024W191T070809.123Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", ms, 0, 'America/St_Johns', '2024-05-06T04:38:09.123-02:30'],
    ['EEEE d MMMM yyyy h:mm a', ms, 0, 'Z', 'Monday 6 May 2024 7:08 AM'],
    ['QQQ D w e', ms, 0, 'Z', 'Q2 127 19 1'],
    ['GGG yy', -62198755200000, 0, 'Z', 'BC 02'],
    ['O OOOO VV x', ms, 0, 'Asia/Kathmandu', 'GMT+5:45 GMT+05:45 Asia/Kathmandu +0545'],
    ['ppH:mm', ms, 0, 'Z', ' 7:08'],
  ]
  for (const [pattern, at, nanos, zone, text] of printed) {
    assert.equal(compileDateFormat(pattern).format(at, nanos, timeZone(zone)), text, pattern)
  }
})

test('names of months and days follow the locale', () => {
  const german = compileDateFormat('d. MMMM yyyy', 'de')
  assert.equal(german.format(1709251200000), '1. März 2024')
  assert.equal(german.parseMs('1. März 2024'), 1709251200000)
})

test('short month names are accepted with and without a dot, as different Java versions write them', () => {
  const german = compileDateFormat('8E, d MMM uuuu', 'de')
  for (const text of ['Mi, 6 Dez 2000', 'Mi., 6 Dez. 2000'])
    assert.equal(german.parseMs(text), Date.UTC(2000, 11, 6), text)
  assert.equal(compileDateFormat('d MMM uuuu', 'fi').format(Date.UTC(2000, 0, 6)), '6 tammi 2000')
})

test('weeks follow the locale in patterns, and are ISO weeks in named formats', () => {
  assert.equal(compileDateFormat('YYYY-ww-e', 'en').parseMs('2024-05-3'), Date.UTC(2024, 0, 30))
  assert.equal(compileDateFormat('YYYY-ww-e', 'en-GB').parseMs('2024-05-3'), Date.UTC(2024, 0, 31))
  assert.equal(compileDateFormat('YYYY-ww-e', 'ROOT').parseMs('2024-05-3'), Date.UTC(2024, 0, 31))
  assert.equal(compileDateFormat('week_date', 'en').parseMs('2024-W05-3'), Date.UTC(2024, 0, 31))
})

test('a text that no reader accepts is reported without throwing', () => {
  const format = compileDateFormat('strict_date_optional_time||yyyy/MM/dd HH:mm:ss Z||yyyy/MM/dd Z')
  for (const text of ['2024-05-06', '2024/05/06 Z', '2024-05-06T07:08:09.5+01:00']) {
    assert.equal(format.accepts(text), text !== '2024/05/06 Z', text)
  }
  for (const text of ['', 'hello', '2023-02-30', '2024/05/06', '12345']) assert.equal(format.accepts(text), false, text)
  assert.equal(format.accepts('2024/05/06 +0100'), true)
})

test('rounding up fills the rest of the day and not of the month', () => {
  const format = compileDateFormat('strict_date_optional_time||epoch_millis')
  assert.deepEqual(format.parse('2024-05', { roundUp: true }), { ms: 1714607999999, nanosOfMs: 999999 })
  assert.deepEqual(format.parse('5', { roundUp: true }), { ms: 5, nanosOfMs: 999999 })
  const zone = timeZone('America/New_York')
  assert.equal(format.parse('2024-05-06', { roundUp: true, zone }).ms, 1715054399999)
})

test('malformed patterns are rejected with the reason', () => {
  const refused: [pattern: string, reason: string][] = [
    ['qqqq_bad', 'Invalid format: [qqqq_bad]: Unknown pattern letter: b'],
    ['dateOptionalTime', 'Invalid format: [dateOptionalTime]: Unknown pattern letter: t'],
    ["'abc", "Invalid format: ['abc]: Pattern ends with an incomplete string literal: 'abc"],
    ['a]b', 'Invalid format: [a]b]: Pattern invalid as it contains ] without previous ['],
    ['y#', "Invalid format: [y#]: Pattern includes reserved character: '#'"],
    ['HHH', 'Invalid format: [HHH]: Too many pattern letters: H'],
    ['', 'No date pattern provided'],
    ['yyyy||', 'Cannot have empty element in multi date format pattern: yyyy||'],
  ]
  for (const [pattern, reason] of refused) assert.equal(errorOf(() => compileDateFormat(pattern)).message, reason)
})

// Goal: every built-in format parses what it prints. Method: random instants, reduced to the precision of the format by
// a first round trip.
test('every built-in format parses what it prints', () => {
  fc.assert(
    fc.property(fc.constantFrom(...BUILT_IN_FORMAT_NAMES), fc.integer({ min: 0, max: 4e9 }), (name, seconds) => {
      const format = compileDateFormat(name)
      const shown = format.format(format.parse(format.format(seconds * 1000)).ms)
      assert.equal(format.format(format.parse(shown).ms), shown)
    }),
  )
})

function errorOf(run: () => unknown): ApiError {
  try {
    run()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('no error')
}
