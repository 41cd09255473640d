/** Applies the changes of the source to the target, in order, deletes included. */
import { elements, find, members, type Span, textOf } from '../transfer/hit-scanner.ts'
import { type BulkItem, created, versioned, writeItems } from './bulk-writer.ts'
import { type Change, readChanges } from './changes.ts'
import { type MovedDocument, readDocument } from './cluster.ts'
import { type MoveContext, rejecter } from './move-context.ts'
import type { MovedIndex } from './move-state.ts'
import { syncMapping } from './prepare.ts'

/** Applies what an index has; returns the number of changes. `note` sees each page of changes before it is applied. */
export async function followIndex(
  context: MoveContext,
  item: MovedIndex,
  note?: (changes: readonly Change[]) => void,
): Promise<number> {
  const { record, state, options } = context
  let applied = 0
  for (;;) {
    const page = await readChanges(context, item.name, item.next!, options.size)
    if (page.changes.length > 0) {
      note?.(page.changes)
      await applyChanges(context, item, page.changes)
      applied += page.changes.length
      item.next = page.next
      await record.progress(state)
    }
    if (page.left === 0 || page.changes.length === 0) return applied
  }
}

async function applyChanges(context: MoveContext, item: MovedIndex, changes: readonly Change[]): Promise<void> {
  await syncMapping(context, item)
  // Only the last change of a document matters; one item per document can be sent again without regard to order.
  const last = new Map<string, Change>()
  for (const change of changes) {
    last.delete(change.document.id)
    last.set(change.document.id, change)
  }
  const items =
    item.stream === undefined
      ? [...last.values()].map(({ operation, document }) => versioned(operation, item.target, document))
      : await streamItems(context, item, [...last.values()])
  await writeItems(context.to, items, rejecter(context, item))
}

/**
 * A data stream takes new documents only; a document that it has is replaced or deleted in its backing index, on the
 * condition that it has not changed since.
 */
async function streamItems({ to }: MoveContext, item: MovedIndex, changes: readonly Change[]): Promise<BulkItem[]> {
  const stored = await findStored(
    to,
    item.target,
    changes.map(({ document }) => document),
  )
  const index = JSON.stringify(item.target)
  return changes.flatMap(({ operation, document }, i) => {
    const { id, routing, source } = document
    const at = stored[i]
    const routed = routing === undefined ? '' : `,"routing":${routing}`
    if (at === undefined) return operation === 'delete' ? [] : [created(item.stream!, document)]
    if (operation === 'delete')
      return [{ id, action: `{"delete":{"_index":${index},"_id":${id}${routed}}}`, source: undefined }]
    if (at.source?.equals(source!)) return []
    return [{ id, action: `{"index":{"_index":${index},"_id":${id}${routed},${at.condition}}}`, source }]
  })
}

interface StoredAt {
  readonly condition: string
  readonly source: Buffer | undefined
}

async function findStored(
  to: MoveContext['to'],
  index: string,
  documents: readonly MovedDocument[],
): Promise<(StoredAt | undefined)[]> {
  const answer = await to.client.need('cannot read documents', 'POST', '/_mget', mgetBody(index, documents))
  return [...elements(answer, find(answer, ['docs'])!.start)].map((span) => {
    const parts = new Map<string, Span>(members(answer, span.start))
    if (parts.get('found') === undefined || textOf(answer, parts.get('found')!) !== 'true') return undefined
    const seqNo = textOf(answer, parts.get('_seq_no')!)
    const term = textOf(answer, parts.get('_primary_term')!)
    return { condition: `"if_seq_no":${seqNo},"if_primary_term":${term}`, source: readDocument(answer, parts).source }
  })
}

/** The body of an `_mget` for documents of one index. */
export function mgetBody(
  index: string,
  documents: readonly Pick<MovedDocument, 'id' | 'routing'>[],
  withSource = true,
): string {
  const name = JSON.stringify(index)
  const docs = documents.map(({ id, routing }) => {
    const routed = routing === undefined ? '' : `,"routing":${routing}`
    return `{"_index":${name},"_id":${id}${routed}${withSource ? '' : ',"_source":false'}}`
  })
  return `{"docs":[${docs.join(',')}]}`
}
