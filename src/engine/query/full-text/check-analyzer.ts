/** Rejects a clause with an unknown analyzer, whether or not its fields are mapped. */
import { queryShardError } from '../../../base/errors/search-errors.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'

export function checkAnalyzer(
  context: SearchExecutionContext,
  clause: string,
  name: string | undefined,
  option = 'analyzer',
): void {
  if (name === undefined || context.analyzer(name) !== undefined) return
  throw queryShardError(context.index, `[${clause}] ${option} [${name}] not found`)
}
