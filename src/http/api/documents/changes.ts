/**
 * `GET /{index}/_sandpiper/changes`: the operations of an index in order, deletes included. With `lease` the history is
 * kept for the next request; `DELETE` gives the lease back.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import { RawJson } from '../../../base/json/json-writer.ts'
import type { IndexChanges } from '../../../service/history/change-service.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'

const PATH = '/{index}/_sandpiper/changes'
const SIZE_MAX = 10_000
const KEEP_ALIVE_MAX_MS = 7 * 24 * 3_600_000

export function changesRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', PATH, (request) => {
    const wanted = {
      index: request.param('index')!,
      from: readFrom(request),
      size: readSize(request),
      lease: readLease(request),
      limits: request.carriedAccess?.limits,
    }
    return async () => ({ status: 200, body: printChanges(await node.changes.read(wanted)) })
  })
  routes.add('DELETE', PATH, (request) => {
    const index = request.param('index')!
    const lease = request.query.string('lease')
    if (lease === undefined || lease === '') throw illegalArgument('[lease] is required')
    return async () => {
      const released = await node.changes.release(index, lease)
      return { status: released ? 200 : 404, body: { released } }
    }
  })
}

function readFrom({ query }: HttpRequest): number[] | undefined {
  return query.list('from')?.map((text) => {
    const seqNo = Number(text)
    if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(seqNo)) return seqNo
    throw illegalArgument(`[from] must be a list of sequence numbers, found [${text}]`)
  })
}

function readSize({ query }: HttpRequest): number {
  const size = query.integer('size', 1000)
  if (size < 0 || size > SIZE_MAX) throw illegalArgument(`[size] must be between 0 and ${SIZE_MAX}, found [${size}]`)
  return size
}

function readLease({ query }: HttpRequest): { id: string; keepAliveMs: number } | undefined {
  const id = query.string('lease')
  const keepAlive = query.string('keep_alive')
  if (id === undefined) {
    if (keepAlive !== undefined) throw illegalArgument('[keep_alive] needs a [lease]')
    return undefined
  }
  if (!/^[\w.-]{1,100}$/.test(id)) throw illegalArgument(`[lease] must be a name of up to 100 letters, found [${id}]`)
  const keepAliveMs = parseDuration(keepAlive ?? '10m', 'keep_alive')
  if (keepAliveMs > 0 && keepAliveMs <= KEEP_ALIVE_MAX_MS) return { id, keepAliveMs }
  throw illegalArgument(`[keep_alive] must be at most [7d], found [${keepAlive}]`)
}

function printChanges({ index, uuid, next, maxSeqNo, parts }: IndexChanges): RawJson {
  const head = { index, uuid, next, max_seq_no: maxSeqNo }
  const open = Buffer.from(`${JSON.stringify(head).slice(0, -1)},"changes":[`)
  const pieces = parts.flatMap((part, i) => (i === 0 ? [part] : [COMMA, part]))
  return new RawJson(Buffer.concat([open, ...pieces, CLOSE]))
}

const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']}')
