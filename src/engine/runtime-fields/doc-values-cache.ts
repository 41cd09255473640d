/**
 * Computed doc values by segment and definition. They are kept as long as this thread's reader of the segment. The
 * least recently used ones are dropped when all together exceed the budget.
 */
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import type { ComputedDocValues } from './computed-doc-values.ts'

const DEFAULT_BUDGET = 256 << 20

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
let budget = DEFAULT_BUDGET
let used = 0

/** Sets the memory budget of computed doc values in this thread. */
export function setDocValuesBudget(bytes: number): void {
  budget = bytes
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
  if (values.byteLength > budget) return
  const kept = { reader: new WeakRef(reader), name, bytes: values.byteLength }
  let fields = bySegment.get(reader)
  if (fields === undefined) bySegment.set(reader, (fields = new Map()))
  fields.set(name, { values, kept })
  byUse.add(kept)
  used += kept.bytes
  makeRoom()
}

function makeRoom(): void {
  if (used <= budget) return
  for (const kept of byUse) if (kept.reader.deref() === undefined) forget(kept)
  for (const kept of byUse) {
    if (used <= budget) return
    forget(kept)
  }
}

function forget(kept: Kept): void {
  byUse.delete(kept)
  used -= kept.bytes
  const reader = kept.reader.deref()
  if (reader !== undefined) bySegment.get(reader)?.delete(kept.name)
}

/** The memory in use by computed doc values in this thread. */
export const keptDocValuesBytes = (): number => used
