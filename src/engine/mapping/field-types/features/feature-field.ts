/** What the types of features share: how documents name them, how they are stored, and what no query can do with them. */
import { illegalArgument } from '../../../../base/api-error.ts'
import { noFeatureValues } from '../../../../base/errors/mapping-errors.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  INTEGER,
  type JsonReader,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
} from '../../../../base/json/json-reader.ts'
import { tokenName } from '../../../../base/json/token-names.ts'
import { FEATURE } from '../../../document/parsed-document.ts'
import { checkFeature, encodeFeature } from '../../../values/feature-value.ts'
import { parseDouble } from '../../../values/java-number.ts'
import { javaText } from '../../../values/java-text.ts'
import type { EntrySink, FieldPlan } from '../../documents/field-plan.ts'
import type { IndexValue } from '../../field-type.ts'
import { BaseFieldType } from '../base-field-type.ts'

const WEIGHT_BYTES = 4

/** Adds a feature to the document. `shown` is the field that errors name. */
export function addFeature(plan: FieldPlan, sink: EntrySink, feature: string, value: number, shown: string): void {
  checkFeature(value, feature, shown)
  const term = Buffer.from(feature)
  const bytes = new Uint8Array(term.length + WEIGHT_BYTES)
  bytes.set(term)
  new DataView(bytes.buffer).setInt32(term.length, encodeFeature(value), true)
  const start = sink.put(bytes)
  sink.out.add(plan.schema!, FEATURE, start, start + term.length, sink.doc)
}

/** A number, or a text that contains one, in single precision. */
export function readFloat(reader: JsonReader): number {
  return Math.fround(reader.token === STRING ? parseDouble(reader.text()) : reader.number())
}

/** Reads an object of features, or an array of them, and calls back with each. */
export function readFeatures(plan: FieldPlan, sink: EntrySink, take: (feature: string, value: number) => void): void {
  const { reader } = sink
  if (reader.token === START_ARRAY) {
    while (reader.next() !== END_ARRAY) readFeatures(plan, sink, take)
    return
  }
  if (reader.token !== START_OBJECT) {
    throw illegalArgument(
      `[${plan.type}] fields must be json objects, expected a START_OBJECT but got: ${tokenName(reader.token)}`,
    )
  }
  sink.name(plan)
  while (reader.next() !== END_OBJECT) {
    const feature = reader.text()
    const token = reader.next()
    if (token === NULL) continue
    if (token !== INTEGER && token !== DECIMAL && token !== STRING) {
      throw illegalArgument(
        `[${plan.type}] fields take hashes that map a feature to a strictly positive float, but got unexpected token ${tokenName(token)}`,
      )
    }
    take(feature, readFloat(reader))
  }
}

/** The numbers of features are no values: fields of features cannot be sorted by, and their text is that of a term. */
export class FeatureFieldType extends BaseFieldType {
  override termValue(value: unknown): IndexValue {
    return Buffer.from(javaText(value))
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    if (format !== undefined) throw illegalArgument(`Field [${this.name}] doesn't support formats.`)
    return value
  }

  override formatDocValue(): unknown {
    throw noFeatureValues(this.type)
  }
}
