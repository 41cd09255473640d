/** `_cat/snapshots` and `_cat/repositories`. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { type CatTable, Milliseconds, type Row } from './cat-table.ts'

export const catRepositories: CatTable = {
  paths: ['/_cat/repositories'],
  columns: [
    { name: 'id', aliases: ['id', 'repoId'], about: 'name' },
    { name: 'type', aliases: ['t', 'type'], about: 'kind of repository' },
  ],
  read(request, node) {
    request.query.accept('master_timeout', 'local')
    return () =>
      [...node.snapshots.repositories.get(undefined)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, { type }]) => ({ id, type }))
  },
}

export const catSnapshots: CatTable = {
  paths: ['/_cat/snapshots', '/_cat/snapshots/{repository}'],
  columns: [
    { name: 'id', aliases: ['id', 'snapshot'], about: 'name' },
    { name: 'repository', aliases: ['re', 'repo'], about: 'repository it is in' },
    { name: 'status', aliases: ['s', 'status'], about: 'state', alignRight: true },
    { name: 'start_epoch', aliases: ['ste', 'startEpoch'], about: 'when it began, in seconds since 1970' },
    { name: 'start_time', aliases: ['sti', 'startTime'], about: 'when it began' },
    { name: 'end_epoch', aliases: ['ete', 'endEpoch'], about: 'when it ended, in seconds since 1970' },
    { name: 'end_time', aliases: ['eti', 'endTime'], about: 'when it ended' },
    { name: 'duration', aliases: ['dur', 'duration'], about: 'how long it took', alignRight: true },
    { name: 'indices', aliases: ['i', 'indices'], about: 'number of indices', alignRight: true },
    {
      name: 'successful_shards',
      aliases: ['ss', 'successful_shards'],
      about: 'shards that are in it',
      alignRight: true,
    },
    { name: 'failed_shards', aliases: ['fs', 'failed_shards'], about: 'shards that failed', alignRight: true },
    { name: 'total_shards', aliases: ['ts', 'total_shards'], about: 'number of shards', alignRight: true },
    { name: 'reason', aliases: ['r', 'reason'], about: 'why it failed', hidden: true },
  ],
  read(request, node) {
    request.query.accept('master_timeout')
    const ignoresMissing = request.query.boolean('ignore_unavailable', false)
    const names = request.param('repository')?.split(',')
    return () => rows(node, names, ignoresMissing)
  },
}

async function rows(
  node: SandpiperNode,
  names: readonly string[] | undefined,
  ignoresMissing: boolean,
): Promise<Row[]> {
  const { snapshots } = node
  const found: Row[] = []
  for (const repository of snapshots.repositories.get(names).keys()) {
    for (const info of await snapshots.get(repository, ['_all'], ignoresMissing)) {
      const { name: id, state: status, startMs, endMs, failures, totalShards } = info
      found.push({
        id,
        repository,
        status,
        start_epoch: Math.floor(startMs / 1000),
        start_time: clockTime(startMs),
        end_epoch: Math.floor(endMs / 1000),
        end_time: clockTime(endMs),
        duration: new Milliseconds(endMs - startMs),
        indices: info.indices.length,
        successful_shards: status === 'IN_PROGRESS' ? 0 : totalShards - failures.length,
        failed_shards: failures.length,
        total_shards: totalShards,
        reason: failures[0]?.reason ?? '-',
      })
    }
  }
  return found.sort((a, b) => Number(a['start_epoch']) - Number(b['start_epoch']))
}

const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19)
