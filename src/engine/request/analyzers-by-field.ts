/** `per_field_analyzer`: names of analyzers by field. */
import { ApiError, parseFailure } from '../../base/api-error.ts'
import { javaClass } from '../values/java-text.ts'

export function analyzersByField(value: unknown): Readonly<Record<string, string>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return {}
  for (const [field, analyzer] of Object.entries(value)) {
    if (analyzer === null) {
      const reason =
        'Cannot invoke "Object.getClass()" because the return value of "java.util.Map$Entry.getValue()" is null'
      throw new ApiError(400, 'null_pointer_exception', reason)
    }
    if (typeof analyzer !== 'string') {
      const given = Array.isArray(analyzer) || typeof analyzer !== 'object' ? javaClass(analyzer) : 'java.util.HashMap'
      const found = `but found [class ${given}] instead`
      throw parseFailure(`expecting the analyzer at [${field}] to be a String, ${found}`)
    }
  }
  return value as Record<string, string>
}
