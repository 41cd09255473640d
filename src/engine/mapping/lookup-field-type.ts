/**
 * A runtime field of type `lookup`: its values are fields of documents of another index, found by the value of an input
 * field. It exists for the `fields` option alone.
 */
import { illegalArgument } from '../../base/api-error.ts'
import type { RuntimeFieldDefinition } from './definition/runtime-fields.ts'
import type { FieldTraits } from './field-traits.ts'
import type { FieldType, IndexValue, RangeValues } from './field-type.ts'

/** Like binary values, it supports no query. */
const TRAITS: FieldTraits = { family: 'binary' }

export class LookupFieldType implements FieldType {
  readonly name: string
  readonly type = 'lookup'
  readonly traits = TRAITS
  readonly shape = 'none'
  readonly schema = undefined
  readonly indexed = false
  readonly hasDocValues = false
  readonly stored = false
  readonly searchable = false
  readonly aggregatable = false
  readonly isRuntime = false
  readonly isLookup = true
  readonly meta: Readonly<Record<string, string>> | undefined
  readonly nestedPath = undefined
  readonly sourcePath: string
  readonly copiedFrom = []
  readonly analyzerName = undefined
  readonly searchAnalyzerName = undefined
  readonly searchQuoteAnalyzerName = undefined
  readonly definition: RuntimeFieldDefinition
  readonly targetIndex: string
  readonly inputField: string
  readonly targetField: string

  constructor(name: string, definition: RuntimeFieldDefinition) {
    this.name = name
    this.sourcePath = name
    this.definition = definition
    this.meta = definition['meta'] as Readonly<Record<string, string>> | undefined
    this.targetIndex = definition['target_index'] as string
    this.inputField = definition['input_field'] as string
    this.targetField = definition['target_field'] as string
  }

  /** The fields of the documents that are found. */
  get fetchFields(): unknown {
    return this.definition['fetch_fields']
  }

  termValue(): IndexValue {
    throw this.#notSearchable()
  }

  rangeValues(): RangeValues {
    throw this.#notSearchable()
  }

  formatDocValue(): unknown {
    throw this.#notSearchable()
  }

  /** A format is accepted and has no effect, as in Elasticsearch. */
  formatSourceValue(): unknown {
    return undefined
  }

  #notSearchable() {
    return illegalArgument(`Cannot search on field [${this.name}] since it is a lookup field.`)
  }
}
