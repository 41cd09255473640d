/** Clauses that search a text in one field, or the same text in several. */
import { type ClauseOptions, newOptions } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import type { BoostedField } from './field-list.ts'

export abstract class FieldTextQuery<Settings extends object> extends QueryNode {
  readonly field: string
  readonly value: unknown
  readonly settings: Readonly<Partial<Settings>>

  constructor(field: string, value: unknown, settings: Partial<Settings> = {}, options: ClauseOptions = newOptions()) {
    super(options)
    this.field = field
    this.value = value
    this.settings = settings
  }
}

export abstract class FieldsTextQuery<Settings extends object> extends QueryNode {
  readonly fields: readonly BoostedField[]
  readonly value: string
  readonly settings: Readonly<Settings>

  constructor(
    fields: readonly BoostedField[],
    value: string,
    settings: Settings,
    options: ClauseOptions = newOptions(),
  ) {
    super(options)
    this.fields = fields
    this.value = value
    this.settings = settings
  }
}
