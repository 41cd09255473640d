/** `binary`: base64 text in the source, bytes in doc values. */
import { illegalArgument } from '../../../base/api-error.ts'
import { NULL, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { parserTokenName } from '../../../base/json/token-names.ts'
import { BINARY } from '../../document/parsed-document.ts'
import { docValues, meta, store } from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_VALUE } from '../documents/field-plan.ts'
import type { IndexValue } from '../field-type.ts'
import type { LeafDefinition } from '../leaf-mapper.ts'
import { BaseFieldType } from './base-field-type.ts'

export const binaryType: LeafDefinition = {
  type: 'binary',
  traits: { family: 'binary' },
  mayHaveSubFields: true,
  parameters: [meta(), store(), docValues(false)],
  build(leaf, site) {
    const hasDocValues = leaf.flag('doc_values')
    const schema = site.schema({ docValues: hasDocValues ? 'binary' : 'none' })
    return {
      type: new BinaryType({ leaf, site, shape: 'binary', schema, indexed: false, hasDocValues: hasDocValues }),
      plan: new FieldPlan({
        path: site.path,
        type: 'binary',
        op: OP_VALUE,
        schema,
        stored: leaf.flag('store'),
        takesObjects: true,
        takesArrays: !hasDocValues && !leaf.flag('store'),
        writeValue: writeBinary,
      }),
    }
  },
}

function writeBinary(plan: FieldPlan, sink: EntrySink): void {
  const { reader } = sink
  if (reader.token !== START_ARRAY) {
    writeOne(plan, sink)
    return
  }
  // A field that stores nothing skips the array without validating it.
  reader.skipChildren()
}

function writeOne(plan: FieldPlan, sink: EntrySink): void {
  const { reader } = sink
  if (reader.token === NULL) return
  if (reader.token === START_OBJECT) {
    // Elasticsearch leaves the object unread here, takes its members for members of the enclosing object and fails at the end.
    if (!plan.writes && !plan.stored && plan.copyTo.length > 0) {
      reader.skipChildren()
      return
    }
    if (!plan.writes && !plan.stored) return
    throw notBinary(sink)
  }
  if (!plan.writes && !plan.stored) return
  if (reader.token !== STRING) throw notBinary(sink)
  const bytes = readBase64(sink)
  if (!plan.writes) return
  const start = sink.put(bytes)
  sink.out.add(plan.schema!, BINARY, start, start + bytes.length, sink.doc)
}

const notBinary = ({ reader, places }: EntrySink) =>
  places.jsonError(
    'json_parse_exception',
    `Current token (${parserTokenName(reader.token)}) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary`,
    reader.end,
  )

const PADDING =
  "Unexpected end of base64-encoded String: base64 variant 'MIME-NO-LINEFEEDS' expects padding (one or more '=' characters) at the end. This Base64Variant might have been incorrectly configured"

/** Strict base64: units of four characters with padding, white space only between units. */
function readBase64({ reader, places }: EntrySink): Uint8Array {
  const text = reader.text()
  const fail = (at: number, why: string) =>
    places.jsonError('json_parse_exception', `Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): ${why}`, at)
  let unit = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    const at = reader.start + i + 1
    if (char <= ' ') {
      if (unit === 0) continue
      const code = char.charCodeAt(0).toString(16)
      throw fail(
        at,
        `Illegal white space character (code 0x${code}) as character #${unit + 1} of 4-char base64 unit: can only used between units`,
      )
    }
    if (char === '=') {
      if (unit < 2) {
        throw fail(
          at,
          `Unexpected padding character ('=') as character #${unit + 1} of 4-char base64 unit: padding only legal as 3rd or 4th character`,
        )
      }
      if (unit === 2 && text[++i] !== '=') throw fail(at + 1, "expected padding character '='")
      unit = 0
      continue
    }
    if (!/[A-Za-z0-9+/]/.test(char)) {
      throw fail(at, `Illegal character '${char}' (code 0x${char.charCodeAt(0).toString(16)}) in base64 content`)
    }
    unit = (unit + 1) % 4
  }
  if (unit === 1) throw fail(reader.end + 1, `Illegal character '"' (code 0x22) in base64 content`)
  if (unit !== 0) throw places.jsonError('json_parse_exception', PADDING, reader.end)
  return Buffer.from(text, 'base64')
}

class BinaryType extends BaseFieldType {
  override termValue(_value: unknown): IndexValue {
    throw illegalArgument('Binary fields do not support searching')
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    this.refuseFormat(format)
    return Buffer.from(value as Uint8Array).toString('base64')
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value === null ? undefined : value
  }
}
