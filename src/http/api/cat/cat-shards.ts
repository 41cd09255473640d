/** `_cat/shards`, `_cat/segments`, `_cat/recovery`. */
import { LUCENE_VERSION } from '../../../base/version.ts'
import { unlessDeleted } from '../../../service/catalog/open-indices.ts'
import { HOST } from '../../../service/cluster/node-identity.ts'
import { type ShardCopy, shardCopies } from '../../../service/cluster/shard-table.ts'
import { recoveryOf } from '../../../service/indices/shard-recovery.ts'
import type { IndexMetadata } from '../../../service/metadata/metadata.ts'
import {
  EXPAND_HIDDEN,
  EXPAND_OPEN_FORBID_CLOSED,
  type IndicesOptions,
  withParameters,
} from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { statisticsCells, statisticsColumns } from './cat-statistics.ts'
import { Bytes, type CatTable, type Column, Milliseconds, type Row } from './cat-table.ts'

const SHARD: readonly Column[] = [
  { name: 'index', aliases: ['i', 'idx'], about: 'name of the index' },
  { name: 'shard', aliases: ['s', 'sh'], about: 'number of the shard' },
  { name: 'prirep', aliases: ['p', 'pr', 'primaryOrReplica'], about: 'p for a primary, r for a replica' },
]

export const catShards: CatTable = {
  paths: ['/_cat/shards', '/_cat/shards/{index}'],
  columns: [
    ...SHARD,
    { name: 'state', aliases: ['st'], about: 'STARTED or UNASSIGNED' },
    { name: 'docs', aliases: ['d', 'dc'], about: 'documents', alignRight: true },
    { name: 'store', aliases: ['sto'], about: 'size on disk', alignRight: true },
    { name: 'dataset', about: 'size of the data', alignRight: true },
    { name: 'ip', about: 'address of the node' },
    { name: 'id', about: 'id of the node', hidden: true },
    { name: 'node', aliases: ['n'], about: 'name of the node' },
    { name: 'sync_id', aliases: ['sync_id'], about: 'always empty', hidden: true },
    { name: 'unassigned.reason', aliases: ['ur'], about: 'why it is on no node', hidden: true },
    { name: 'unassigned.at', aliases: ['ua'], about: 'since when it is on no node', hidden: true },
    {
      name: 'unassigned.for',
      aliases: ['uf'],
      about: 'how long it has been on no node',
      alignRight: true,
      hidden: true,
    },
    { name: 'unassigned.details', aliases: ['ud'], about: 'more about that', hidden: true },
    { name: 'recoverysource.type', aliases: ['rs'], about: 'where the shard would come from', hidden: true },
    ...statisticsColumns('s'),
  ],
  read(request, node) {
    const expressions = indexExpressions(request)
    const find = () => node.names().indices(expressions, EXPAND_HIDDEN)
    return async () => {
      const copies = find().flatMap((index) => shardCopies(node, index))
      const rows = await Promise.all(
        copies.map((copy) => unlessDeleted(node.indexContext, copy.index, () => shardRow(node, copy))),
      )
      return rows.filter((row) => row !== undefined)
    }
  },
}

async function shardRow(node: SandpiperNode, { index, key, primary, started, failure }: ShardCopy): Promise<Row> {
  const row: Row = { index: index.name, shard: key.shard, prirep: primary ? 'p' : 'r' }
  if (!started) {
    return {
      ...row,
      state: 'UNASSIGNED',
      'unassigned.reason': failure === undefined ? 'INDEX_CREATED' : 'ALLOCATION_FAILED',
      'unassigned.at': new Date(index.creationDate).toISOString(),
      'unassigned.for': new Milliseconds(Math.max(0, Date.now() - index.creationDate)),
      'unassigned.details': failure,
      'recoverysource.type': primary ? 'existing_store' : 'peer',
    }
  }
  const place: Row = { ...row, state: 'STARTED', ip: HOST, id: node.id, node: node.name }
  if (index.state === 'close') return place
  const stats = await node.host.stats(key)
  const size = new Bytes(stats.storeBytes)
  return {
    ...place,
    docs: stats.docs,
    store: size,
    dataset: size,
    ...statisticsCells('s', node.stats.sectionsOfShard(stats)),
    'seq_no.max': stats.maxSeqNo,
    'seq_no.local_checkpoint': stats.localCheckpoint,
    'seq_no.global_checkpoint': stats.localCheckpoint,
    'path.data': node.dataFolder,
    'path.state': node.dataFolder,
  }
}

export const catSegments: CatTable = {
  paths: ['/_cat/segments', '/_cat/segments/{index}'],
  columns: [
    ...SHARD,
    { name: 'ip', about: 'address of the node' },
    { name: 'id', about: 'id of the node', hidden: true },
    { name: 'segment', aliases: ['seg'], about: 'name of the segment' },
    { name: 'generation', aliases: ['g', 'gen'], about: 'how many came before it', alignRight: true },
    { name: 'docs.count', aliases: ['dc', 'docsCount'], about: 'documents', alignRight: true },
    { name: 'docs.deleted', aliases: ['dd', 'docsDeleted'], about: 'deleted documents', alignRight: true },
    { name: 'size', aliases: ['si'], about: 'size of the file', alignRight: true },
    { name: 'size.memory', aliases: ['sm', 'sizeMemory'], about: 'memory it takes', alignRight: true },
    { name: 'committed', aliases: ['ic', 'isCommitted'], about: 'safe without the log' },
    { name: 'searchable', aliases: ['is', 'isSearchable'], about: 'seen by searches' },
    { name: 'version', aliases: ['v', 'ver'], about: 'version of the format' },
    { name: 'compound', aliases: ['ico', 'isCompound'], about: 'all in one file' },
  ],
  read(request, node) {
    const find = indicesOf(request, node, EXPAND_OPEN_FORBID_CLOSED)
    return async () => {
      const rows = find().flatMap((index) => node.shards.usableKeys(index).map((key) => ({ index, key })))
      const found = await Promise.all(
        rows.map(async (row) => {
          const segments = await unlessDeleted(node.indexContext, row.index, () => node.host.segments(row.key))
          return { ...row, segments: segments ?? [] }
        }),
      )
      return found.flatMap(({ index, key, segments }) =>
        segments.map((segment) => ({
          index: index.name,
          shard: key.shard,
          prirep: 'p',
          ip: HOST,
          id: node.id,
          segment: segment.name,
          generation: segment.generation,
          'docs.count': segment.docs,
          'docs.deleted': segment.deleted,
          size: new Bytes(segment.bytes),
          'size.memory': 0,
          committed: segment.committed,
          searchable: segment.searchable,
          version: LUCENE_VERSION,
          compound: true,
        })),
      )
    }
  },
}

/** How each shard came to its files. Nothing is copied between nodes. */
export const catRecovery: CatTable = {
  paths: ['/_cat/recovery', '/_cat/recovery/{index}'],
  columns: [
    ...SHARD.slice(0, 2),
    { name: 'time', aliases: ['t', 'ti'], about: 'how long it took' },
    { name: 'type', aliases: ['ty'], about: 'where the shard came from' },
    { name: 'stage', aliases: ['st'], about: 'how far it got' },
    { name: 'source_host', aliases: ['shost'], about: 'host it came from' },
    { name: 'source_node', aliases: ['snode'], about: 'node it came from' },
    { name: 'target_host', aliases: ['thost'], about: 'host it is on' },
    { name: 'target_node', aliases: ['tnode'], about: 'node it is on' },
    { name: 'repository', aliases: ['rep'], about: 'repository of the snapshot' },
    { name: 'snapshot', aliases: ['snap'], about: 'snapshot it came from' },
    { name: 'files', aliases: ['f'], about: 'files to copy' },
    { name: 'files_recovered', aliases: ['fr'], about: 'files copied' },
    { name: 'files_percent', aliases: ['fp'], about: 'part of the files copied' },
    { name: 'files_total', aliases: ['tf'], about: 'all files' },
    { name: 'bytes', aliases: ['b'], about: 'bytes to copy' },
    { name: 'bytes_recovered', aliases: ['br'], about: 'bytes copied' },
    { name: 'bytes_percent', aliases: ['bp'], about: 'part of the bytes copied' },
    { name: 'bytes_total', aliases: ['tb'], about: 'all bytes' },
    { name: 'translog_ops', aliases: ['to'], about: 'operations of the log to replay' },
    { name: 'translog_ops_recovered', aliases: ['tor'], about: 'operations replayed' },
    { name: 'translog_ops_percent', aliases: ['top'], about: 'part of the operations replayed' },
  ],
  read(request, node) {
    const find = indicesOf(request, node, EXPAND_OPEN_FORBID_CLOSED)
    request.query.accept('detailed')
    const activeOnly = request.query.boolean('active_only', false)
    return () =>
      (activeOnly ? [] : find()).flatMap((index) =>
        node.shards.usableKeys(index).map(({ shard }) => recoveryRow(index, shard, node.name)),
      )
  },
}

function recoveryRow(index: IndexMetadata, shard: number, node: string): Row {
  const { type, startMs, stopMs, files, bytes, percent } = recoveryOf(index, shard)
  return {
    index: index.name,
    shard,
    time: new Milliseconds(stopMs - startMs),
    type: type.toLowerCase(),
    stage: 'done',
    source_host: 'n/a',
    source_node: 'n/a',
    target_host: HOST,
    target_node: node,
    repository: index.restoredFrom?.repository ?? 'n/a',
    snapshot: index.restoredFrom?.snapshot ?? 'n/a',
    files,
    files_recovered: files,
    files_percent: percent,
    files_total: files,
    bytes: new Bytes(bytes),
    bytes_recovered: new Bytes(bytes),
    bytes_percent: percent,
    bytes_total: new Bytes(bytes),
    translog_ops: 0,
    translog_ops_recovered: 0,
    translog_ops_percent: '100.0%',
  }
}

function indicesOf(request: HttpRequest, node: SandpiperNode, standard: IndicesOptions): () => IndexMetadata[] {
  const expressions = indexExpressions(request)
  const options = withParameters(standard, indicesParameters(request))
  return () => node.names().indices(expressions, options)
}
