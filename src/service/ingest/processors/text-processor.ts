/** Processors that change a text, or every text of a list, such as lowercase, trim and gsub. */
import { illegalArgument } from '../../../base/api-error.ts'
import { JArrayList, JList, javaClassOf, javaString } from '../../../engine/painless/index.ts'
import type { IngestBudget } from '../document/ingest-budget.ts'
import { notCastable } from '../document/ingest-document.ts'
import type { ConfigReader } from '../pipeline/config-reader.ts'
import type { Processor, ProcessorFactory } from '../pipeline/processor.ts'

export type TextChange = (text: string, budget: IngestBudget) => unknown

/** Reads `field`, `target_field` and `ignore_missing`. `change` reads the remaining options. */
export function textProcessor(change: (reader: ConfigReader) => TextChange): ProcessorFactory {
  return (reader) => {
    const field = reader.string('field')
    const ignoresMissing = reader.boolean('ignore_missing', false)
    const target = reader.optionalString('target_field') ?? field
    return changeText(field, target, ignoresMissing, change(reader))
  }
}

function changeText(field: string, target: string, ignoresMissing: boolean, change: TextChange): Processor {
  return (document) => {
    const value = document.find(field, ignoresMissing)
    if (value === undefined || (value === null && ignoresMissing)) return
    if (value === null) throw illegalArgument(`field [${field}] is null, cannot process it.`)
    document.set(target, changed(field, value, change, document.budget))
  }
}

/** The text is read once at least, even if the result is short. */
function changedText(text: string, change: TextChange, budget: IngestBudget): unknown {
  budget.text(text.length)
  return change(text, budget)
}

function changed(field: string, value: unknown, change: TextChange, budget: IngestBudget): unknown {
  if (typeof value === 'string') return changedText(value, change, budget)
  if (!(value instanceof JList)) throw notCastable(field, value, 'java.lang.String')
  return new JArrayList(
    value.items.map((item) => {
      if (typeof item === 'string') return changedText(item, change, budget)
      throw illegalArgument(
        `value [${javaString(item)}] of type [${javaClassOf(item)}] in list field [${field}] cannot be cast to [java.lang.String]`,
      )
    }),
  )
}
