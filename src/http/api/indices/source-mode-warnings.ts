/** Warns that the mode of `_source` belongs into the settings of an index. */
import type { IndexDefinition } from '../../../service/definitions/create-index-request.ts'

const DEPRECATED =
  'Configuring source mode in mappings is deprecated and will be removed in future versions. Use [index.mapping.source.mode] ' +
  'index setting instead.'

export function sourceModeWarnings(mappings: IndexDefinition['mappings']): string[] {
  const source = mappings?.['_source'] as { mode?: unknown } | null | undefined
  return typeof source === 'object' && source?.mode !== undefined ? [DEPRECATED] : []
}
