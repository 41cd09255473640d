/** Reads the changes of an index of the source, and keeps its lease. */
import { elements, find, members, type Span, textOf } from '../transfer/hit-scanner.ts'
import { type TransferAnswer, TransferError } from '../transfer/transfer-client.ts'
import { type MovedDocument, readDocument } from './cluster.ts'
import { leaseOf, type MoveContext, pathOf } from './move-context.ts'

export interface Change {
  readonly operation: 'index' | 'delete'
  readonly document: MovedDocument
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  readonly next: number[]
  /** Changes that are left at the source. */
  readonly left: number
}

/** The history that the move needs is gone: its lease has expired. */
export class HistoryGone extends Error {}

/** Whether the source reports changes: a Sandpiper node that keeps the index on disk does. */
export async function hasHistory(context: Pick<MoveContext, 'from'>, index: string): Promise<boolean> {
  const answer = await context.from.client.send('GET', `${pathOf(index)}/_sandpiper/changes?from=0&size=0`)
  // A 404 about operations that are no longer kept shows that the source has a history.
  return answer.status < 300 || (answer.status === 404 && answer.body.includes('is not kept'))
}

/** Begins to keep the changes of an index from now on; returns the first one of each shard. */
export async function leaseChanges(context: MoveContext, index: string): Promise<number[]> {
  return (await request(context, index, 'size=0')).next
}

/** Without `from` only the lease is renewed. */
export async function readChanges(
  context: MoveContext,
  index: string,
  from: readonly number[],
  size: number,
): Promise<ChangesPage> {
  return await request(context, index, `from=${from.join(',')}&size=${size}`)
}

export async function releaseChanges({ from, state }: MoveContext, index: string): Promise<void> {
  await from.client.send('DELETE', `${pathOf(index)}/_sandpiper/changes?lease=${leaseOf(state)}`)
}

async function request({ from, state, options }: MoveContext, index: string, parameters: string): Promise<ChangesPage> {
  const keepAlive = encodeURIComponent(options.keepAlive)
  const path = `${pathOf(index)}/_sandpiper/changes?${parameters}&lease=${leaseOf(state)}&keep_alive=${keepAlive}`
  const answer = await from.client.send('GET', path)
  if (answer.status === 404 && answer.body.includes('is not kept')) throw new HistoryGone(index)
  if (answer.status >= 300) throw new TransferError(`cannot read the changes of ${index}`, answer)
  return readPage(answer)
}

function readPage({ body }: TransferAnswer): ChangesPage {
  const numbers = (name: string) => JSON.parse(textOf(body, find(body, [name])!)) as number[]
  const next = numbers('next')
  const left = numbers('max_seq_no').reduce((sum, max, shard) => sum + Math.max(0, max + 1 - next[shard]!), 0)
  const changes = [...elements(body, find(body, ['changes'])!.start)].map((span) => {
    const parts = new Map<string, Span>(members(body, span.start))
    const operation = JSON.parse(textOf(body, parts.get('op')!)) as Change['operation']
    return { operation, document: readDocument(body, parts) }
  })
  return { changes, next, left }
}
