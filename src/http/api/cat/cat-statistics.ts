/** Columns of `_cat/indices`, `_cat/nodes` and `_cat/shards` that show members of `_stats`. All of them are hidden until a request names them. */
import { Double } from '../../../base/json/json-writer.ts'
import type { JsonObject } from '../../../service/metadata/metadata.ts'
import { Bytes, type Cell, type Column, Milliseconds, type Row } from './cat-table.ts'

/** The tables by their first letters. */
export type StatisticsTable = 'i' | 'n' | 's'

type Kind = 'count' | 'bytes' | 'time'
type Definition = readonly [name: string, aliases: string, about: string, member: string, kind: Kind, tables: string]

/** In Elasticsearch's order. `member` is the path in the sections of `_stats`; a table fills in those with `-` by itself. */
const DEFINITIONS: readonly Definition[] = `
  completion.size | cs,completionSize | size of suggestions | completion.size_in_bytes | bytes | ins
  fielddata.memory_size | fm,fielddataMemory | memory of field data | fielddata.memory_size_in_bytes | bytes | ins
  fielddata.evictions | fe,fielddataEvictions | evictions of field data | fielddata.evictions | count | ins
  query_cache.memory_size | qcm,queryCacheMemory | memory of cached filters | query_cache.memory_size_in_bytes | bytes | ins
  query_cache.evictions | qce,queryCacheEvictions | evictions of cached filters | query_cache.evictions | count | ins
  query_cache.hit_count | qchc,queryCacheHitCount | hits of cached filters | query_cache.hit_count | count | n
  query_cache.miss_count | qcmc,queryCacheMissCount | misses of cached filters | query_cache.miss_count | count | n
  request_cache.memory_size | rcm,requestCacheMemory | memory of cached responses | request_cache.memory_size_in_bytes | bytes | in
  request_cache.evictions | rce,requestCacheEvictions | evictions of cached responses | request_cache.evictions | count | in
  request_cache.hit_count | rchc,requestCacheHitCount | hits of cached responses | request_cache.hit_count | count | in
  request_cache.miss_count | rcmc,requestCacheMissCount | misses of cached responses | request_cache.miss_count | count | in
  flush.total | ft,flushTotal | flushes | flush.total | count | ins
  flush.total_time | ftt,flushTotalTime | time of flushes | flush.total_time_in_millis | time | ins
  get.current | gc,getCurrent | gets under way | get.current | count | ins
  get.time | gti,getTime | time of gets | get.time_in_millis | time | ins
  get.total | gto,getTotal | gets | get.total | count | ins
  get.exists_time | geti,getExistsTime | time of gets that found a document | get.exists_time_in_millis | time | ins
  get.exists_total | geto,getExistsTotal | gets that found a document | get.exists_total | count | ins
  get.missing_time | gmti,getMissingTime | time of gets that found nothing | get.missing_time_in_millis | time | ins
  get.missing_total | gmto,getMissingTotal | gets that found nothing | get.missing_total | count | ins
  indexing.delete_current | idc,indexingDeleteCurrent | deletions under way | indexing.delete_current | count | ins
  indexing.delete_time | idti,indexingDeleteTime | time of deletions | indexing.delete_time_in_millis | time | ins
  indexing.delete_total | idto,indexingDeleteTotal | deletions | indexing.delete_total | count | ins
  indexing.index_current | iic,indexingIndexCurrent | indexing operations under way | indexing.index_current | count | ins
  indexing.index_time | iiti,indexingIndexTime | time of indexing | indexing.index_time_in_millis | time | ins
  indexing.index_total | iito,indexingIndexTotal | indexing operations | indexing.index_total | count | ins
  indexing.index_failed | iif,indexingIndexFailed | failed indexing operations | indexing.index_failed | count | ins
  indexing.index_failed_due_to_version_conflict | iifvc,indexingIndexFailedDueToVersionConflict | indexing operations refused for their version | indexing.index_failed_due_to_version_conflict | count | ins
  merges.current | mc,mergesCurrent | merges under way | merges.current | count | ins
  merges.current_docs | mcd,mergesCurrentDocs | documents of merges under way | merges.current_docs | count | ins
  merges.current_size | mcs,mergesCurrentSize | size of merges under way | merges.current_size_in_bytes | bytes | ins
  merges.total | mt,mergesTotal | merges | merges.total | count | ins
  merges.total_docs | mtd,mergesTotalDocs | merged documents | merges.total_docs | count | ins
  merges.total_size | mts,mergesTotalSize | merged bytes | merges.total_size_in_bytes | bytes | ins
  merges.total_time | mtt,mergesTotalTime | time of merges | merges.total_time_in_millis | time | ins
  refresh.total | rto,refreshTotal | refreshes | refresh.total | count | ins
  refresh.time | rti,refreshTime | time of refreshes | refresh.total_time_in_millis | time | ins
  refresh.external_total | rto,refreshTotal | refreshes that searches see | refresh.external_total | count | ins
  refresh.external_time | rti,refreshTime | time of refreshes that searches see | refresh.external_total_time_in_millis | time | ins
  refresh.listeners | rli,refreshListeners | requests that wait for a refresh | refresh.listeners | count | ins
  script.compilations | scrcc,scriptCompilations | compiled scripts | script.compilations | count | n
  script.cache_evictions | scrce,scriptCacheEvictions | evictions of compiled scripts | script.cache_evictions | count | n
  script.compilation_limit_triggered | scrclt,scriptCacheCompilationLimitTriggered | compilations refused by their limit | script.compilation_limit_triggered | count | n
  search.fetch_current | sfc,searchFetchCurrent | fetch phases under way | search.fetch_current | count | ins
  search.fetch_time | sfti,searchFetchTime | time of fetch phases | search.fetch_time_in_millis | time | ins
  search.fetch_total | sfto,searchFetchTotal | fetch phases | search.fetch_total | count | ins
  search.open_contexts | so,searchOpenContexts | open contexts | search.open_contexts | count | ins
  search.query_current | sqc,searchQueryCurrent | query phases under way | search.query_current | count | ins
  search.query_time | sqti,searchQueryTime | time of query phases | search.query_time_in_millis | time | ins
  search.query_total | sqto,searchQueryTotal | query phases | search.query_total | count | ins
  search.scroll_current | scc,searchScrollCurrent | open scrolls | search.scroll_current | count | ins
  search.scroll_time | scti,searchScrollTime | time that scrolls were open | search.scroll_time_in_millis | time | ins
  search.scroll_total | scto,searchScrollTotal | scrolls | search.scroll_total | count | ins
  segments.count | sc,segmentsCount | segments | segments.count | count | ins
  segments.memory | sm,segmentsMemory | memory of segments | segments.memory_in_bytes | bytes | ins
  segments.index_writer_memory | siwm,segmentsIndexWriterMemory | memory of the write buffer | segments.index_writer_memory_in_bytes | bytes | ins
  segments.version_map_memory | svmm,segmentsVersionMapMemory | memory of the version map | segments.version_map_memory_in_bytes | bytes | ins
  segments.fixed_bitset_memory | sfbm,fixedBitsetMemory | memory of bit sets | segments.fixed_bit_set_memory_in_bytes | bytes | ins
  seq_no.max | sqm,maxSeqNo | highest sequence number | - | count | s
  seq_no.local_checkpoint | sql,localCheckpoint | all operations up to here are in | - | count | s
  seq_no.global_checkpoint | sqg,globalCheckpoint | all operations up to here are in every copy | - | count | s
  warmer.current | wc,warmerCurrent | warmers under way | warmer.current | count | is
  warmer.total | wto,warmerTotal | warmers | warmer.total | count | is
  warmer.total_time | wtt,warmerTotalTime | time of warmers | warmer.total_time_in_millis | time | is
  suggest.current | suc,suggestCurrent | suggestions under way | search.suggest_current | count | in
  suggest.time | suti,suggestTime | time of suggestions | search.suggest_time_in_millis | time | in
  suggest.total | suto,suggestTotal | suggestions | search.suggest_total | count | in
  memory.total | tm,memoryTotal | memory of the index | segments.memory_in_bytes | bytes | i
  search.throttled | sth | whether searches are throttled | - | count | i
  path.data | pd,dataPath | folder of the data | - | count | s
  path.state | ps,statsPath | folder of the state | - | count | s
  bulk.total_operations | bto,bulkTotalOperation | bulk operations | bulk.total_operations | count | i
  bulk.total_operations | bto,bulkTotalOperations | bulk operations | bulk.total_operations | count | ns
  bulk.total_time | btti,bulkTotalTime | time of bulk operations | bulk.total_time_in_millis | time | ins
  bulk.total_size_in_bytes | btsi,bulkTotalSizeInBytes | bytes of bulk operations | bulk.total_size_in_bytes | count | ins
  bulk.avg_time | bati,bulkAvgTime | average time of a bulk operation | bulk.avg_time_in_millis | time | ins
  bulk.avg_size_in_bytes | basi,bulkAvgSizeInBytes | average bytes of a bulk operation | bulk.avg_size_in_bytes | count | ins
  shard_stats.total_count | sstc,shards,shardStatsTotalCount | shards | shard_stats.total_count | count | n
  dense_vector.value_count | dvc,denseVectorCount | dense vectors | dense_vector.value_count | count | is
  sparse_vector.value_count | svc,sparseVectorCount | sparse vectors | sparse_vector.value_count | count | is
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((part) => part.trim()) as unknown as Definition)

const definitionsOf = (table: StatisticsTable) => DEFINITIONS.filter(([, , , , , tables]) => tables.includes(table))

export function statisticsColumns(table: StatisticsTable): Column[] {
  return definitionsOf(table).map(([name, aliases, about]) => ({
    name,
    aliases: aliases.split(','),
    about,
    alignRight: !name.startsWith('path.'),
    hidden: true,
  }))
}

/** The cells of a row from the sections of `_stats` of its index, node or shard. */
export function statisticsCells(table: StatisticsTable, sections: JsonObject): Row {
  const row: Record<string, Cell> = {}
  for (const [name, , , member, kind] of definitionsOf(table)) {
    const value = member === '-' ? undefined : memberOf(sections, member)
    if (value === undefined) continue
    row[name] = kind === 'bytes' ? new Bytes(value) : kind === 'time' ? new Milliseconds(value) : value
  }
  return row
}

function memberOf(sections: JsonObject, path: string): number | undefined {
  const [section, name] = path.split('.') as [string, string]
  const value = (sections[section] as JsonObject | undefined)?.[name]
  return value instanceof Double ? value.value : (value as number | undefined)
}
