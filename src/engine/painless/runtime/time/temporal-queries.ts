/** TemporalQueries, eras, and the Julian day fields. */
import { dateTime } from '../../errors/java-throwable.ts'
import { functionObject } from '../functions/function-object.ts'
import { JEnum, registerEnum } from '../java-enum.ts'
import type { JFunction } from '../java-object.ts'
import { registerFields, registerStatics } from '../registry.ts'
import { Parsed } from './formatter.ts'
import { LocalDate } from './local-date.ts'
import { LocalTime } from './local-time.ts'
import { Temporal } from './temporal.ts'
import { DerivedField, field, unit } from './units.ts'
import { ValueRange } from './value-range.ts'
import { type ZoneId, ZoneOffset } from './zone.ts'

const part = (from: Temporal, name: string) => from.fieldValue?.(field(name))

/** The zone of an object with a region, not that of an offset. */
function zoneId(from: Temporal): ZoneId | null {
  if (!('zone' in from)) return null
  return from instanceof Parsed && from.zone === from.offset ? null : (from.zone as ZoneId | null)
}

function offset(from: Temporal): ZoneOffset | null {
  const seconds = part(from, 'OFFSET_SECONDS')
  return seconds === undefined ? null : ZoneOffset.of(seconds)
}

function precision(from: Temporal): JEnum | null {
  if (from instanceof Parsed) return null
  if (part(from, 'NANO_OF_SECOND') !== undefined) return unit('NANOS')
  if (part(from, 'EPOCH_DAY') !== undefined) return unit('DAYS')
  if (part(from, 'PROLEPTIC_MONTH') !== undefined) return unit('MONTHS')
  return part(from, 'YEAR') === undefined ? null : unit('YEARS')
}

const QUERIES: Readonly<Record<string, (from: Temporal) => unknown>> = {
  localDate: (from) => {
    const day = part(from, 'EPOCH_DAY')
    return day === undefined ? null : LocalDate.ofEpochDay(day)
  },
  localTime: (from) => {
    const nanos = part(from, 'NANO_OF_DAY')
    return nanos === undefined ? null : new LocalTime(nanos)
  },
  offset,
  zoneId,
  zone: (from) => zoneId(from) ?? offset(from),
  precision,
}
for (const [name, query] of Object.entries(QUERIES)) {
  const object = functionObject('java.time.temporal.TemporalQuery', query)
  registerStatics('java.time.temporal.TemporalQueries', { [`${name}_0`]: () => object })
}

Object.defineProperty(Temporal.prototype, 'query_1', {
  value(this: Temporal, query: JFunction) {
    return query.call(this)
  },
})

class IsoEra extends JEnum {
  getValue_0(): number {
    return this.ordinal
  }
}
const ERAS = ['BCE', 'CE'].map((name, i) => new IsoEra('java.time.chrono.IsoEra', name, i))
registerEnum('java.time.chrono.IsoEra', ERAS)
registerStatics('java.time.chrono.IsoEra', {
  of_1: (value: number) => {
    if (ERAS[value] === undefined) throw dateTime(`Invalid era: ${value}`)
    return ERAS[value]
  },
})
Object.defineProperty(LocalDate.prototype, 'getEra_0', {
  value(this: LocalDate) {
    return ERAS[this.year > 0 ? 1 : 0]
  },
})

const DAYS = field('EPOCH_DAY')
/** Counts of days: the name, and the number of January 1, 1970. */
const JULIAN = {
  JULIAN_DAY: ['JulianDay', 2_440_588],
  MODIFIED_JULIAN_DAY: ['ModifiedJulianDay', 40_587],
  RATA_DIE: ['RataDie', 719_163],
} as const
for (const [name, [shown, epoch]] of Object.entries(JULIAN))
  registerFields('java.time.temporal.JulianFields', {
    [name]: new DerivedField(
      shown,
      (from) => Number(from.getLong_1(field('EPOCH_DAY'))) + epoch,
      (into, value) => into.with_2(field('EPOCH_DAY'), BigInt(value - epoch)),
      ValueRange.between(DAYS.min + epoch, DAYS.max + epoch),
      'java.time.temporal.JulianFields$Field',
    ),
  })
