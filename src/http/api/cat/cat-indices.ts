/** `_cat/indices`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { healthOf } from '../../../service/cluster/cluster-health.ts'
import { replicaCount, shardCopies } from '../../../service/cluster/shard-table.ts'
import type { IndexMetadata } from '../../../service/metadata/metadata.ts'
import { EXPAND_OPEN_AND_CLOSED, withParameters } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { ShardStats } from '../../../service/shards/shard-host.ts'
import type { HttpRequest } from '../../request.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { Bytes, type CatTable, type Cell, type Column, type Row } from './cat-table.ts'

const MAIN: readonly Column[] = [
  { name: 'health', aliases: ['h'], about: 'green, yellow or red' },
  { name: 'status', aliases: ['s'], about: 'open or close' },
  { name: 'index', aliases: ['i', 'idx'], about: 'name' },
  { name: 'uuid', aliases: ['id'], about: 'identity, which outlives a change of name' },
  { name: 'pri', aliases: ['p', 'shards.primary', 'shardsPrimary'], about: 'number of shards', alignRight: true },
  { name: 'rep', aliases: ['r', 'shards.replica', 'shardsReplica'], about: 'number of replicas', alignRight: true },
  { name: 'docs.count', aliases: ['dc', 'docsCount'], about: 'documents', alignRight: true },
  {
    name: 'docs.deleted',
    aliases: ['dd', 'docsDeleted'],
    about: 'deleted documents not yet merged away',
    alignRight: true,
  },
  { name: 'creation.date', aliases: ['cd'], about: 'when it was created, in milliseconds', hidden: true },
  { name: 'creation.date.string', aliases: ['cds'], about: 'when it was created', hidden: true },
  { name: 'store.size', aliases: ['ss', 'storeSize'], about: 'size on disk', alignRight: true },
  { name: 'pri.store.size', about: 'size on disk of the primaries', alignRight: true },
  { name: 'dataset.size', about: 'size of the data', alignRight: true },
]

/** Counters. Each also exists as `pri.` for the primaries, which are the only copies on a single node. */
const COUNTERS: readonly (readonly [name: string, aliases: string, about: string, of: (totals: ShardStats) => Cell])[] =
  [
    ['flush.total', 'ft,flushTotal', 'flushes', (totals) => totals.flushTotal],
    ['get.total', 'gto,getTotal', 'gets', (totals) => totals.getTotal],
    ['indexing.delete_total', 'idto,indexingDeleteTotal', 'deletions', (totals) => totals.deleteTotal],
    ['indexing.index_total', 'iito,indexingIndexTotal', 'indexing operations', (totals) => totals.indexTotal],
    ['merges.total', 'mt,mergesTotal', 'merges', (totals) => totals.mergeTotal],
    ['refresh.total', 'rto,refreshTotal', 'refreshes', (totals) => totals.refreshTotal],
    ['segments.count', 'sc,segmentsCount', 'segments', (totals) => totals.segmentCount],
  ]

const COUNTER_COLUMNS: readonly Column[] = COUNTERS.flatMap(([name, aliases, about]) => [
  { name, aliases: aliases.split(','), about, alignRight: true, hidden: true },
  { name: `pri.${name}`, about: `${about} on primaries`, alignRight: true, hidden: true },
])

export const catIndices: CatTable = {
  paths: ['/_cat/indices', '/_cat/indices/{index}'],
  columns: [...MAIN, ...COUNTER_COLUMNS],
  read(request, node) {
    const expressions = indexExpressions(request)
    const options = withParameters(EXPAND_OPEN_AND_CLOSED, indicesParameters(request))
    const health = healthFilter(request)
    request.query.accept('include_unloaded_segments')
    return async () => {
      const indices = node.names().indices(expressions, options)
      const rows = await Promise.all(indices.map((index) => indexRow(node, index)))
      return rows.filter((row) => health === undefined || row['health'] === health)
    }
  },
}

async function indexRow(node: SandpiperNode, index: IndexMetadata): Promise<Row> {
  const totals = index.state === 'open' ? await node.stats.summary(index) : undefined
  const size = totals === undefined ? undefined : new Bytes(totals.storeBytes)
  const row: Record<string, Cell> = {
    health: healthOf(shardCopies(node, index)).status,
    status: index.state,
    index: index.name,
    uuid: index.uuid,
    pri: index.shardCount,
    rep: replicaCount(index),
    'docs.count': totals?.docs,
    'docs.deleted': totals?.deleted,
    'creation.date': index.creationDate,
    'creation.date.string': new Date(index.creationDate).toISOString(),
    'store.size': size,
    'pri.store.size': size,
    'dataset.size': size,
  }
  for (const [name, , , of] of COUNTERS) {
    row[name] = row[`pri.${name}`] = totals === undefined ? undefined : of(totals)
  }
  return row
}

/** `health=green` selects indices in that state. */
function healthFilter({ query }: HttpRequest): string | undefined {
  const text = query.string('health')?.toLowerCase()
  if (text === undefined || ['green', 'yellow', 'red'].includes(text)) return text
  throw illegalArgument(`unknown cluster health status [${query.string('health')}]`)
}
