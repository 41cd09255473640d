/** `_cat/nodes` and `_cat/allocation`. */
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { descriptorLimit, openDescriptors } from '../../../base/files/descriptor-limit.ts'
import { BUILD_HASH, ELASTICSEARCH_VERSION } from '../../../base/version.ts'
import { HOST, ROLE_LETTERS, TRANSPORT_ADDRESS } from '../../../service/cluster/node-identity.ts'
import { fileSystem, scriptCacheStats } from '../../../service/cluster/node-stats.ts'
import { shardCopies } from '../../../service/cluster/shard-table.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { statisticsCells, statisticsColumns } from './cat-statistics.ts'
import { asksForColumns, Bytes, type CatTable, type Column, Milliseconds, type Row } from './cat-table.ts'

const DISK: readonly Column[] = [
  { name: 'disk.total', aliases: ['dt', 'diskTotal'], about: 'size of the disk', alignRight: true },
  { name: 'disk.used', aliases: ['du', 'diskUsed'], about: 'what is used of it', alignRight: true },
  { name: 'disk.avail', aliases: ['d', 'da', 'disk', 'diskAvail'], about: 'what is left of it', alignRight: true },
]

/** Without Elasticsearch's estimates of the memory of mappings. */
const STATISTICS = statisticsColumns('n')

export const catNodes: CatTable = {
  paths: ['/_cat/nodes'],
  columns: [
    {
      name: 'id',
      aliases: ['id', 'nodeId'],
      about: 'id; the first four characters unless full_id is set',
      hidden: true,
    },
    { name: 'pid', aliases: ['p'], about: 'process id', hidden: true },
    { name: 'ip', aliases: ['i'], about: 'address' },
    { name: 'port', aliases: ['po'], about: 'port of the transport address', hidden: true },
    { name: 'version', aliases: ['v'], about: 'version of the API', hidden: true },
    { name: 'type', aliases: ['t'], about: 'kind of the distribution', hidden: true },
    { name: 'build', aliases: ['b'], about: 'build', hidden: true },
    { name: 'jdk', aliases: ['j'], about: 'version of Node', hidden: true },
    ...DISK.map((column) => ({ ...column, hidden: true })),
    {
      name: 'disk.used_percent',
      aliases: ['dup', 'diskUsedPercent'],
      about: 'used part of the disk',
      alignRight: true,
      hidden: true,
    },
    { name: 'heap.current', aliases: ['hc', 'heapCurrent'], about: 'heap in use', alignRight: true, hidden: true },
    { name: 'heap.percent', aliases: ['hp', 'heapPercent'], about: 'used part of the heap', alignRight: true },
    { name: 'heap.max', aliases: ['hm', 'heapMax'], about: 'size of the heap', alignRight: true, hidden: true },
    {
      name: 'ram.current',
      aliases: ['rc', 'ramCurrent'],
      about: 'memory of the machine in use',
      alignRight: true,
      hidden: true,
    },
    { name: 'ram.percent', aliases: ['rp', 'ramPercent'], about: 'used part of it', alignRight: true },
    { name: 'ram.max', aliases: ['rm', 'ramMax'], about: 'memory of the machine', alignRight: true, hidden: true },
    {
      name: 'file_desc.current',
      aliases: ['fdc', 'fileDescriptorCurrent'],
      about: 'open files',
      alignRight: true,
      hidden: true,
    },
    {
      name: 'file_desc.percent',
      aliases: ['fdp', 'fileDescriptorPercent'],
      about: 'open files, as part of the limit',
      alignRight: true,
      hidden: true,
    },
    {
      name: 'file_desc.max',
      aliases: ['fdm', 'fileDescriptorMax'],
      about: 'limit of open files',
      alignRight: true,
      hidden: true,
    },
    { name: 'cpu', aliases: ['cpu'], about: 'load of the processors', alignRight: true },
    { name: 'load_1m', aliases: ['l'], about: 'load over one minute', alignRight: true },
    { name: 'load_5m', aliases: ['l'], about: 'load over five minutes', alignRight: true },
    { name: 'load_15m', aliases: ['l'], about: 'load over fifteen minutes', alignRight: true },
    { name: 'uptime', aliases: ['u'], about: 'time since the start', alignRight: true, hidden: true },
    { name: 'node.role', aliases: ['r', 'role', 'nodeRole'], about: 'letters of the roles' },
    { name: 'master', aliases: ['m'], about: '* for the elected one' },
    { name: 'name', aliases: ['n'], about: 'name' },
    ...STATISTICS,
  ],
  read(request, node) {
    const fullId = request.query.boolean('full_id', false)
    request.query.accept('include_unloaded_segments')
    const withStatistics = asksForColumns(request, STATISTICS)
    return async () => [{ ...nodeRow(node, fullId), ...(withStatistics ? await nodeStatistics(node) : {}) }]
  },
}

async function nodeStatistics(node: SandpiperNode): Promise<Row> {
  const sections = await node.stats.overall()
  return statisticsCells('n', { ...sections, script: scriptCacheStats() })
}

function nodeRow(node: SandpiperNode, fullId: boolean): Row {
  const memory = process.memoryUsage()
  const ramUsed = totalmem() - freemem()
  const [one, five, fifteen] = loadavg() as [number, number, number]
  const disk = diskSpace(node)
  const [descriptors, descriptorsMax] = [openDescriptors(), descriptorLimit()]
  return {
    id: fullId ? node.id : node.id.slice(0, 4),
    pid: process.pid,
    ip: HOST,
    port: TRANSPORT_ADDRESS.split(':')[1],
    version: ELASTICSEARCH_VERSION,
    type: 'zip',
    build: BUILD_HASH,
    jdk: process.versions.node,
    'file_desc.current': descriptors,
    'file_desc.percent':
      descriptors === undefined || !Number.isFinite(descriptorsMax)
        ? undefined
        : Math.floor((descriptors / descriptorsMax) * 100),
    'file_desc.max': Number.isFinite(descriptorsMax) ? descriptorsMax : undefined,
    'disk.total': new Bytes(disk.total),
    'disk.used': new Bytes(disk.used),
    'disk.avail': new Bytes(disk.available),
    'disk.used_percent': (disk.total === 0 ? 0 : (disk.used / disk.total) * 100).toFixed(2),
    'heap.current': new Bytes(memory.heapUsed),
    'heap.percent': Math.round((memory.heapUsed / memory.heapTotal) * 100),
    'heap.max': new Bytes(memory.heapTotal),
    'ram.current': new Bytes(ramUsed),
    'ram.percent': Math.round((ramUsed / totalmem()) * 100),
    'ram.max': new Bytes(totalmem()),
    cpu: Math.min(100, Math.round((one / cpus().length) * 100)),
    load_1m: one.toFixed(2),
    load_5m: five.toFixed(2),
    load_15m: fifteen.toFixed(2),
    uptime: new Milliseconds(Math.round(process.uptime() * 1000)),
    'node.role': ROLE_LETTERS,
    master: '*',
    name: node.name,
  }
}

export const catAllocation: CatTable = {
  paths: ['/_cat/allocation', '/_cat/allocation/{nodes}'],
  columns: [
    { name: 'shards', aliases: ['s'], about: 'shards on the node', alignRight: true },
    { name: 'shards.undesired', about: 'shards that should be elsewhere', alignRight: true },
    {
      name: 'write_load.forecast',
      aliases: ['wlf', 'writeLoadForecast'],
      about: 'expected load of writes',
      alignRight: true,
    },
    {
      name: 'disk.indices.forecast',
      aliases: ['dif', 'diskIndicesForecast'],
      about: 'expected size of the indices',
      alignRight: true,
    },
    { name: 'disk.indices', aliases: ['di', 'diskIndices'], about: 'size of the indices', alignRight: true },
    ...[DISK[1]!, { ...DISK[2]!, aliases: ['da', 'diskAvail'] }, DISK[0]!],
    { name: 'disk.percent', aliases: ['dp', 'diskPercent'], about: 'used part of the disk', alignRight: true },
    { name: 'host', aliases: ['h'], about: 'host name' },
    { name: 'ip', about: 'address' },
    { name: 'node', aliases: ['n'], about: 'name of the node' },
    { name: 'node.role', aliases: ['r', 'role', 'nodeRole'], about: 'letters of the roles' },
  ],
  read: (_request, node) => async () => {
    const indices = [...node.state.indices.values()]
    const copies = indices.flatMap((index) => shardCopies(node, index))
    const unassigned = copies.filter(({ started }) => !started).length
    const disk = diskSpace(node)
    const perIndex = await Promise.all(indices.map((index) => node.stats.summary(index)))
    const indexBytes = perIndex.reduce((sum, { storeBytes }) => sum + storeBytes, 0)
    const own: Row = {
      shards: copies.length - unassigned,
      'shards.undesired': 0,
      'write_load.forecast': '0.0',
      'disk.indices.forecast': new Bytes(indexBytes),
      'disk.indices': new Bytes(indexBytes),
      'disk.used': new Bytes(disk.used),
      'disk.avail': new Bytes(disk.available),
      'disk.total': new Bytes(disk.total),
      'disk.percent': disk.total === 0 ? 0 : Math.floor((disk.used / disk.total) * 100),
      host: HOST,
      ip: HOST,
      node: node.name,
      'node.role': ROLE_LETTERS,
    }
    return unassigned === 0 ? [own] : [own, { shards: unassigned, node: 'UNASSIGNED' }]
  },
}

function diskSpace(node: SandpiperNode): { total: number; used: number; available: number } {
  const { total_in_bytes, available_in_bytes } = fileSystem(node).total as Record<string, number>
  return { total: total_in_bytes!, used: total_in_bytes! - available_in_bytes!, available: available_in_bytes! }
}
