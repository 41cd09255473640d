/**
 * `ctx` of ingest: the members of the source and the metadata of the document in one map. Metadata are checked when they are
 * set; everything else is the source.
 */
import { JHashMap, JMap, javaClassOf, javaIllegalArgument, javaString } from '../../../engine/painless/index.ts'

const VERSION_TYPES = ['internal', 'external', 'external_gte']

interface MetadataRule {
  readonly isNullable: boolean
  /** The Java class values must have, and what tells whether they do. */
  readonly javaClass: string
  readonly accepts: (value: unknown) => boolean
  readonly validate?: (name: string, value: unknown) => void
}

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' || /^java\.(lang|math)\./.test(numberClass(value))
const TEXT: MetadataRule = { isNullable: true, javaClass: 'java.lang.String', accepts: isText }
const LONG: MetadataRule = {
  isNullable: true,
  javaClass: 'java.lang.Number',
  accepts: isNumber,
  validate: checkWhole,
}

const RULES: ReadonlyMap<string, MetadataRule> = new Map<string, MetadataRule>([
  ['_index', TEXT],
  ['_id', TEXT],
  ['_routing', TEXT],
  ['_version', { ...LONG, isNullable: false }],
  ['_version_type', { ...TEXT, validate: checkVersionType }],
  ['_if_seq_no', LONG],
  ['_if_primary_term', LONG],
  ['_dynamic_templates', { isNullable: true, javaClass: 'java.util.Map', accepts: (value) => value instanceof JMap }],
])

/** Names of `ctx` that are no part of the source, in the order Elasticsearch shows them. */
export const METADATA_NAMES: readonly string[] = [...RULES.keys()]

export const isMetadataName = (name: string): boolean => name.charCodeAt(0) === 0x5f && RULES.has(name)

export class IngestCtxMap extends JHashMap {
  override put_2(key: unknown, value: unknown): unknown {
    if (typeof key !== 'string' || !isMetadataName(key)) return super.put_2(key, value)
    checkMetadata(key, value)
    return value === null ? super.remove_1(key) : super.put_2(key, value)
  }

  override remove_1(key: unknown): unknown {
    if (key === '_version') throw javaIllegalArgument('_version cannot be removed')
    return super.remove_1(key)
  }
}

function checkMetadata(name: string, value: unknown): void {
  const rule = RULES.get(name)!
  if (value === null) {
    if (!rule.isNullable) throw javaIllegalArgument(`${name} cannot be null`)
    return
  }
  if (!rule.accepts(value)) {
    throw javaIllegalArgument(
      `${name} [${javaString(value)}] is wrong type, expected assignable to [${rule.javaClass}], not [${javaClassOf(value)}]`,
    )
  }
  rule.validate?.(name, value)
}

function checkVersionType(name: string, value: unknown): void {
  if (VERSION_TYPES.includes(value as string)) return
  throw javaIllegalArgument(
    `${name} must be a null or one of [${VERSION_TYPES.join(', ')}] but was [${value}] with type [java.lang.String]`,
  )
}

function checkWhole(name: string, value: unknown): void {
  if (typeof value === 'number' || typeof value === 'bigint') return
  throw javaIllegalArgument(
    `${name} may only be set to an int or a long but was [${javaString(value)}] with type [${javaClassOf(value)}]`,
  )
}

function numberClass(value: unknown): string {
  const name = javaClassOf(value)
  return /Double|Float|Short|Byte|Big/.test(name) ? name : ''
}
