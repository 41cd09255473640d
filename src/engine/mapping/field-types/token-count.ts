/** `token_count`: the number of terms that an analyzer produces for a text. */

import { mapperParsing } from '../../../base/errors/mapping-errors.ts'
import { NUMBER } from '../../document/parsed-document.ts'
import { javaText } from '../../values/java-text.ts'
import { docValues, flag, index, meta, parameter, readInteger, store } from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_STRING } from '../documents/field-plan.ts'
import { LONG } from '../field-traits.ts'
import type { IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { LeafDefinition } from '../leaf-mapper.ts'
import { BaseFieldType } from './base-field-type.ts'
import { requireAnalyzer } from './field-analyzers.ts'

export const tokenCount: LeafDefinition = {
  type: 'token_count',
  traits: { family: 'number', number: { ...LONG, bytes: 4 } },
  mayHaveSubFields: true,
  parameters: [
    index(),
    docValues(),
    store(),
    parameter('analyzer', null, (value, site) => {
      const name = javaText(value)
      requireAnalyzer(site.context, name)
      return name
    }),
    parameter('null_value', null, (value) => readInteger(value), { acceptsNull: true }),
    flag('enable_position_increments', true),
    meta(),
  ],
  check(leaf) {
    if (leaf.textOrNull('analyzer') === null) {
      throw mapperParsing(`Analyzer must be set for field [${leaf.name}] but wasn't.`)
    }
  },
  build(leaf, site) {
    const analyzer = requireAnalyzer(site.context, leaf.text('analyzer'))
    const countGaps = leaf.flag('enable_position_increments')
    const schema = site.schema({
      docValues: leaf.flag('doc_values') ? 'number' : 'none',
      ordered: leaf.flag('index'),
    })
    const write = (plan: FieldPlan, text: string, sink: EntrySink) => {
      if (!plan.writes) return
      const tokens = analyzer.tokens(text) as readonly { readonly position: number }[]
      // Positions count removed words; positions shared by two terms count once.
      const count = countGaps ? (tokens.at(-1)?.position ?? -1) + 1 : new Set(tokens.map((t) => t.position)).size
      sink.out.add(plan.schema!, NUMBER, count, 0, sink.doc)
    }
    return {
      type: new TokenCountType({
        leaf,
        site,
        shape: 'number',
        schema,
        indexed: leaf.flag('index'),
        hasDocValues: leaf.flag('doc_values'),
        analyzerName: leaf.text('analyzer'),
      }),
      plan: new FieldPlan({
        path: site.path,
        type: 'token_count',
        op: OP_STRING,
        schema,
        stored: leaf.flag('store'),
        writeText: write,
      }),
    }
  },
}

class TokenCountType extends BaseFieldType {
  override termValue(value: unknown): IndexValue {
    return readInteger(value)
  }

  override rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, _: RangeOptions): RangeValues {
    return {
      lower: lower && readInteger(lower.value) + (lower.inclusive ? 0 : 1),
      upper: upper && readInteger(upper.value) - (upper.inclusive ? 0 : 1),
    }
  }

  override formatDocValue(value: IndexValue, _format: string | undefined): unknown {
    return value
  }

  /** The count is not in the source. */
  override formatSourceValue(_value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return undefined
  }
}
