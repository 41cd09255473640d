/** date_index_name: sets the index to a date math name made from a date in the document. */
import { javaString } from '../../../engine/painless/index.ts'
import { compileDateFormat } from '../../../engine/time/format/date-format.ts'
import { timeZone, UTC } from '../../../engine/time/zone/time-zone.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { firstInstant, lazyReader } from './date.ts'

const DATE_FORMAT = "yyyy-MM-dd'T'HH:mm:ss.SSSXX"

export const dateIndexName: ProcessorFactory = (reader, { nowMs }) => {
  const locale = reader.optionalString('locale') ?? 'en'
  const zoneName = reader.optionalString('timezone')
  const zone = zoneName === undefined ? UTC : timeZone(zoneName)
  const formats = reader.optionalStrings('date_formats') ?? [DATE_FORMAT]
  const field = reader.string('field')
  const prefix = reader.optionalText('index_name_prefix')
  const rounding = reader.text('date_rounding')
  const indexFormat = reader.optionalText('index_name_format')
  const readers = formats.map((format) => lazyReader(format, zone, locale, nowMs))
  return (document) => {
    const value = document.get(field)
    const { ms, nanosOfMs } = firstInstant(value === null ? null : javaString(value), readers)
    const format = indexFormat?.render(document) ?? 'yyyy-MM-dd'
    const date = compileDateFormat(format).format(ms, nanosOfMs, zone)
    const start = prefix?.render(document) ?? ''
    const math = `{${date}||/${rounding.render(document)}{${format}|${zoneName ?? 'UTC'}}}`
    document.set('_index', `<${start}${math}>`)
  }
}
