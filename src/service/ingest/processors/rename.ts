/** rename: moves a field. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

export const rename: ProcessorFactory = (reader) => {
  const from = reader.text('field')
  const to = reader.text('target_field')
  const ignoresMissing = reader.boolean('ignore_missing', false)
  const overrides = reader.boolean('override', false)
  return (document) => {
    const path = from.constant ?? from.render(document)
    if (path === '' || !document.has(path, true)) {
      if (ignoresMissing) return
      throw illegalArgument(`field [${path}] doesn't exist`)
    }
    const target = to.constant ?? to.render(document)
    if (document.has(target, true) && !overrides) throw illegalArgument(`field [${target}] already exists`)
    const value = document.get(path)
    document.remove(path)
    try {
      document.set(target, value)
    } catch (error) {
      document.set(path, value)
      throw error
    }
  }
}
