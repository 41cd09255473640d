/** Options common to all kinds of sort. */
import { illegalArgument } from '../../../base/api-error.ts'

export type SortMode = 'min' | 'max' | 'sum' | 'avg' | 'median'

export function parseOrder(text: string): 'asc' | 'desc' {
  const order = text.toLowerCase()
  if (order === 'asc' || order === 'desc') return order
  throw illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${text.toUpperCase()}`)
}

export function parseMode(text: string): SortMode {
  const mode = text.toLowerCase()
  if (mode === 'min' || mode === 'max' || mode === 'sum' || mode === 'avg' || mode === 'median') return mode
  throw illegalArgument(`Unknown SortMode [${text}]`)
}
