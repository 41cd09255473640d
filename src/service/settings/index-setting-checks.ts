/** Checks of index settings that are not plain numbers, durations or sizes. */
import { type ApiError, illegalArgument, notANumber } from '../../base/api-error.ts'
import { parseByteSize } from '../../base/byte-size.ts'
import { negativeShardCount } from '../../base/errors/http-errors.ts'
import { unknownSortMode } from '../../base/errors/query-errors.ts'
import { badActiveShardCount, notTrueOrFalse } from '../../base/errors/value-errors.ts'
import { textOf } from './flat-settings.ts'
import { anything, eachOf, enumOf, oneOf, type SettingCheck } from './setting-definition.ts'

/** `false`, `0-all` or `0-5`: the range of replicas that follows the number of nodes. */
export const replicaRange: SettingCheck = (value, name) => {
  const text = textOf(value)
  if (text === 'false') return
  const dash = text.indexOf('-')
  const fail = (cause?: ApiError) =>
    illegalArgument(`failed to parse [${name}] from value: [${text}] at index ${dash}`, cause)
  if (dash === -1) throw fail()
  const from = text.slice(0, dash)
  const to = text.slice(dash + 1)
  if (!/^\d+$/.test(from)) throw fail(notANumber(from))
  if (to !== 'all' && !/^-?\d+$/.test(to)) throw fail(notANumber(to))
  if (to !== 'all' && Number(from) > Number(to)) {
    throw illegalArgument(`[${name}] minReplicas must be =< maxReplicas but wasn't ${from} > ${to}`)
  }
}

/** When small segments use the compound format: a boolean, a size, or a fraction of the index. */
export const compoundFormat: SettingCheck = (value, name) => {
  const text = textOf(value)
  if (text === 'true' || text === 'false') return
  const fail = (shown: string, cause?: ApiError) =>
    illegalArgument(
      `${name} must be a boolean, a non-negative byte size or a ratio in the interval [0..1] but was: [${shown}]`,
      cause,
    )
  if (/[a-z]$/i.test(text)) {
    try {
      parseByteSize(text, name)
      return
    } catch {
      throw fail(text, notANumber(text))
    }
  }
  const ratio = Number(text)
  if (text.trim() === '' || Number.isNaN(ratio)) throw fail(text, notANumber(text))
  if (ratio < 0 || ratio > 1) throw fail(ratio >= 1e7 ? ratio.toExponential(1).replace('e+', 'E') : ratio.toFixed(1))
}

export const activeShardCount: SettingCheck = (value) => {
  parseActiveShardCount(textOf(value))
}

/** The number of required shard copies: a number, `all`, or undefined for the default. */
export function parseActiveShardCount(text: string): number | 'all' {
  if (text === 'all') return 'all'
  const count = Number(text)
  if (!/^[+-]?\d+$/.test(text) || count > 2147483647) {
    throw badActiveShardCount(text)
  }
  if (count < 0) throw negativeShardCount()
  return count
}

/** `true`, `false`, or the number of source characters in a slow log. */
export const slowLogSource: SettingCheck = (value) => {
  const text = textOf(value)
  if (text === 'true' || text === 'false') return
  const count = Number(text)
  if (!/^[+-]?\d+$/.test(text) || Math.abs(count) > 2147483647) {
    throw notTrueOrFalse(text)
  }
}

const JAVA = 'org.elasticsearch'
export const mergePolicyType = enumOf(`${JAVA}.index.MergePolicyConfig.Type`, ['UNSET', 'TIERED', 'TIME_BASED'])
const ALLOCATION = `${JAVA}.cluster.routing.allocation.decider.EnableAllocationDecider`
export const allocationEnable = enumOf(`${ALLOCATION}.Allocation`, ['NONE', 'NEW_PRIMARIES', 'PRIMARIES', 'ALL'])
export const rebalanceEnable = enumOf(`${ALLOCATION}.Rebalance`, ['NONE', 'PRIMARIES', 'REPLICAS', 'ALL'])
export const translogDurability = enumOf(`${JAVA}.index.translog.Translog.Durability`, ['ASYNC', 'REQUEST'])
export const sourceKeepMode = enumOf(`${JAVA}.index.mapper.Mapper.SourceKeepMode`, ['NONE', 'ARRAYS', 'ALL'])
export const sourceMode = enumOf(`${JAVA}.index.mapper.SourceFieldMapper.Mode`, ['DISABLED', 'STORED', 'SYNTHETIC'])
export const downsampleStatus = enumOf(`${JAVA}.cluster.metadata.IndexMetadata.DownsampleTaskStatus`, [
  'UNKNOWN',
  'STARTED',
  'SUCCESS',
])

/** Time series and logs modes need a storage format that this engine does not have. */
export const indexMode = enumOf(`${JAVA}.index.IndexMode`, ['STANDARD', 'LOOKUP'])

/** Modes of Elasticsearch that order and store documents in another way. */
const MISSING_MODES = ['time_series', 'logsdb']

/** Called before the settings that belong to a mode are checked, so that the reason is the mode. */
export function checkIndexMode(mode: unknown, shards: unknown): void {
  const name = String(mode).toLowerCase()
  if (MISSING_MODES.includes(name)) {
    throw illegalArgument(
      `[index.mode=${name}] is not implemented; leave the setting out, or use [standard] or [lookup]`,
    )
  }
  if (name === 'lookup' && shards !== undefined && Number(shards) !== 1) {
    const reason = `index with [lookup] mode must have [index.number_of_shards] set to 1 or unset; provided ${shards}`
    throw illegalArgument(reason)
  }
}

const oneOfKnown = (values: readonly string[], shown: string) =>
  oneOf(values, (text, name) => `unknown value for [${name}] must be one of [${shown}] but was: ${text}`)

/** Codec names are accepted for existing settings; documents are always compressed in the same way. */
export const codec = oneOfKnown(
  ['default', 'lz4', 'best_compression', 'zlib', 'legacy_default', 'legacy_best_compression', 'lucene_default'],
  'default, best_compression',
)
export const checkOnStartup = oneOfKnown(['true', 'false', 'checksum'], 'true, false, checksum')
export const fielddataCache = oneOf(['node', 'none'], (text) => `failed to parse [${text}] must be one of [node,none]`)
export const lockKind = oneOf(
  ['native', 'simple'],
  (text, name) => `unrecognized [${name}] "${text}": must be native or simple`,
)
export const storeType = oneOf(
  ['', 'fs', 'niofs', 'mmapfs', 'hybridfs', 'simplefs'],
  (text) => `Unknown store type [${text}]`,
)
export const recoveryType = oneOf([''], (text) => `Unknown recovery type [${text}]`)
export const shardLimitGroup = oneOf(['normal', 'frozen'], (text) => `[${text}] is not a valid shard limit group`)

export const needsTimeSeries: SettingCheck = (_value, name) => {
  throw illegalArgument(`[${name}] requires [index.mode=time_series]`)
}

export const sortMissing = eachOf((item) => {
  if (item !== '_last' && item !== '_first') {
    throw illegalArgument(`Illegal missing value:[${item}], must be one of [_last, _first]`)
  }
})
export const sortOrder = eachOf((item) => {
  if (!/^(asc|desc)$/i.test(item)) throw illegalArgument(`Illegal sort order:${item}`)
})
export const sortMode = eachOf((item) => {
  if (!/^(min|max|avg|sum|median)$/i.test(item)) throw unknownSortMode(item)
  if (!/^(min|max)$/i.test(item)) {
    throw illegalArgument(`Illegal index sort mode:[${item.toUpperCase()}], must be one of [MAX, MIN]`)
  }
})

const TIERS = ['data_warm', 'data_hot', 'data_cold', 'data_content', 'data_frozen']

/** `index.routing.allocation.include.…`: node attributes. A single node stores them without effect. */
export const allocationFilter: SettingCheck = (value, name) => {
  const attribute = name.slice(name.lastIndexOf('.') + 1)
  const text = textOf(value)
  if (attribute === '_tier_preference') {
    const unknown = text.split(',').filter((tier) => tier !== '' && !TIERS.includes(tier.trim()))
    if (unknown.length > 0) {
      throw illegalArgument(
        `invalid tier names found in [${unknown.join(',')}] allowed values are [${TIERS.join(', ')}]`,
      )
    }
  }
  if (attribute === '_ip' || attribute === '_host_ip' || attribute === '_publish_ip') {
    for (const ip of text.split(',')) {
      if (!/^[0-9a-fA-F.:*/]+$/.test(ip.trim())) throw illegalArgument(`invalid IP address [${ip}] for [${name}]`)
    }
  }
}

export const sortField = anything
