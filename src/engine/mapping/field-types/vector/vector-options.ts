/**
 * `index_options` of a vector field. Vectors are compared one by one, which finds what every kind of index approximates; the
 * options are checked, kept and printed, and decide what later updates may change.
 */
import { illegalArgument } from '../../../../base/api-error.ts'
import { mapperParsing } from '../../../../base/errors/mapping-errors.ts'
import { castToMap, checkNoneLeft, readInteger } from '../../definition/parameter.ts'

export interface VectorOptions {
  readonly type: string
  readonly [name: string]: unknown
}

interface OptionsKind {
  readonly hasGraph: boolean
  /** The confidence interval that is shown if none is given; absent where the kind has none. */
  readonly interval?: number | 'none'
  readonly oversample?: number
  readonly isQuantized: boolean
}

const KINDS: Readonly<Record<string, OptionsKind>> = {
  hnsw: { hasGraph: true, isQuantized: false },
  int8_hnsw: { hasGraph: true, interval: 'none', isQuantized: true },
  int4_hnsw: { hasGraph: true, interval: 0, isQuantized: true },
  flat: { hasGraph: false, isQuantized: false },
  int8_flat: { hasGraph: false, interval: 'none', isQuantized: true },
  int4_flat: { hasGraph: false, interval: 0, isQuantized: true },
  bbq_hnsw: { hasGraph: true, oversample: 3, isQuantized: true },
  bbq_flat: { hasGraph: false, oversample: 3, isQuantized: true },
}

const BBQ_DIMS_MIN = 64
export const DEFAULT_OPTIONS: VectorOptions = { type: 'int8_hnsw', m: 16, ef_construction: 100 }

export function readVectorOptions(value: unknown, field: string): VectorOptions {
  const { type, ...given } = castToMap(value)
  if (type === undefined || type === null) throw mapperParsing('[index_options] requires field [type] to be configured')
  const name = String(type)
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (kind === undefined) throw mapperParsing(`Unknown vector index options type [${name}] for field [${field}]`)
  const options: Record<string, unknown> = {}
  const take = (member: string) => {
    const taken = given[member]
    delete given[member]
    return taken ?? undefined
  }
  if (kind.hasGraph) {
    options['m'] = readInteger(take('m') ?? 16)
    options['ef_construction'] = readInteger(take('ef_construction') ?? 100)
  }
  if (kind.interval !== undefined) {
    const interval = take('confidence_interval')
    if (interval !== undefined) options['confidence_interval'] = Number(interval)
    else if (kind.interval !== 'none') options['confidence_interval'] = kind.interval
  }
  if (kind.isQuantized) {
    const rescore = take('rescore_vector')
    if (rescore !== undefined) options['rescore_vector'] = { oversample: readOversample(rescore) }
    else if (kind.oversample !== undefined) options['rescore_vector'] = { oversample: kind.oversample }
  }
  checkNoneLeft(`Mapping definition for [${field}]`, given)
  return { type: name, ...options }
}

function readOversample(value: unknown): number {
  const { oversample } = castToMap(value)
  const number = Number(oversample)
  if (number !== 0 && !(number >= 1)) throw illegalArgument('oversample must be greater than 1 or exactly 0')
  return number
}

/** The rules between the options and the vectors. */
export function checkVectorOptions({ type }: VectorOptions, element: string, dims: number | undefined): void {
  const kind = KINDS[type]!
  if (kind.isQuantized && element !== 'float') {
    throw illegalArgument(`[element_type] cannot be [${element}] when using index type [${type}]`)
  }
  if (dims === undefined) return
  if (type.startsWith('int4') && dims % 2 !== 0) {
    throw illegalArgument(`${type} only supports even dimensions; provided=${dims}`)
  }
  if (type.startsWith('bbq') && dims < BBQ_DIMS_MIN) {
    throw illegalArgument(`${type} does not support dimensions fewer than ${BBQ_DIMS_MIN}; provided=${dims}`)
  }
}

/** The order of Elasticsearch's permitted updates: from an index to one that keeps at least as much. */
const UPDATES: Readonly<Record<string, readonly string[]>> = {
  flat: ['int8_flat', 'int4_flat', 'hnsw', 'int8_hnsw', 'int4_hnsw', 'bbq_flat', 'bbq_hnsw'],
  int8_flat: ['int4_flat', 'hnsw', 'int8_hnsw', 'int4_hnsw', 'bbq_flat', 'bbq_hnsw'],
  int4_flat: ['int8_flat', 'hnsw', 'int8_hnsw', 'int4_hnsw', 'bbq_flat', 'bbq_hnsw'],
  hnsw: ['int8_hnsw', 'int4_hnsw', 'bbq_hnsw'],
  int8_hnsw: ['int4_hnsw', 'bbq_hnsw'],
  int4_hnsw: ['bbq_hnsw'],
  bbq_flat: ['bbq_hnsw'],
  bbq_hnsw: [],
}

/** Whether a mapping update may replace the options: by those of the same kind with a graph at least as dense, or by a successor. */
export function isUpdatable(from: unknown, to: unknown): boolean {
  const [before, after] = [(from ?? DEFAULT_OPTIONS) as VectorOptions, (to ?? DEFAULT_OPTIONS) as VectorOptions]
  if (before.type === after.type) return Number(before['m'] ?? 0) <= Number(after['m'] ?? 0)
  return UPDATES[before.type]!.includes(after.type)
}
