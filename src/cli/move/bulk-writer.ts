/**
 * Sends documents and deletes to the target. Items that the target is too busy for are sent again until it takes them;
 * a version conflict means that it has something newer.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { SettingsError } from '../arguments/settings-error.ts'
import { parseAnswer } from '../transfer/transfer-client.ts'
import type { Cluster, MovedDocument } from './cluster.ts'

export interface BulkItem {
  /** The id as JSON text. */
  readonly id: string
  /** The action line. */
  readonly action: string
  readonly source: Buffer | undefined
}

interface ItemAnswer {
  readonly status: number
  readonly error?: { readonly type: string; readonly reason: string }
}

const BATCH_BYTES_MAX = 8 * 1024 * 1024
/** An item that is refused is sent again for about five minutes. */
const RETRY_DELAYS_MS = [50, 100, 200, 500, 1000, 2000, 5000, ...Array<number>(29).fill(10_000)]
const LINE_END = Buffer.from('\n')

/** Writes a document with its version: sent twice, or after a newer one, it changes nothing. */
export function versioned(operation: 'index' | 'delete', index: string, document: MovedDocument): BulkItem {
  const { id, routing, version, source } = document
  const routed = routing === undefined ? '' : `,"routing":${routing}`
  const rest = `${routed},"version":${version},"version_type":"external_gte"`
  return { id, action: `{"${operation}":{"_index":${JSON.stringify(index)},"_id":${id}${rest}}}`, source }
}

/** Data streams take new documents only, without versions. */
export function created(stream: string, { id, routing, source }: MovedDocument): BulkItem {
  const routed = routing === undefined ? '' : `,"routing":${routing}`
  return { id, action: `{"create":{"_index":${JSON.stringify(stream)},"_id":${id}${routed}}}`, source }
}

/** Calls `reject` for every document that the target does not accept, with its reason. */
export async function writeItems(
  cluster: Cluster,
  items: readonly BulkItem[],
  reject: (id: string, reason: string) => void,
): Promise<void> {
  for (let start = 0; start < items.length; ) {
    let end = start
    let bytes = 0
    while (end < items.length && (end === start || bytes < BATCH_BYTES_MAX)) bytes += items[end++]!.source?.length ?? 0
    await writeBatch(cluster, items.slice(start, end), reject)
    start = end
  }
}

async function writeBatch(
  cluster: Cluster,
  batch: readonly BulkItem[],
  reject: (id: string, reason: string) => void,
): Promise<void> {
  let items = batch
  for (let attempt = 0; ; attempt++) {
    const refused = await send(cluster, items, reject)
    if (refused.length === 0) return
    items = refused.map(({ item }) => item)
    const waitMs = RETRY_DELAYS_MS[attempt]
    if (waitMs === undefined) {
      throw new SettingsError(`${cluster.url} refuses ${items.length} documents: ${refused[0]!.reason}`)
    }
    await delay(waitMs)
  }
}

/** Returns the items to send again. */
async function send(
  cluster: Cluster,
  items: readonly BulkItem[],
  reject: (id: string, reason: string) => void,
): Promise<{ item: BulkItem; reason: string }[]> {
  const lines = items.flatMap(({ action, source }) =>
    source === undefined ? [Buffer.from(action), LINE_END] : [Buffer.from(action), LINE_END, source, LINE_END],
  )
  const what = 'cannot write'
  const path = '/_bulk?pipeline=_none'
  const body = await cluster.client.need(what, 'POST', path, Buffer.concat(lines), 'application/x-ndjson')
  const answer = parseAnswer<{ errors: boolean; items: Record<string, ItemAnswer>[] }>(what, body)
  if (!answer.errors) return []
  const refused: { item: BulkItem; reason: string }[] = []
  answer.items.forEach((answered, i) => {
    const { status, error } = Object.values(answered)[0]!
    if (error === undefined || status === 409) return
    const reason = `${error.type}: ${error.reason}`
    if (status === 429 || status >= 500) refused.push({ item: items[i]!, reason })
    else reject(items[i]!.id, reason)
  })
  return refused
}
