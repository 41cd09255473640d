/**
 * The variable `ctx` of an ingest document: the members of the source in the order of a Java hash map, followed by the
 * metadata. The map validates the metadata that scripts set.
 */
import { INGEST_METADATA, IngestCtx, type JEntry } from '../../../engine/painless/index.ts'

const NAMES = new Set(INGEST_METADATA)

/** The names in `ctx` that are not part of the source. */
export const METADATA_NAMES = INGEST_METADATA

export const isMetadataName = (name: string): boolean => name.charCodeAt(0) === 0x5f && NAMES.has(name)

export class IngestCtxMap extends IngestCtx {
  constructor(timestamp = 0) {
    super({}, timestamp, false)
  }

  /** Setting metadata to null removes it. */
  override put_2(key: unknown, value: unknown): unknown {
    if (value !== null || typeof key !== 'string' || !isMetadataName(key)) return super.put_2(key, value)
    super.put_2(key, value)
    return super.remove_1(key)
  }

  override entries(): readonly JEntry[] {
    const all = super.entries()
    const source = all.filter(({ key }) => !isMetadataName(String(key)))
    if (source.length === all.length) return all
    for (const name of METADATA_NAMES) {
      const entry = this.entry(name)
      if (entry !== undefined) source.push(entry)
    }
    return source
  }

  /** Calls `visit` for the members of the source in insertion order. */
  forEachMember(visit: (name: string, value: unknown) => void): void {
    this.forEachEntry(({ key, value }) => {
      const name = String(key)
      if (!isMetadataName(name)) visit(name, value)
    })
  }
}
