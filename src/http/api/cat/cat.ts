/**
 * `_cat`: tables for people at a terminal. This file has the list of tables; those with many columns have their own
 * files.
 */
import { namePattern } from '../../../base/name-pattern.ts'
import { clusterHealth } from '../../../service/cluster/cluster-health.ts'
import { HOST } from '../../../service/cluster/node-identity.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions } from '../indices-parameters.ts'
import { catIndices } from './cat-indices.ts'
import { catAliases, catComponentTemplates, catTemplates } from './cat-metadata.ts'
import { catAllocation, catNodes } from './cat-nodes.ts'
import { catRecovery, catSegments, catShards } from './cat-shards.ts'
import { catRepositories, catSnapshots } from './cat-snapshots.ts'
import { Bytes, type CatTable, type Column, TableStyle } from './cat-table.ts'
import { catTasks, catThreadPool } from './cat-tasks.ts'

export function catRoutes(routes: Routes, node: SandpiperNode): void {
  for (const table of TABLES) {
    for (const path of table.paths) {
      routes.add('GET', path, (request) => {
        const style = new TableStyle(request)
        const rows = table.read(request, node)
        const columns = shownColumns(table, request)
        if (style.help) return () => style.helpAnswer(table.columns)
        return async () => style.answer(columns, await rows())
      })
    }
  }
  const list = TABLES.flatMap(({ paths }) => paths.map((path) => `${path}\n`)).join('')
  routes.add('GET', '/_cat', () => () => ({ status: 200, text: `=^.^=\n${list}` }))
}

const TIME: readonly Column[] = [
  { name: 'epoch', aliases: ['t', 'time'], about: 'seconds since 1970-01-01 00:00:00' },
  { name: 'timestamp', aliases: ['ts', 'hms', 'hhmmss'], about: 'time in HH:MM:SS' },
]

/** `ts=false` omits the columns that show the time. */
function shownColumns(table: CatTable, request: HttpRequest): readonly Column[] {
  const columns = table.columnsFor?.(request) ?? table.columns
  return request.query.boolean('ts', true) ? columns : columns.filter((column) => !TIME.includes(column))
}

function now(): { epoch: number; timestamp: string } {
  const ms = Date.now()
  return { epoch: Math.floor(ms / 1000), timestamp: new Date(ms).toISOString().slice(11, 19) }
}

const catHealth: CatTable = {
  paths: ['/_cat/health'],
  columns: [
    ...TIME,
    { name: 'cluster', aliases: ['cl'], about: 'name of the cluster' },
    { name: 'status', aliases: ['st'], about: 'green, yellow or red' },
    { name: 'node.total', aliases: ['nt', 'nodeTotal'], about: 'number of nodes', alignRight: true },
    { name: 'node.data', aliases: ['nd', 'nodeData'], about: 'number of nodes that hold data', alignRight: true },
    { name: 'shards', aliases: ['t', 'sh', 'shards.total', 'shardsTotal'], about: 'started shards', alignRight: true },
    { name: 'pri', aliases: ['p', 'shards.primary', 'shardsPrimary'], about: 'started primaries', alignRight: true },
    { name: 'relo', aliases: ['r', 'shards.relocating', 'shardsRelocating'], about: 'moving shards', alignRight: true },
    {
      name: 'init',
      aliases: ['i', 'shards.initializing', 'shardsInitializing'],
      about: 'starting shards',
      alignRight: true,
    },
    {
      name: 'unassign',
      aliases: ['u', 'shards.unassigned', 'shardsUnassigned'],
      about: 'copies without a node',
      alignRight: true,
    },
    {
      name: 'unassign.pri',
      aliases: ['up', 'shards.unassigned.primary', 'shardsUnassignedPrimary'],
      about: 'primaries that cannot be used',
      alignRight: true,
    },
    { name: 'pending_tasks', aliases: ['pt', 'pendingTasks'], about: 'changes that wait', alignRight: true },
    {
      name: 'max_task_wait_time',
      aliases: ['mtwt', 'maxTaskWaitTime'],
      about: 'longest wait of a change',
      alignRight: true,
    },
    {
      name: 'active_shards_percent',
      aliases: ['asp', 'activeShardsPercent'],
      about: 'started shards of all',
      alignRight: true,
    },
  ],
  read(request, node) {
    const { signal } = request
    return async () => {
      const { body } = await clusterHealth(node, {
        expressions: [],
        parameters: {},
        level: 'cluster',
        waitForStatus: undefined,
        waitForActiveShards: undefined,
        waitForNodes: undefined,
        timeoutMs: 0,
        signal,
      })
      const percent = (body['active_shards_percent_as_number'] as { value: number }).value
      return [
        {
          ...now(),
          cluster: node.clusterName,
          status: body['status'] as string,
          'node.total': 1,
          'node.data': 1,
          shards: body['active_shards'] as number,
          pri: body['active_primary_shards'] as number,
          relo: 0,
          init: 0,
          unassign: body['unassigned_shards'] as number,
          'unassign.pri': body['unassigned_primary_shards'] as number,
          pending_tasks: 0,
          max_task_wait_time: '-',
          active_shards_percent: `${percent.toFixed(1)}%`,
        },
      ]
    }
  },
}

const catCount: CatTable = {
  paths: ['/_cat/count', '/_cat/count/{index}'],
  columns: [...TIME, { name: 'count', aliases: ['dc', 'docs.count', 'docsCount'], about: 'number of documents' }],
  read(request, node) {
    const limits = request.carriedAccess?.limits
    const expressions = indexExpressions(request)
    const scope = { expressions, options: EXPAND_OPEN_FORBID_CLOSED, routing: undefined, limits }
    return async () => {
      const { count } = (await node.search.count(scope, undefined, undefined)) as { count: number }
      return [{ ...now(), count }]
    }
  },
}

const catMaster: CatTable = {
  paths: ['/_cat/master'],
  columns: [
    { name: 'id', about: "the node's id" },
    { name: 'host', aliases: ['h'], about: 'host name' },
    { name: 'ip', about: 'address' },
    { name: 'node', aliases: ['n'], about: "the node's name" },
  ],
  read: (_request, node) => () => [{ id: node.id, host: HOST, ip: HOST, node: node.name }],
}

/** Tables of things that do not exist on a single node. They are always empty. */
function emptyTable(
  paths: readonly string[],
  columns: readonly (readonly [name: string, alias: string, about: string])[],
): CatTable {
  return {
    paths,
    columns: columns.map(([name, alias, about]) => ({
      name,
      about,
      ...(alias === '' ? {} : { aliases: alias.split(',') }),
    })),
    read: ({ query }) => {
      query.accept('include_bootstrap', 'detailed')
      return () => []
    },
  }
}

const catPlugins = emptyTable(
  ['/_cat/plugins'],
  [
    ['name', 'n', "the node's name"],
    ['component', 'c', 'name of the plugin'],
    ['version', 'v', 'version of the plugin'],
  ],
)
const catPendingTasks = emptyTable(
  ['/_cat/pending_tasks'],
  [
    ['insertOrder', 'o', 'place in the queue'],
    ['timeInQueue', 't', 'how long it waits'],
    ['priority', 'p', 'priority'],
    ['source', 's', 'what it changes'],
  ],
)
const catFielddata: CatTable = {
  paths: ['/_cat/fielddata', '/_cat/fielddata/{fields}'],
  columns: [
    { name: 'id', about: "the node's id" },
    { name: 'host', aliases: ['h'], about: 'host name' },
    { name: 'ip', about: 'address' },
    { name: 'node', aliases: ['n'], about: "the node's name" },
    { name: 'field', aliases: ['f'], about: 'field' },
    { name: 'size', aliases: ['s'], about: 'memory it takes', alignRight: true },
  ],
  read(request, node) {
    const fields = request.param('fields')?.split(',') ?? ['*']
    const matchers = fields.map((field) => namePattern(field))
    return () =>
      [...node.stats.fielddata()]
        .filter(([field]) => matchers.some((matches) => matches(field)))
        .map(([field, bytes]) => ({
          id: node.id,
          host: HOST,
          ip: HOST,
          node: node.name,
          field,
          size: new Bytes(bytes),
        }))
  },
}
const catNodeAttributes = emptyTable(
  ['/_cat/nodeattrs'],
  [
    ['node', 'name', "the node's name"],
    ['host', 'h', 'host name'],
    ['ip', 'i', 'address'],
    ['attr', 'attr.name', 'attribute'],
    ['value', 'attr.value', 'its value'],
  ],
)
const TABLES: readonly CatTable[] = [
  catAllocation,
  catShards,
  catMaster,
  catNodes,
  catTasks,
  catIndices,
  catSegments,
  catCount,
  catRecovery,
  catHealth,
  catPendingTasks,
  catAliases,
  catThreadPool,
  catPlugins,
  catFielddata,
  catNodeAttributes,
  catRepositories,
  catTemplates,
  catSnapshots,
  catComponentTemplates,
]
