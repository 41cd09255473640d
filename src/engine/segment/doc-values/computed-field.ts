/**
 * Fields whose doc values are computed from documents when somebody asks for them: runtime fields. Segments know them by a name
 * (`runtimeName`) that tells their definition; here the name leads to what computes them.
 */
import type { GeoDocValues, NumericDocValues, SegmentReader, SortedSetDocValues } from '../segment-reader-api.ts'

export interface ComputedField {
  /** The name segments know it by. */
  readonly name: string
  numbers(reader: SegmentReader): NumericDocValues | undefined
  terms(reader: SegmentReader): SortedSetDocValues | undefined
  points(reader: SegmentReader): GeoDocValues | undefined
}

/** Mappings keep their fields; here nothing is kept alive. */
const known = new Map<string, WeakRef<ComputedField>>()

const forgotten = new FinalizationRegistry<string>((name) => {
  if (known.get(name)?.deref() === undefined) known.delete(name)
})

/** The field of that name, made where there is none yet. */
export function registerComputedField<T extends ComputedField>(name: string, make: () => T): T {
  const there = known.get(name)?.deref() as T | undefined
  if (there !== undefined) return there
  const field = make()
  known.set(name, new WeakRef(field))
  forgotten.register(field, name)
  return field
}

/** Undefined for names of fields that are stored. */
export function computedField(name: string): ComputedField | undefined {
  return name.charCodeAt(0) === 0 ? known.get(name)?.deref() : undefined
}
