/** Field-level and document-level security for the layers above the service. */
import { fieldGrants } from '../../engine/limits/field-grants.ts'
import { grantedMapping } from '../../engine/limits/granted-mapping.ts'
import { type IndexLimits, isReached, limitsOf, type ReadLimits } from '../../engine/limits/read-limits.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'

export type { IndexLimits, LimitEntry, ReadLimits } from '../../engine/limits/read-limits.ts'
export { checkRoleQuery } from '../../engine/limits/role-query.ts'

/**
 * The limits of an index when the names that led to it are not known. A caller without privileges on the index itself
 * or its data stream must have reached it by an alias.
 */
export function limitsOfIndex(
  state: MetadataState,
  index: IndexMetadata,
  limits: ReadLimits | undefined,
): IndexLimits | undefined {
  if (limits === undefined) return undefined
  const stream = state.streamOf(index.name)
  const direct = [index.name, ...(stream === undefined ? [] : [stream.name])]
  const aliases = Object.keys({ ...index.aliases, ...stream?.aliases })
  return limitsOf(limits, direct.some((name) => isReached(limits, name)) ? direct : aliases)
}

/** Whether documents or fields of the indices behind a name are hidden from the caller. */
export function isLimited(state: MetadataState, limits: ReadLimits, name: string): boolean {
  const thing = state.abstraction(name)
  const stream = thing?.kind === 'index' ? thing.stream : undefined
  return limitsOf(limits, stream === undefined ? [name] : [name, stream.name]) !== undefined
}

/** A mapping without the fields that are hidden from the caller. */
export function visibleMapping(mapping: JsonObject, limits: IndexLimits | undefined): JsonObject {
  if (limits === undefined || limits.fields.length === 0) return mapping
  return grantedMapping(mapping, fieldGrants(limits.fields)) as JsonObject
}

/** Whether the caller may see a field. */
export function isVisibleField(path: string, limits: IndexLimits | undefined): boolean {
  return limits === undefined || limits.fields.length === 0 || fieldGrants(limits.fields).has(path)
}
