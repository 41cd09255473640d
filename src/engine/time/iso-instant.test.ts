import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileDateFormat } from './format/date-format.ts'
import { lastIso, parseIsoMs, parseIsoTextMs } from './iso-instant.ts'

const encoder = new TextEncoder()

test('parseIsoMs parses the instants that the runtime prints', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      const bytes = encoder.encode(`x${date.toISOString()}x`)
      assert.equal(parseIsoMs(bytes, 1, bytes.length - 1), date.getTime())
    }),
  )
})

test('parseIsoMs keeps digits finer than a millisecond', () => {
  assert.equal(parseIsoTextMs('1970-01-01T00:00:00.001002003Z'), 1)
  assert.equal(lastIso.nanosOfMs, 2003)
})

// Goal: the fast path accepts only what the general parser accepts, with the same result. Method: a format whose first
// reader is the general one.
test('the fast path agrees with the general parser on every text it accepts', () => {
  const general = compileDateFormat("uuuu[-MM[-dd['T'HH[:mm[:ss[.SSSSSSSSS]]][XXX]]]]||strict_date_optional_time")
  const part = (...texts: string[]) => fc.constantFrom('', ...texts)
  const text = fc
    .tuple(
      fc.constantFrom('2024', '1900', '0000', '9999', '24', '20x4'),
      part('-02', '-12', '-13', '-00', '-1'),
      part('-29', '-30', '-31', '-01', '-00', '-1'),
      part('T', 'T10', 'T23', 'T24', ' 10', 't10'),
      part(':00', ':59', ':60', ':5'),
      part(':00', ':59', ':60', '.5'),
      part('.1', '.123456789', '.', ',5'),
      part('Z', '+01', '+0130', '+01:30', '-18:00', '+19:00', 'Europe/Paris'),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (candidate) => {
      const ms = parseIsoTextMs(candidate)
      if (!Number.isNaN(ms)) assert.equal(general.parseMs(candidate), ms, candidate)
    }),
    { numRuns: 2000 },
  )
})
