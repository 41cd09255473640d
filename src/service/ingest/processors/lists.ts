/** join, split and sort. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { JArrayList, JavaThrowable, javaCompare, javaString } from '../../../engine/painless/index.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { split as splitText, userPattern } from '../regex/java-pattern.ts'

const isNull = (field: string, work: string) => illegalArgument(`field [${field}] is null, cannot ${work}.`)

export const join: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const separator = reader.string('separator')
  const target = reader.optionalString('target_field') ?? field
  return (document) => {
    const list = document.list(field)
    if (list === null) throw isNull(field, 'join')
    const texts = list.items.map((item) => {
      if (item === null) throw new ApiError(400, 'null_pointer_exception', '', { details: { reason: null } })
      const text = javaString(item)
      document.budget.text(text.length + separator.length)
      return text
    })
    document.set(target, texts.join(separator))
  }
}

export const split: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const ignoresMissing = reader.boolean('ignore_missing', false)
  const target = reader.optionalString('target_field') ?? field
  const pattern = userPattern(reader.string('separator'))
  const limit = reader.boolean('preserve_trailing', false) ? -1 : 0
  return (document) => {
    const text = document.text(field, ignoresMissing)
    if (text === undefined || (text === null && ignoresMissing)) return
    if (text === null) throw isNull(field, 'split')
    document.set(target, new JArrayList(splitText(pattern, text, limit, document.budget)))
  }
}

export const sort: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const target = reader.optionalString('target_field') ?? field
  const order = reader.optionalString('order') ?? 'asc'
  if (order !== 'asc' && order !== 'desc') {
    throw reader.error('order', `Sort direction [${order}] not recognized. Valid values are: [asc, desc]`)
  }
  return (document) => {
    const list = document.list(field)
    if (list === null) throw isNull(field, 'sort')
    document.budget.elements(list.items.length * Math.ceil(Math.log2(list.items.length + 1)))
    document.set(target, new JArrayList(sorted(list.items, order === 'desc')))
  }
}

/**
 * Java sorts short lists by insertion, which compares the second element with the first one. That order determines the
 * class that a failed cast names.
 */
function sorted(items: readonly unknown[], isDescending: boolean): unknown[] {
  const compare = (a: unknown, b: unknown) => {
    if (a === null || b === null) throw new JavaThrowable('java.lang.NullPointerException', null)
    return isDescending ? javaCompare(b, a) : javaCompare(a, b)
  }
  if (items.length > 1) compare(items[1], items[0])
  return [...items].sort(compare)
}
