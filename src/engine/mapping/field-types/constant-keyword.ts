/** `constant_keyword`: every document of the index has the same value, which is in the mapping. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { javaText } from '../../values/java-text.ts'
import { meta, parameter } from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_STRING } from '../documents/field-plan.ts'
import type { IndexValue } from '../field-type.ts'
import type { BuildSite, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType } from './base-field-type.ts'

export const constantKeyword: LeafDefinition = {
  type: 'constant_keyword',
  traits: { family: 'keyword' },
  mayHaveSubFields: true,
  parameters: [parameter('value', null, readValue, { updatable: (from) => from === null }), meta()],
  build(leaf, site) {
    const constant = leaf.textOrNull('value')
    const write = (_plan: FieldPlan, text: string, sink: EntrySink) => {
      if (constant === null) sink.learn(site.path, { type: 'constant_keyword', value: text })
      else if (text !== constant) {
        throw illegalArgument(
          `[constant_keyword] field [${site.path}] only accepts values that are equal to the value defined in the mappings [${constant}], but got [${text}]`,
        )
      }
    }
    return {
      type: new ConstantKeywordType(leaf, site, constant),
      plan: new FieldPlan({
        path: site.path,
        type: 'constant_keyword',
        op: OP_STRING,
        schema: undefined,
        writeText: write,
      }),
    }
  },
}

function readValue(value: unknown): string {
  if (typeof value === 'object') {
    throw new ApiError(
      400,
      'mapper_parsing_exception',
      `Property [value] on field is expected to be a number or a string, but got [${javaText(value)}]`,
    )
  }
  return javaText(value)
}

export class ConstantKeywordType extends BaseFieldType {
  /** The value; undefined until a document or an update sets it. */
  readonly constantValue: string | undefined

  constructor(leaf: LeafMapper, site: BuildSite, constant: string | null) {
    super({
      leaf,
      site,
      shape: 'none',
      schema: undefined,
      indexed: true,
      hasDocValues: false,
      aggregatable: true,
    })
    this.constantValue = constant ?? undefined
  }

  override termValue(value: unknown): IndexValue {
    return Buffer.from(javaText(value))
  }

  override formatDocValue(_value: IndexValue, format: string | undefined): unknown {
    this.refuseFormat(format)
    return this.constantValue
  }

  override formatSourceValue(_value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return this.constantValue
  }
}
