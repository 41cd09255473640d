/**
 * Parts of an index definition that the cluster has no place for. They are kept in `_meta` of the mapping, so that every
 * gateway can show them and use them.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'

export interface Kept {
  /** Settings that the cluster does not know, flat. */
  readonly settings?: JsonObject
  /** The `runtime` section of the mapping. */
  readonly runtime?: JsonObject
  /** Definitions of fields whose type has another name in the cluster, by the path of the field in the mapping. */
  readonly fields?: Readonly<Record<string, JsonObject>>
  /** Other members of the mapping. */
  readonly root?: JsonObject
}

const MEMBER = '_sandpiper'

export function keptIn(mapping: JsonObject): Kept {
  const meta = mapping['_meta'] as JsonObject | undefined
  return (meta?.[MEMBER] as Kept | undefined) ?? {}
}

/** The mapping without what is kept in it. */
export function withoutKept(mapping: JsonObject): JsonObject {
  const meta = mapping['_meta'] as JsonObject | undefined
  if (meta === undefined) return mapping
  const { [MEMBER]: _, ...others } = meta
  const { _meta: __, ...rest } = mapping
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others }
}

export function withKept(mapping: JsonObject, kept: Kept): JsonObject {
  const parts = Object.entries(kept).filter(([, part]) => part !== undefined && Object.keys(part).length > 0)
  if (parts.length === 0) return mapping
  const meta = (mapping['_meta'] as JsonObject | undefined) ?? {}
  return { ...mapping, _meta: { ...meta, [MEMBER]: Object.fromEntries(parts) } }
}
