import { BooleanPlan } from '../../query/compound/boolean-plan.ts'
import { type SearchExecutionContext, unboosted, type Weight } from '../../scoring/query.ts'

/**
 * Whether Elasticsearch takes the query for one that may match nested objects and restricts it to root documents. It
 * looks at the query as written, and assumes so of every class of Lucene that it does not know.
 */
export function isTakenForNested(context: SearchExecutionContext, weight: Weight): boolean {
  const query = unboosted(weight)
  if (context.mapping.nestedPaths.length === 0) return false
  if (query.constantOf !== undefined) return isTakenForNested(context, query.constantOf)
  if (query.isOpaque === true) return true
  if (!(query instanceof BooleanPlan)) return mayMatchNested(context, query)
  if (!query.isWritten) return true
  const { must, filter, should } = query.clauses
  const required = [...must, ...filter]
  return required.length > 0
    ? required.every((clause) => isTakenForNested(context, clause))
    : should.some((clause) => isTakenForNested(context, clause))
}

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
