/** The default formats of Year, YearMonth and MonthDay. */
import * as f from '../../../time/format/date-fields.ts'
import { digits, sequence, value } from '../../../time/format/format-node.ts'
import { DateTimeFormatter } from './formatter.ts'

export type { DateTimeFormatter } from './formatter.ts'

export function compileYearFormats() {
  return {
    year: new DateTimeFormatter(sequence(value(f.YEAR, 4, 10, 'exceeds-pad'))),
    yearMonth: new DateTimeFormatter(sequence(value(f.YEAR, 4, 10, 'exceeds-pad'), '-', digits(f.MONTH, 2))),
    monthDay: new DateTimeFormatter(sequence('--', digits(f.MONTH, 2), '-', digits(f.DAY_OF_MONTH, 2))),
  }
}
