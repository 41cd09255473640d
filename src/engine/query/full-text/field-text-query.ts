/** A clause that looks for a text in one field. */
import { type ClauseOptions, newOptions } from '../clause.ts'
import { QueryNode } from '../query-node.ts'

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
