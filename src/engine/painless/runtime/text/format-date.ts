/** The `%t` conversions of String.format. */
import { throwable } from '../../errors/java-throwable.ts'
import { ROOT } from '../lang/locale.ts'
import { TEXT_STYLES } from '../time/day-and-month.ts'
import { Instant } from '../time/instant.ts'
import { dateOf, two } from '../time/local-date.ts'
import type { Temporal } from '../time/temporal.ts'
import { field } from '../time/units.ts'
import { zonedFromMillis } from '../time/zoned-date-time.ts'

const [FULL, , SHORT] = TEXT_STYLES

export function formatDate(letter: string, value: Temporal | bigint): string {
  const from =
    typeof value === 'bigint'
      ? zonedFromMillis(Number(value))
      : value instanceof Instant
        ? zonedFromMillis(Number(value.toEpochMilli_0()))
        : value
  const part = (name: string) => Number(from.getLong_1(field(name)))
  const hour12 = () => part('CLOCK_HOUR_OF_AMPM')
  switch (letter) {
    case 'Y':
      return String(part('YEAR')).padStart(4, '0')
    case 'y':
      return two(part('YEAR') % 100)
    case 'C':
      return two(Math.floor(part('YEAR') / 100))
    case 'm':
      return two(part('MONTH_OF_YEAR'))
    case 'd':
      return two(part('DAY_OF_MONTH'))
    case 'e':
      return String(part('DAY_OF_MONTH'))
    case 'j':
      return String(part('DAY_OF_YEAR')).padStart(3, '0')
    case 'B':
      return dateOf(from).getMonth_0().getDisplayName_2(FULL!, ROOT)
    case 'b':
    case 'h':
      return dateOf(from).getMonth_0().getDisplayName_2(SHORT!, ROOT)
    case 'A':
      return dateOf(from).getDayOfWeek_0()!.getDisplayName_2(FULL!, ROOT)
    case 'a':
      return dateOf(from).getDayOfWeek_0()!.getDisplayName_2(SHORT!, ROOT)
    case 'H':
      return two(part('HOUR_OF_DAY'))
    case 'k':
      return String(part('HOUR_OF_DAY'))
    case 'I':
      return two(hour12())
    case 'l':
      return String(hour12())
    case 'M':
      return two(part('MINUTE_OF_HOUR'))
    case 'S':
      return two(part('SECOND_OF_MINUTE'))
    case 'L':
      return String(part('MILLI_OF_SECOND')).padStart(3, '0')
    case 'N':
      return String(part('NANO_OF_SECOND')).padStart(9, '0')
    case 'p':
      return part('AMPM_OF_DAY') === 0 ? 'am' : 'pm'
    case 's':
      return String(part('INSTANT_SECONDS'))
    case 'Q':
      return String(from.toEpochMilli_0())
    case 'F':
      return ['Y', '-', 'm', '-', 'd'].map((l) => (l === '-' ? l : formatDate(l, from))).join('')
    case 'T':
      return ['H', ':', 'M', ':', 'S'].map((l) => (l === ':' ? l : formatDate(l, from))).join('')
    case 'R':
      return ['H', ':', 'M'].map((l) => (l === ':' ? l : formatDate(l, from))).join('')
    case 'D':
      return ['m', '/', 'd', '/', 'y'].map((l) => (l === '/' ? l : formatDate(l, from))).join('')
    default:
      throw throwable('java.util.UnknownFormatConversionException', `Conversion = 't${letter}'`)
  }
}
