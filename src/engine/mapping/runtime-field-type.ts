/** A runtime field without a script: its values are read from `_source` with the rules of its type. */

import type { RuntimeField } from './definition/runtime-fields.ts'
import type { FieldShape, FieldType, IndexValue, RangeBound, RangeOptions, RangeValues } from './field-type.ts'
import { leafDefinition } from './field-type-registry.ts'
import { LeafMapper, NO_SCHEMA } from './leaf-mapper.ts'
import type { MappingContext } from './mapping-context.ts'

export function runtimeFieldType(name: string, field: RuntimeField, context: MappingContext): FieldType {
  const definition = leafDefinition(field.type) ?? leafDefinition('keyword')!
  const given = new Map<string, unknown>()
  for (const key of ['format', 'locale', 'meta']) if (field[key] !== undefined) given.set(key, field[key])
  const leaf = new LeafMapper({ definition, name, path: name, given, subFields: new Map(), copyTo: [] })
  const { type } = definition.build(leaf, {
    path: name,
    nestedPath: undefined,
    sourcePath: name,
    copiedFrom: [],
    context,
    schema: () => NO_SCHEMA,
  })
  return new RuntimeFieldType(type, field)
}

/** Speaks like the mapped type of the same name, but nothing of it is stored. */
class RuntimeFieldType implements FieldType {
  readonly name: string
  readonly type: string
  readonly shape: FieldShape
  readonly schema = undefined
  readonly indexed = false
  readonly hasDocValues = false
  readonly stored = false
  readonly searchable = true
  readonly aggregatable = true
  readonly isRuntime = true
  readonly meta: Readonly<Record<string, string>> | undefined
  readonly nestedPath = undefined
  readonly sourcePath: string
  readonly copiedFrom = []
  readonly analyzerName = undefined
  readonly searchAnalyzerName = undefined
  readonly searchQuoteAnalyzerName = undefined
  readonly #like: FieldType

  constructor(like: FieldType, field: RuntimeField) {
    this.#like = like
    this.name = like.name
    this.type = field.type
    this.shape = like.shape
    this.meta = like.meta
    this.sourcePath = like.sourcePath
  }

  termValue(value: unknown, listed?: boolean): IndexValue {
    return this.#like.termValue(value, listed)
  }

  rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, options: RangeOptions): RangeValues {
    return this.#like.rangeValues(lower, upper, options)
  }

  formatDocValue(value: IndexValue, format: string | undefined): unknown {
    return this.#like.formatDocValue(value, format)
  }

  formatSourceValue(value: unknown, format: string | undefined): unknown {
    return this.#like.formatSourceValue(value, format)
  }
}
