import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayOfWeek, dayOfYear, daysInMonth, fromEpochDay, ISO_WEEKS, toEpochDay, weekOfEpochDay } from './civil-date.ts'

const epochDays = fc.integer({ min: -100_000_000, max: 99_999_999 })

test("civil dates agree with the runtime's calendar", () => {
  fc.assert(
    fc.property(epochDays, (epochDay) => {
      const date = new Date(epochDay * 86_400_000)
      const civil = fromEpochDay(epochDay)
      assert.deepEqual(civil, { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })
      assert.equal(toEpochDay(civil.year, civil.month, civil.day), epochDay)
      assert.equal(dayOfWeek(epochDay) % 7, date.getUTCDay())
      assert.equal(dayOfYear(civil), epochDay - toEpochDay(civil.year, 1, 1) + 1)
      assert.ok(civil.day <= daysInMonth(civil.year, civil.month))
    }),
  )
})

test('a week belongs to the year that contains its Thursday', () => {
  assert.deepEqual(weekOfEpochDay(toEpochDay(2024, 12, 30), ISO_WEEKS), { weekYear: 2025, week: 1 })
  assert.deepEqual(weekOfEpochDay(toEpochDay(2021, 1, 3), ISO_WEEKS), { weekYear: 2020, week: 53 })
  fc.assert(
    fc.property(epochDays, (epochDay) => {
      const thursday = epochDay - dayOfWeek(epochDay) + 4
      const { year } = fromEpochDay(thursday)
      const week = Math.floor((thursday - toEpochDay(year, 1, 1)) / 7) + 1
      assert.deepEqual(weekOfEpochDay(epochDay, ISO_WEEKS), { weekYear: year, week })
    }),
  )
})
