/**
 * Makes single documents of the target equal to the source, where versions stand in the way.
 *
 * A document that was deleted long ago starts again with version 1 at the source. When the target gets the delete and the new
 * document within `index.gc_deletes`, it still knows the higher version of the deleted one and takes the new one for
 * outdated. Such documents are written here after the target has forgotten its deletes.
 */
import { type BulkItem, versioned, writeItems } from './bulk-writer.ts'
import type { MovedDocument } from './cluster.ts'
import { getDocuments } from './compare.ts'
import { type MoveContext, pathOf, rejecter } from './move-context.ts'
import type { MovedIndex } from './move-state.ts'
import { putSettings } from './prepare.ts'

const FORGET = { 'index.gc_deletes': '0s' }

/** `wanted` names documents of an index that is not a data stream. */
export async function repairDocuments(
  context: MoveContext,
  item: MovedIndex,
  wanted: readonly Pick<MovedDocument, 'id' | 'routing'>[],
): Promise<void> {
  const { from, to, options } = context
  const reject = rejecter(context, item)
  const remembered = await gcDeletes(context, item)
  await putSettings(to, item.target, FORGET)
  try {
    for (let start = 0; start < wanted.length; start += options.size) {
      const part = wanted.slice(start, start + options.size)
      const sources = await getDocuments(from, item.name, part)
      await writeItems(
        to,
        part.map((document) => removal(item.target, document)),
        reject,
      )
      // A refresh forgets deletes, also where nothing is refreshed by itself.
      await refresh(context, item)
      const items = sources.flatMap((source) => (source === undefined ? [] : [versioned('index', item.target, source)]))
      await writeItems(to, items, reject)
    }
  } finally {
    await putSettings(to, item.target, { 'index.gc_deletes': remembered })
  }
}

function removal(index: string, { id, routing }: Pick<MovedDocument, 'id' | 'routing'>): BulkItem {
  const routed = routing === undefined ? '' : `,"routing":${routing}`
  return { id, action: `{"delete":{"_index":${JSON.stringify(index)},"_id":${id}${routed}}}`, source: undefined }
}

async function gcDeletes({ to }: MoveContext, item: MovedIndex): Promise<string | null> {
  type Settings = Record<string, { settings: Record<string, string> }>
  const path = `${pathOf(item.target)}/_settings/index.gc_deletes?flat_settings=true`
  const found = await to.client.find<Settings>(`cannot read the settings of ${item.target}`, path)
  return found?.[item.target]?.settings['index.gc_deletes'] ?? null
}

async function refresh({ to }: MoveContext, item: MovedIndex): Promise<void> {
  await to.client.need(`cannot refresh ${item.target}`, 'POST', `${pathOf(item.target)}/_refresh`)
}
