/** java.time.chrono.IsoChronology: the calendar of dates and periods, of which scripts can only get the name. */
import { JObject } from '../java-object.ts'
import { registerFields } from '../registry.ts'
import { Period } from './amounts.ts'
import { LocalDate } from './local-date.ts'

class IsoChronology extends JObject {
  get $class(): string {
    return 'java.time.chrono.IsoChronology'
  }

  getId_0(): string {
    return 'ISO'
  }

  override toString_0(): string {
    return 'ISO'
  }
}

const INSTANCE = new IsoChronology()
registerFields('java.time.chrono.IsoChronology', { INSTANCE })
for (const type of [LocalDate, Period])
  Object.defineProperty(type.prototype, 'getChronology_0', { value: () => INSTANCE })
