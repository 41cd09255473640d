import { illegalArgument } from '../../base/api-error.ts'
import { fieldNameOnlyDots } from '../../base/errors/mapping-errors.ts'

/** The parts of a dotted name. Trailing dots are dropped, as in Elasticsearch. */
export function splitPath(name: string): string[] {
  const parts = name.split('.')
  while (parts.length > 0 && parts.at(-1) === '') parts.pop()
  if (parts.length === 0) throw fieldNameOnlyDots()
  for (const part of parts) {
    if (part === '') throw illegalArgument(`field name cannot contain only whitespace: ['${name}']`)
    if (part.trim() === '') {
      throw illegalArgument(`field name starting or ending with a [.] makes object resolution ambiguous: [${name}]`)
    }
  }
  return parts
}
