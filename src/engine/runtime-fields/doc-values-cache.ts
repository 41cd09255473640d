/**
 * Computed doc values by segment and definition. They are kept as long as this thread's reader of the segment. The
 * least recently used ones are dropped when all together exceed the budget of the thread, or when the fielddata breaker,
 * which counts those of all threads, has no room.
 */
import { ApiError } from '../../base/api-error.ts'
import type { MemoryClaim } from '../../base/memory/circuit-breakers.ts'
import { breakers, plannedMemory } from '../../base/memory/process-memory.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import type { ComputedDocValues } from './computed-doc-values.ts'

const MOST_BYTES = 256 << 20
/** The part of the planned fielddata that one thread may keep. */
const PART_OF_FIELDDATA = 0.25

interface Kept {
  readonly reader: WeakRef<SegmentReader>
  readonly name: string
  readonly bytes: number
}

interface Entry {
  readonly values: ComputedDocValues
  readonly kept: Kept
}

const bySegment = new WeakMap<SegmentReader, Map<string, Entry>>()
/** In order of use, the least recently used first. */
const byUse = new Set<Kept>()
let given: number | undefined
let used = 0
let claim: MemoryClaim | undefined

const budget = (): number => {
  given ??= Math.min(MOST_BYTES, plannedMemory().fielddataBytes * PART_OF_FIELDDATA)
  return given
}

/** A segment that is gone takes its values along. */
const closed = new FinalizationRegistry<ReadonlyMap<string, Entry>>((fields) => {
  for (const { kept } of fields.values()) if (byUse.has(kept)) forget(kept)
})

/** Sets the memory budget of computed doc values in this thread. */
export function setDocValuesBudget(bytes: number): void {
  given = bytes
  makeRoom()
}

export function keptDocValues(reader: SegmentReader, name: string): ComputedDocValues | undefined {
  const entry = bySegment.get(reader)?.get(name)
  if (entry === undefined) return undefined
  byUse.delete(entry.kept)
  byUse.add(entry.kept)
  return entry.values
}

export function keepDocValues(reader: SegmentReader, name: string, values: ComputedDocValues): void {
  if (values.byteLength > budget() || !hasRoom(values.byteLength)) return
  const kept = { reader: new WeakRef(reader), name, bytes: values.byteLength }
  let fields = bySegment.get(reader)
  if (fields === undefined) {
    bySegment.set(reader, (fields = new Map()))
    closed.register(reader, fields)
  }
  const old = fields.get(name)
  if (old !== undefined) forget(old.kept)
  fields.set(name, { values, kept })
  byUse.add(kept)
  used += kept.bytes
  makeRoom()
}

/** Claims memory for further values. If there is none, values that were not used for long are dropped. */
function hasRoom(bytes: number): boolean {
  claim ??= breakers().fielddata.claim('<runtime fields>')
  for (;;) {
    try {
      claim.resize(used + bytes)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const [oldest] = byUse
      if (oldest === undefined) return false
      forget(oldest)
    }
  }
}

function makeRoom(): void {
  if (used <= budget()) return
  for (const kept of byUse) {
    if (used <= budget()) return
    forget(kept)
  }
}

function forget(kept: Kept): void {
  byUse.delete(kept)
  used -= kept.bytes
  claim?.resize(used)
  const reader = kept.reader.deref()
  if (reader !== undefined) bySegment.get(reader)?.delete(kept.name)
}

/** The memory in use by computed doc values in this thread. */
export const keptDocValuesBytes = (): number => used
