/**
 * `ctx` of ingest scripts: the members of the document beside its metadata. Metadata is checked when a script sets it.
 * Conditions of processors see the same map, but cannot change it or anything in it.
 */
import { illegalArgument } from '../../errors/java-throwable.ts'
import { toJava } from '../../host/host-values.ts'
import { classOf } from '../class-of.ts'
import { JFixedList } from '../collections/fixed-list.ts'
import { JHashMap } from '../collections/hash-map.ts'
import { JList } from '../collections/list.ts'
import { JMap, JReadOnlyMap } from '../collections/map.ts'
import { textOf } from '../java-text.ts'
import { checkMetadata, type MetadataRule, VERSION } from './metadata-rules.ts'

const STRING = { type: 'java.lang.String' }
const NUMBER = { type: 'java.lang.Number' }
const VERSION_TYPES: readonly unknown[] = ['internal', 'external', 'external_gte']

/** Metadata of a document in an ingest pipeline. */
const METADATA: ReadonlyMap<unknown, MetadataRule> = new Map<unknown, MetadataRule>([
  ['_index', STRING],
  ['_id', STRING],
  ['_routing', STRING],
  ['_version', VERSION],
  [
    '_version_type',
    {
      ...STRING,
      check(value) {
        if (VERSION_TYPES.includes(value)) return
        throw illegalArgument(
          `_version_type must be a null or one of [internal, external, external_gte] but was [${textOf(value)}] with type ` +
            `[${classOf(value)}]`,
        )
      },
    },
  ],
  ['_dynamic_templates', { type: 'java.util.Map' }],
  ['_if_seq_no', NUMBER],
  ['_if_primary_term', NUMBER],
])

/** The names of the metadata in the order of the map. */
export const INGEST_METADATA: readonly string[] = [...METADATA.keys()].map(String)

export class IngestCtx extends JHashMap {
  /** Milliseconds since 1970 at which the document entered the pipeline. */
  readonly timestamp: number
  readonly #ready: boolean

  constructor(members: Readonly<Record<string, unknown>>, timestamp: number, linked = true) {
    super(linked, 16, 'org.elasticsearch.ingest.IngestCtxMap')
    this.timestamp = timestamp
    for (const [name, value] of Object.entries(members)) super.put_2(name, toJava(value, true))
    this.#ready = true
  }

  override get $listed(): string {
    return 'java.util.Map'
  }

  override put_2(key: unknown, value: unknown): unknown {
    // Metadata begins with an underscore; nearly no field does.
    if (typeof key === 'string' && key.charCodeAt(0) !== 0x5f) return super.put_2(key, value)
    const rule = METADATA.get(key)
    if (rule !== undefined && this.#ready) checkMetadata(String(key), rule, value)
    return super.put_2(key, value)
  }

  /** Sets metadata that the caller knows to be valid. */
  putValid(name: string, value: string | bigint): void {
    super.put_2(name, value)
  }

  override remove_1(key: unknown): unknown {
    if (METADATA.get(key)?.required === true) throw illegalArgument(`${textOf(key)} cannot be removed`)
    return super.remove_1(key)
  }

  override clear_0(): void {
    for (const { key } of [...this.entries()]) this.remove_1(key)
  }
}

const REFUSAL = 'Mutating ingest documents in conditionals is not supported'

/** `ctx` of a condition: a copy of the document that rejects every change. */
export const ingestConditionCtx = (members: Readonly<Record<string, unknown>>): JMap =>
  refusing(toJava(members, true)) as JMap

function refusing(value: unknown): unknown {
  if (value instanceof JList) return new JFixedList(value.items.map(refusing), 'java.util.ArrayList', true, REFUSAL)
  if (!(value instanceof JMap)) return value
  for (const entry of value.entries()) entry.value = refusing(entry.value)
  return new JReadOnlyMap(value, 'java.util.HashMap', REFUSAL)
}
