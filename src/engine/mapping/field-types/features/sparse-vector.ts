/** `sparse_vector`: tokens with weights. Of several weights of a token in one document the largest counts. */
import { type ApiError, illegalArgument, parseFailure, xContentParse } from '../../../../base/api-error.ts'
import { Float } from '../../../../base/json/json-writer.ts'
import { decodeFeature, encodeFeature } from '../../../values/feature-value.ts'
import { checkPruning, DEFAULT_PRUNING, type Pruning, type SparseOptions } from '../../../vectors/pruning.ts'
import { meta, parameter, readBoolean, requireMap, store } from '../../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_VALUE } from '../../documents/field-plan.ts'
import type { LeafDefinition, LeafMapper } from '../../leaf-mapper.ts'
import { addFeature, FeatureFieldType, readFeatures } from './feature-field.ts'

const DEFAULT_OPTIONS: SparseOptions = { prune: true, pruning_config: DEFAULT_PRUNING }

export const sparseVector: LeafDefinition = {
  type: 'sparse_vector',
  traits: { family: 'features' },
  mayHaveSubFields: true,
  refusesMultiFields: true,
  parameters: [
    store(),
    parameter('index_options', DEFAULT_OPTIONS, (value) => readOptions(value), {
      acceptsNull: true,
      updatable: true,
    }),
    meta(),
  ],
  build(leaf, site) {
    const schema = site.schema({ inverted: 'features' })
    return {
      type: new SparseVectorType(leaf, {
        leaf,
        site,
        shape: 'term',
        schema,
        indexed: true,
        hasDocValues: false,
      }),
      plan: new FieldPlan({
        path: site.path,
        type: 'sparse_vector',
        op: OP_VALUE,
        schema,
        takesObjects: true,
        errorForm: 'bare',
        writeValue: writeTokens,
      }),
    }
  },
}

function writeTokens(plan: FieldPlan, sink: EntrySink): void {
  readFeatures(plan, sink, (token, weight) => addFeature(plan, sink, token, weight, plan.path))
}

function readOptions(value: unknown): SparseOptions {
  if (value === null) return DEFAULT_OPTIONS
  const given = requireMap(value, (javaType) =>
    parseFailure(`index_options should be a map but was of type: class ${javaType}`),
  )
  const options: { prune?: boolean; pruning_config?: Pruning } = {}
  for (const [name, member] of Object.entries(given)) {
    if (name === 'prune') options.prune = inOptions(name, () => readBoolean(member))
    else if (name === 'pruning_config') options.pruning_config = inOptions(name, () => readPruning(member))
    else throw xContentParse(`[0:0] [index_options] unknown field [${name}]`)
  }
  if (options.pruning_config !== undefined && options.prune !== true) {
    inOptions('pruning_config', () => {
      const causedBy = illegalArgument(
        '[index_options] field [pruning_config] should only be set if [prune] is set to true',
      )
      throw xContentParse('Failed to build [index_options] after last required field arrived', { causedBy })
    })
  }
  return options
}

function readPruning(value: unknown): Pruning {
  const given = requireMap(value, () => xContentParse('[0:0] [index_options] pruning_config must be an object'))
  const pruning = { ...DEFAULT_PRUNING }
  for (const [name, member] of Object.entries(given)) {
    if (name !== 'tokens_freq_ratio_threshold' && name !== 'tokens_weight_threshold') {
      throw xContentParse(`[0:0] [pruning_config] unknown field [${name}]`)
    }
    pruning[name] = Math.fround(Number(member))
  }
  try {
    return checkPruning(pruning)
  } catch (error) {
    const causedBy = error as ApiError
    throw xContentParse('Failed to build [pruning_config] after last required field arrived', { causedBy })
  }
}

function inOptions<T>(member: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw xContentParse(`[0:0] [index_options] failed to parse field [${member}]`, { causedBy: error as ApiError })
  }
}

export class SparseVectorType extends FeatureFieldType {
  readonly sparseOptions: SparseOptions

  constructor(leaf: LeafMapper, options: ConstructorParameters<typeof FeatureFieldType>[0]) {
    super(options)
    this.sparseOptions = leaf.value('index_options') as SparseOptions
  }

  /** The weights of a stored field are shown as they are stored. */
  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    const shown = super.formatSourceValue(value, format)
    if (!this.stored || typeof shown !== 'object' || shown === null) return shown
    const stored = (weight: unknown) => new Float(decodeFeature(encodeFeature(Number(weight))))
    return Object.fromEntries(Object.entries(shown).map(([token, weight]) => [token, stored(weight)]))
  }
}
