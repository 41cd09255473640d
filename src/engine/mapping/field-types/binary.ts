/** `binary`: base64 text in the source, bytes in a column. */
import { illegalArgument } from '../../../base/api-error.ts'
import { ExtraDataError } from '../../../base/errors/mapping-errors.ts'
import { FIELD_NAME, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { BINARY } from '../../document/parsed-document.ts'
import { type EntrySink, FieldPlan, OP_VALUE } from '../field-plan.ts'
import type { IndexValue } from '../field-type.ts'
import type { LeafDefinition } from '../leaf-mapper.ts'
import { docValues, meta, store } from '../parameter.ts'
import { BaseFieldType } from './base-field-type.ts'

export const binaryType: LeafDefinition = {
  type: 'binary',
  mayHaveSubFields: true,
  parameters: [meta(), store(), docValues(false)],
  build(leaf, site) {
    const columned = leaf.value<boolean>('doc_values')
    const schema = site.schema({ column: columned ? 'binary' : 'none' })
    return {
      type: new BinaryType({ leaf, site, shape: 'binary', schema, indexed: false, hasDocValues: columned }),
      plan: new FieldPlan({
        path: site.path,
        type: 'binary',
        op: OP_VALUE,
        schema,
        stored: leaf.value('store'),
        takesObjects: true,
        takesArrays: !columned && !leaf.value<boolean>('store'),
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
  // A field that keeps nothing looks at nothing, whatever the array holds.
  reader.skipChildren()
}

function writeOne(plan: FieldPlan, sink: EntrySink): void {
  const { reader } = sink
  if (reader.token === NULL) return
  if (reader.token === START_OBJECT) {
    // The server leaves the object unread here and stumbles over what follows.
    if (!plan.writes && !plan.stored && plan.copyTo.length > 0) {
      reader.skipChildren()
      return
    }
    if (!plan.writes && !plan.stored) {
      while (reader.depth > 1) reader.next()
      throw new ExtraDataError(reader.next() === FIELD_NAME ? 'FIELD_NAME' : 'END_OBJECT')
    }
    throw illegalArgument(`Expected text at ${sink.places.at(reader.start)} but found START_OBJECT`)
  }
  if (!plan.writes) return
  const bytes = Buffer.from(reader.text(), 'base64')
  const start = sink.put(bytes)
  sink.out.add(plan.schema!, BINARY, start, start + bytes.length, sink.doc)
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
