/** The values that the script of a runtime field emits for one document, for the execute API. */

import { Double } from '../../base/json/json-writer.ts'
import { newMembers } from '../../base/json/members.ts'
import { type ContextName, type EmitSink, fromJava } from '../painless/index.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { compileDateFormat } from '../time/format/date-format.ts'
import { formatIp, requireIp } from '../values/ip.ts'
import type { ScriptFields } from './doc-access.ts'
import { DocumentScript } from './document-script.ts'
import type { Script } from './script.ts'

const DATE_FORMAT = 'strict_date_optional_time||epoch_millis'

/** The values as a list; for a composite an object of lists. */
export function emittedValues(
  script: Script,
  context: ContextName,
  fields: ScriptFields,
  reader: SegmentReader,
  doc: number,
): unknown {
  const values: unknown[] = []
  const composite: Record<string, unknown[]> = newMembers()
  const dates = compileDateFormat(DATE_FORMAT)
  const emit: EmitSink = {
    emitLong(value) {
      if (context === 'date_field') values.push(dates.format(Number(value)))
      else values.push(Number.isSafeInteger(Number(value)) ? Number(value) : value)
    },
    emitDouble: (value) => void values.push(new Double(value)),
    // False sorts first, in any order of emission.
    emitBoolean: (value) => void (value ? values.push(value) : values.unshift(value)),
    emitString: (value) => void values.push(context === 'ip_field' ? formatIp(requireIp(value)) : value),
    emitGeoPoint: (lat, lon) => void values.push({ coordinates: [new Double(lon), new Double(lat)], type: 'Point' }),
    emitComposite(name, value) {
      composite[`composite_field.${name}`] = [...(composite[`composite_field.${name}`] ?? []), fromJava(value)]
    },
  }
  const parseDate = (text: string) => BigInt(dates.parse(text).ms)
  new DocumentScript(script, context, fields).open(reader, { emit, parseDate }).run(doc)
  return context === 'composite_field' ? composite : values
}
