/** `version`: software versions, in the order of versions. */
import { immenseTerm, TERM_BYTES_MAX } from '../../../base/errors/term-errors.ts'
import { TERM } from '../../document/parsed-document.ts'
import { javaText } from '../../values/java-text.ts'
import { decodeVersion, encodeVersion } from '../../values/version.ts'
import { meta } from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_STRING } from '../documents/field-plan.ts'
import type { IndexValue } from '../field-type.ts'
import type { LeafDefinition } from '../leaf-mapper.ts'
import { PlainTermType } from './base-field-type.ts'

export const version: LeafDefinition = {
  type: 'version',
  traits: { family: 'keyword' },
  mayHaveSubFields: true,
  parameters: [meta()],
  build(leaf, site) {
    const schema = site.schema({ inverted: 'docs', docValues: 'term' })
    return {
      type: new VersionType({ leaf, site, shape: 'term', schema, indexed: true, hasDocValues: true }),
      plan: new FieldPlan({ path: site.path, type: leaf.type, op: OP_STRING, schema, writeText: writeVersion }),
    }
  },
}

function writeVersion(plan: FieldPlan, text: string, sink: EntrySink): void {
  const term = encodeVersion(text)
  if (term.length > TERM_BYTES_MAX) throw immenseTerm(plan.path, term, 0)
  const start = sink.put(term)
  sink.out.add(plan.schema!, TERM, start, start + term.length, sink.doc)
}

class VersionType extends PlainTermType {
  override termValue(value: unknown): IndexValue {
    return encodeVersion(javaText(value))
  }

  readableTerm(term: Uint8Array): Uint8Array {
    return Buffer.from(decodeVersion(term))
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    this.refuseFormat(format)
    return decodeVersion(value as Uint8Array)
  }

  parseDocValue(printed: unknown): Uint8Array {
    return encodeVersion(javaText(printed))
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value === null || typeof value === 'object' ? undefined : javaText(value)
  }
}
