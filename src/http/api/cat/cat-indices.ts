/** `_cat/indices`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { unlessDeleted } from '../../../service/catalog/open-indices.ts'
import { healthOf } from '../../../service/cluster/cluster-health.ts'
import { replicaCount, shardCopies } from '../../../service/cluster/shard-table.ts'
import type { IndexMetadata } from '../../../service/metadata/metadata.ts'
import { EXPAND_OPEN_AND_CLOSED, withParameters } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { statisticsCells, statisticsColumns } from './cat-statistics.ts'
import { asksForColumns, Bytes, type CatTable, type Cell, type Column, type Row } from './cat-table.ts'

const MAIN: readonly Column[] = [
  { name: 'health', aliases: ['h'], about: 'green, yellow or red' },
  { name: 'status', aliases: ['s'], about: 'open or close' },
  { name: 'index', aliases: ['i', 'idx'], about: 'name' },
  { name: 'uuid', aliases: ['id', 'uuid'], about: 'identity, which outlives a change of name' },
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

/** Each statistic also exists as `pri.` for the primaries, which are the only copies on a single node. */
const STATISTICS: readonly Column[] = statisticsColumns('i').flatMap((column) =>
  column.name === 'search.throttled'
    ? [column]
    : [column, { ...column, name: `pri.${column.name}`, aliases: [], about: `${column.about}, on primaries` }],
)

export const catIndices: CatTable = {
  paths: ['/_cat/indices', '/_cat/indices/{index}'],
  columns: [...MAIN, ...STATISTICS],
  read(request, node) {
    const expressions = indexExpressions(request)
    const options = withParameters(EXPAND_OPEN_AND_CLOSED, indicesParameters(request))
    const health = healthFilter(request)
    request.query.accept('include_unloaded_segments')
    const withStatistics = asksForColumns(request, STATISTICS)
    return async () => {
      const indices = node.names().indices(expressions, options)
      const rows = await Promise.all(
        indices.map((index) => unlessDeleted(node.indexContext, index, () => indexRow(node, index, withStatistics))),
      )
      return rows.filter((row) => row !== undefined).filter((row) => health === undefined || row['health'] === health)
    }
  },
}

async function indexRow(node: SandpiperNode, index: IndexMetadata, withStatistics: boolean): Promise<Row> {
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
  if (totals === undefined || !withStatistics) return row
  row['search.throttled'] = false
  const statistics = statisticsCells('i', await node.stats.sectionsOf(index))
  for (const [name, cell] of Object.entries(statistics)) row[name] = row[`pri.${name}`] = cell
  return row
}

/** `health=green` selects indices in that state. */
function healthFilter({ query }: HttpRequest): string | undefined {
  const text = query.string('health')?.toLowerCase()
  if (text === undefined || ['green', 'yellow', 'red'].includes(text)) return text
  throw illegalArgument(`unknown cluster health status [${query.string('health')}]`)
}
