/**
 * Runtime fields: doc values that are computed from documents on demand. Segments know such a field by a name that identifies its
 * definition (`runtimeName`); this registry maps the name to the code that computes the values.
 */
import type {
  GeoDocValues,
  NumericDocValues,
  OrderedIndex,
  SegmentReader,
  SortedSetDocValues,
} from '../segment-reader-api.ts'

export interface ComputedField {
  /** The internal name used by segments. */
  readonly name: string
  numbers(reader: SegmentReader): NumericDocValues | undefined
  terms(reader: SegmentReader): SortedSetDocValues | undefined
  points(reader: SegmentReader): GeoDocValues | undefined
  /** The numbers in their order, if they are already known and were sorted. */
  ordered?(reader: SegmentReader): OrderedIndex | undefined
}

/** Weak references: fields live as long as a mapping has them. */
const known = new Map<string, WeakRef<ComputedField>>()

const forgotten = new FinalizationRegistry<string>((name) => {
  if (known.get(name)?.deref() === undefined) known.delete(name)
})

/** The field with that name, created if there is none. */
export function registerComputedField<T extends ComputedField>(name: string, make: () => T): T {
  const there = known.get(name)?.deref() as T | undefined
  if (there !== undefined) return there
  const field = make()
  known.set(name, new WeakRef(field))
  forgotten.register(field, name)
  return field
}

/** Undefined for names of stored fields. */
export function computedField(name: string): ComputedField | undefined {
  return name.charCodeAt(0) === 0 ? known.get(name)?.deref() : undefined
}
