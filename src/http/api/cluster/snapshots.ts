/** `_snapshot`: repositories, snapshots, restores. */
import { illegalArgument, parseFailure, validationFailed } from '../../../base/api-error.ts'
import { JsonReader } from '../../../base/json/json-reader.ts'
import { plainValue } from '../../../base/json/plain-value.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { warnWithoutEffect } from '../../../service/settings/settings-without-effect.ts'
import { printSnapshot } from '../../../service/snapshots/print-snapshot.ts'
import { checkSortKey, type ListedSnapshot, pageOf } from '../../../service/snapshots/snapshot-page.ts'
import {
  parseCloneRequest,
  parseCreateRequest,
  parseRestoreRequest,
} from '../../../service/snapshots/snapshot-requests.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'

const ACKNOWLEDGED = { status: 200, body: { acknowledged: true } }
const ACCEPTED = { status: 200, body: { accepted: true } }

/**
 * Clients ask for the recovery of the indices as soon as a restore is accepted. Indices appear here when all their files are copied, so a restore that takes
 * no longer than this is accepted when it has ended.
 */
const ACCEPTED_AFTER_MS = 2000

export function snapshotRoutes(routes: Routes, node: SandpiperNode): void {
  repositoryRoutes(routes, node)
  listRoutes(routes, node)
  statusRoutes(routes, node)
  const { snapshots, restores } = node

  routes.add(['PUT', 'POST'], '/_snapshot/{repository}/{snapshot}', (request) => {
    const { repository, snapshot } = request.params as { repository: string; snapshot: string }
    request.query.accept('master_timeout')
    const waits = request.query.boolean('wait_for_completion', false)
    const wanted = parseCreateRequest(optionalBody(request))
    return async () => {
      const { done } = await snapshots.create(repository, snapshot, wanted)
      if (!waits) return ACCEPTED
      return { status: 200, body: { snapshot: printSnapshot(repository, await done) } }
    }
  })

  routes.add('GET', '/_sandpiper/restores', () => () => {
    const listed = restores.list().map(({ files, totalFiles, bytes, totalBytes, ...rest }) => ({
      ...rest,
      files_done: files,
      files_total: totalFiles,
      bytes_done: bytes,
      bytes_total: totalBytes,
    }))
    return { status: 200, body: { restores: listed } }
  })

  routes.add('DELETE', '/_snapshot/{repository}/{snapshot}', (request) => {
    const { repository, snapshot } = request.params as { repository: string; snapshot: string }
    request.query.accept('master_timeout', 'wait_for_completion')
    return async () => {
      await snapshots.delete(repository, snapshot.split(','))
      return ACKNOWLEDGED
    }
  })

  routes.add('PUT', '/_snapshot/{repository}/{snapshot}/_clone/{target}', (request) => {
    const { repository, snapshot, target } = request.params as Record<'repository' | 'snapshot' | 'target', string>
    request.query.accept('master_timeout')
    const indices = parseCloneRequest(optionalBody(request))
    return async () => {
      await snapshots.clone(repository, snapshot, target, indices)
      return ACKNOWLEDGED
    }
  })

  routes.add('POST', '/_snapshot/{repository}/{snapshot}/_restore', (request) => {
    const { repository, snapshot } = request.params as { repository: string; snapshot: string }
    request.query.accept('master_timeout')
    const waits = request.query.boolean('wait_for_completion', false)
    const wanted = parseRestoreRequest(optionalBody(request))
    return async () => {
      const { done } = await restores.restore(repository, snapshot, wanted)
      if (!waits) {
        await endedOrAfter(done, ACCEPTED_AFTER_MS)
        return ACCEPTED
      }
      const { indices, shards } = await done
      const counts = { total: shards, failed: 0, successful: shards }
      return { status: 200, body: { snapshot: { snapshot, indices, shards: counts } } }
    }
  })
}

/** Resolves when the work has ended, well or not, or after this time. */
async function endedOrAfter(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([late, work.catch(() => {})])
  clearTimeout(timer)
}

function repositoryRoutes(routes: Routes, node: SandpiperNode): void {
  const { snapshots } = node
  const { repositories } = snapshots

  routes.add(['PUT', 'POST'], '/_snapshot/{repository}', (request) => {
    const name = request.params['repository']!
    request.query.accept('master_timeout', 'timeout')
    const verifies = request.query.boolean('verify', true)
    if (!request.hasBody) throw parseFailure('request body is required')
    const body = optionalBody(request)
    const type = body['type']
    if (typeof type !== 'string') throw validationFailed('type is missing')
    const settings = repositorySettings(body['settings'])
    return async () => {
      await repositories.put(name, { type, settings }, verifies)
      return { ...ACKNOWLEDGED, warnings: warnWithoutEffect(Object.keys(settings)) }
    }
  })

  for (const path of ['/_snapshot', '/_snapshot/{repository}']) {
    routes.add('GET', path, (request) => {
      const names = request.param('repository')?.split(',')
      request.query.accept('master_timeout', 'local')
      return () => ({ status: 200, body: Object.fromEntries(repositories.get(names)) })
    })
  }

  routes.add('DELETE', '/_snapshot/{repository}', (request) => {
    const name = request.params['repository']!
    request.query.accept('master_timeout', 'timeout')
    return async () => {
      await repositories.delete(name, (used) => snapshots.isInUse(used))
      return ACKNOWLEDGED
    }
  })

  routes.add('POST', '/_snapshot/{repository}/_verify', (request) => {
    const name = request.params['repository']!
    request.query.accept('master_timeout', 'timeout')
    return async () => {
      await repositories.verify(name)
      return { status: 200, body: { nodes: { [node.id]: { name: node.name } } } }
    }
  })

  routes.add('POST', '/_snapshot/{repository}/_cleanup', (request) => {
    const name = request.params['repository']!
    request.query.accept('master_timeout', 'timeout')
    return async () => {
      const { bytes, blobs } = await snapshots.cleanup(name)
      return { status: 200, body: { results: { deleted_bytes: bytes, deleted_blobs: blobs } } }
    }
  })
}

function listRoutes(routes: Routes, node: SandpiperNode): void {
  const { snapshots } = node
  routes.add('GET', '/_snapshot/{repository}/{snapshot}', (request) => {
    const { query } = request
    const { repository, snapshot } = request.params as { repository: string; snapshot: string }
    query.accept('master_timeout', 'slm_policy_filter')
    const ignoresMissing = query.boolean('ignore_unavailable', false)
    const isVerbose = query.boolean('verbose', true)
    const showsDetails = query.boolean('index_details', false)
    const options = {
      isVerbose,
      showsRepository: query.boolean('include_repository', true),
      showsIndices: query.boolean('index_names', true),
    }
    const size = query.integer('size', -1)
    const page = {
      sort: query.string('sort') ?? 'start_time',
      isDescending: (query.string('order') ?? 'asc').toLowerCase() === 'desc',
      size: size < 0 ? undefined : size,
      offset: query.integer('offset', 0),
      after: query.string('after'),
      fromSortValue: query.string('from_sort_value'),
    }
    checkSortKey(page.sort)
    if (page.offset < 0) throw illegalArgument('offset must not be negative')
    return async () => {
      const listed: ListedSnapshot[] = []
      for (const name of snapshots.repositories.get(repository.split(',')).keys()) {
        const found = await snapshots.get(name, snapshot.split(','), ignoresMissing)
        listed.push(...found.map((info) => ({ repository: name, info })))
      }
      const { snapshots: shown, total, remaining, next } = pageOf(listed, page)
      const body = {
        snapshots: await Promise.all(
          shown.map(async (one) => ({
            ...printSnapshot(one.repository, one.info, options),
            ...(showsDetails ? { index_details: await indexDetails(node, one) } : {}),
          })),
        ),
        ...(next === undefined ? {} : { next }),
        total,
        remaining,
      }
      return { status: 200, body }
    }
  })
}

async function indexDetails(
  node: SandpiperNode,
  { repository, info }: ListedSnapshot,
): Promise<Record<string, unknown>> {
  if (info.state === 'IN_PROGRESS') return {}
  const manifest = await node.snapshots.manifest(node.snapshots.repositories.open(repository), info)
  return Object.fromEntries(
    manifest.indices.map(({ metadata, shards }) => {
      const sizes = shards.map(({ segments }) => segments.reduce((sum, { bytes }) => sum + bytes, 0))
      const segments = shards.map((shard) => shard.segments.length)
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      return [
        metadata.name,
        {
          shard_count: metadata.shardCount,
          size_in_bytes: bytes,
          max_segments_per_shard: Math.max(0, ...segments),
        },
      ]
    }),
  )
}

function statusRoutes(routes: Routes, node: SandpiperNode): void {
  const paths = ['/_snapshot/_status', '/_snapshot/{repository}/_status', '/_snapshot/{repository}/{snapshot}/_status']
  for (const path of paths) {
    routes.add('GET', path, (request) => {
      const names = request.param('snapshot')?.split(',')
      const repository = request.param('repository')
      request.query.accept('master_timeout')
      const ignoresMissing = request.query.boolean('ignore_unavailable', false)
      return async () => ({
        status: 200,
        body: { snapshots: await node.snapshots.status(repository, names, ignoresMissing) },
      })
    })
  }
}

function optionalBody(request: HttpRequest): Record<string, unknown> {
  if (!request.hasBody) return {}
  const reader = new JsonReader().reset(Uint8Array.from(request.body))
  reader.next()
  const value = plainValue(reader)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw parseFailure('the body must be an object')
  return value as Record<string, unknown>
}

/** Settings are stored as texts. */
function repositorySettings(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw parseFailure('malformed settings section, should include an inner object')
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, setting]) => setting !== null)
      .map(([name, setting]) => [name, String(setting)]),
  )
}
