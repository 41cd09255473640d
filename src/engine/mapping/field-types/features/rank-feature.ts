/** `rank_feature`, a number that makes scores larger or smaller, and `rank_features`, many of them by name. */
import { illegalArgument } from '../../../../base/api-error.ts'
import { NULL } from '../../../../base/json/json-reader.ts'
import { Float, formatFloat } from '../../../../base/json/json-writer.ts'
import { parseDouble } from '../../../values/java-number.ts'
import { javaText } from '../../../values/java-text.ts'
import { flag, meta, parameter } from '../../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_VALUE } from '../../documents/field-plan.ts'
import type { FieldType, IndexValue } from '../../field-type.ts'
import type { LeafDefinition, LeafMapper } from '../../leaf-mapper.ts'
import type { FieldTypeOptions } from '../base-field-type.ts'
import { addFeature, FeatureFieldType, readFeatures, readFloat } from './feature-field.ts'

const LEAST_NORMAL = 2 ** -126
/** The field of all single features in Lucene, which texts show. */
export const FEATURE_FIELD = '_feature'

const impact = () => flag('positive_score_impact', true)

export const rankFeature: LeafDefinition = {
  type: 'rank_feature',
  traits: { family: 'features' },
  mayHaveSubFields: true,
  parameters: [impact(), parameter('null_value', null, readNullValue, { acceptsNull: true }), meta()],
  check(leaf) {
    const value = leaf.value('null_value') as number | null
    if (value === null || value >= LEAST_NORMAL) return
    throw illegalArgument(
      `[null_value] must be a positive normal float for field of type [rank_feature], got ${formatFloat(value)} which is less than the minimum positive normal float: 1.17549435E-38`,
    )
  },
  build(leaf, site) {
    const schema = site.schema({ inverted: 'features' })
    return {
      type: new RankFeatureType({ leaf, site, shape: 'term', schema, indexed: true, hasDocValues: false }),
      plan: new FieldPlan({
        path: site.path,
        type: 'rank_feature',
        op: OP_VALUE,
        schema,
        writeValue: (plan, sink) => writeOne(plan, sink, leaf),
      }),
    }
  },
}

export const rankFeatures: LeafDefinition = {
  type: 'rank_features',
  traits: { family: 'features' },
  mayHaveSubFields: true,
  refusesMultiFields: true,
  parameters: [impact(), meta()],
  build(leaf, site) {
    const schema = site.schema({ inverted: 'features' })
    return {
      type: new RankFeaturesType({ leaf, site, shape: 'term', schema, indexed: true, hasDocValues: false }),
      plan: new FieldPlan({
        path: site.path,
        type: 'rank_features',
        op: OP_VALUE,
        schema,
        takesObjects: true,
        errorForm: 'bare',
        writeValue: (plan, sink) => writeAll(plan, sink, leaf),
      }),
    }
  },
}

function readNullValue(value: unknown): number | null {
  return value === null ? null : Math.fround(typeof value === 'number' ? value : parseDouble(javaText(value)))
}

/** A feature that lowers scores is stored by its inverse. */
const stored = (leaf: LeafMapper, value: number) =>
  leaf.flag('positive_score_impact') ? value : Math.fround(1 / value)

function writeOne(plan: FieldPlan, sink: EntrySink, leaf: LeafMapper): void {
  const { reader } = sink
  const nullValue = leaf.value('null_value') as number | null
  if (reader.token === NULL && nullValue === null) return
  const value = reader.token === NULL ? nullValue! : readFloat(reader)
  if (featuresOf(plan, sink).size > 0) {
    throw illegalArgument(
      `[rank_feature] fields do not support indexing multiple values for the same field [${plan.path}] in the same document`,
    )
  }
  sink.name(plan)
  addFeature(plan, sink, plan.path, stored(leaf, value), FEATURE_FIELD)
}

function writeAll(plan: FieldPlan, sink: EntrySink, leaf: LeafMapper): void {
  const known = featuresOf(plan, sink)
  readFeatures(plan, sink, (feature, value) => {
    if (feature.includes('.')) {
      throw illegalArgument(`[rank_features] fields do not support dots in feature names but found [${feature}]`)
    }
    if (known.has(feature)) {
      throw illegalArgument(
        `[rank_features] fields do not support indexing multiple values for the same rank feature [${plan.path}.${feature}] in the same document`,
      )
    }
    known.add(feature)
    addFeature(plan, sink, feature, stored(leaf, value), plan.path)
  })
}

/** The features that the document already has in the field. */
function featuresOf({ schema }: FieldPlan, { out, doc }: EntrySink): Set<string> {
  const features = new Set<string>()
  for (let entry = 0; entry < out.entryCount; entry++) {
    if (out.field[entry] !== schema!.id || out.doc[entry] !== doc) continue
    features.add(Buffer.from(out.bytes.subarray(out.a[entry], out.b[entry])).toString())
  }
  return features
}

class RankFeatureType extends FeatureFieldType {
  readonly ranksBy: FieldType['ranksBy']
  readonly #nullValue: number | null

  constructor(options: FieldTypeOptions) {
    super(options)
    this.ranksBy = { raises: options.leaf.flag('positive_score_impact'), single: FEATURE_FIELD }
    this.#nullValue = options.leaf.value('null_value') as number | null
  }

  override termValue(_value: unknown): IndexValue {
    throw illegalArgument('Queries on [rank_feature] fields are not supported')
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    const shown = value ?? this.#nullValue
    return shown === null ? undefined : new Float(typeof shown === 'number' ? shown : parseDouble(javaText(shown)))
  }
}

class RankFeaturesType extends FeatureFieldType {
  readonly ranksBy: FieldType['ranksBy']

  constructor(options: FieldTypeOptions) {
    super(options)
    this.ranksBy = { raises: options.leaf.flag('positive_score_impact'), single: undefined }
  }
}
