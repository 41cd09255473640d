import { BooleanPlan } from '../../query/compound/boolean-plan.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'

/** Whether nested objects may match, as far as the fields of the query show. */
export function mayMatchNested(context: SearchExecutionContext, query: Weight): boolean {
  if (context.mapping.nestedPaths.length === 0 || query.matches === 'none') return false
  if (query instanceof BooleanPlan) {
    const { must, filter, should } = query.clauses
    const required = [...must, ...filter]
    return required.length > 0
      ? required.every((clause) => mayMatchNested(context, clause))
      : should.some((clause) => mayMatchNested(context, clause))
  }
  const { field } = query
  if (field === undefined) return true
  return context.mapping.field(field)?.nestedPath !== undefined
}
