/** `constant_keyword`: every document of the index has the same value, which is in the mapping. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { constantName } from '../../document/derived-doc-values.ts'
import { javaText } from '../../values/java-text.ts'
import { meta, parameter } from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_STRING } from '../documents/field-plan.ts'
import type { FieldType, IndexValue } from '../field-type.ts'
import { type BuildSite, type LeafDefinition, type LeafMapper, PLAIN_SCHEMA } from '../leaf-mapper.ts'
import { BaseFieldType, PlainTermType } from './base-field-type.ts'

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
  readonly asDocValues: FieldType

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
    this.asDocValues = new ConstantDocValuesType(leaf, site, constant)
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

/** The value as the term of every document; without a value no document has one. */
class ConstantDocValuesType extends PlainTermType {
  constructor(leaf: LeafMapper, site: BuildSite, constant: string | null) {
    const name = constant === null ? undefined : constantName(site.path, constant)
    const schema = name === undefined ? undefined : { ...PLAIN_SCHEMA, id: -1, name, docValues: 'term' as const }
    super({ leaf, site, shape: 'term', schema, indexed: false, hasDocValues: true })
  }
}
