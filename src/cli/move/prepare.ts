/** Creates the definitions and indices at the target, empty and tuned for loading, and completes them at the end. */
import { find, textOf } from '../transfer/hit-scanner.ts'
import { parseAnswer, TransferError } from '../transfer/transfer-client.ts'
import type { Cluster } from './cluster.ts'
import { isManaged } from './definitions-to-move.ts'
import { type MoveContext, pathOf } from './move-context.ts'
import type { MovedIndex } from './move-state.ts'
import type { MovePlan, PlannedAlias, PlannedIndex } from './plan.ts'
import { type AdaptedIndex, adaptIndex, adaptRefused, type Json } from './target-rules.ts'

/**
 * Settings that are set only at the end: replicas and refreshes would slow the copy down, pipelines would change the
 * documents a second time, a lifecycle would act on half an index.
 */
const WITHHELD =
  /^index\.(number_of_replicas|auto_expand_replicas|refresh_interval|default_pipeline|final_pipeline|lifecycle\..*)$/
const WHILE_LOADING: Json = {
  'index.number_of_replicas': 0,
  'index.auto_expand_replicas': 'false',
  'index.refresh_interval': '-1',
}

/** Definitions that exist already are left as they are, which is noted; those of users replace what a distribution brings along. */
export async function createDefinitions({ to, state, record }: MoveContext, { definitions }: MovePlan): Promise<void> {
  for (const { what, path, body } of definitions) {
    if (state.created.includes(path)) continue
    const found = await to.client.send('GET', path)
    const isReplaced = isManaged('', found.body.toString()) && !isManaged('', body)
    if (found.status < 300 && !isReplaced) {
      addNote(state.notes, `${what} exists already at the target and is left as it is`)
      continue
    }
    if (found.status >= 300 && found.status !== 404)
      throw new TransferError(`cannot look for ${what} at the target`, found)
    const answer = await to.client.send('PUT', path, body)
    if (answer.status >= 300) addNote(state.notes, new TransferError(`${what} is not moved`, answer).message)
    else {
      state.created.push(path)
      await record.progress(state)
    }
  }
}

export function addNote(notes: string[], note: string): void {
  if (!notes.includes(note)) notes.push(note)
}

/** Creates the target of an index, unless an interrupted run has done that. */
export async function createTarget(context: MoveContext, item: MovedIndex, planned: PlannedIndex): Promise<void> {
  const { to, state } = context
  if (item.stream === undefined) await createIndex(context, item.name, planned.adapted)
  else {
    const generation = state.indices.filter(({ stream }) => stream === item.stream).indexOf(item)
    item.target = await createBackingIndex(to, item.stream, generation)
    const body = { ...WHILE_LOADING, 'index.default_pipeline': '_none', 'index.final_pipeline': '_none' }
    await putSettings(to, item.target, body)
  }
  item.stage = 'created'
  await context.record.step(state)
}

async function createIndex({ to, state }: MoveContext, name: string, planned: AdaptedIndex): Promise<void> {
  const exists = await to.client.send('HEAD', pathOf(name))
  if (exists.status < 300) return
  if (exists.status !== 404) throw new TransferError(`cannot look for ${name} at the target`, exists)
  let adapted = planned
  for (;;) {
    const kept = Object.entries(adapted.settings).filter(([setting]) => !WITHHELD.test(setting))
    const settings = JSON.stringify({ ...Object.fromEntries(kept), ...WHILE_LOADING })
    const answer = await to.client.send('PUT', pathOf(name), `{"settings":${settings},"mappings":${adapted.mappings}}`)
    if (answer.status < 300) break
    const failure = new TransferError(`cannot create ${name} at the target`, answer)
    const again = answer.status === 400 ? adaptRefused(adapted, answer.body.toString()) : undefined
    if (again === undefined) throw failure
    for (const note of again.notes) addNote(state.notes, `${name}: ${note}`)
    adapted = again
  }
}

/** The backing index of a stream that takes the documents of a generation of the source, counted from 0. */
async function createBackingIndex(to: Cluster, stream: string, generation: number): Promise<string> {
  for (;;) {
    const backing = await backingIndices(to, stream)
    const target = backing[generation]
    if (target !== undefined) return target
    if (backing.length === 0)
      await to.client.need(`cannot create ${stream} at the target`, 'PUT', `/_data_stream${pathOf(stream)}`)
    else await to.client.need(`cannot roll ${stream} over at the target`, 'POST', `${pathOf(stream)}/_rollover`)
  }
}

async function backingIndices(to: Cluster, stream: string): Promise<string[]> {
  type Answer = { data_streams: { indices: { index_name: string }[] }[] }
  const answer = await to.client.find<Answer>('cannot read a data stream', `/_data_stream${pathOf(stream)}`)
  return answer?.data_streams[0]?.indices.map(({ index_name }) => index_name) ?? []
}

/** Brings the mapping of the target up to date before documents need it: the target must not guess types itself. */
export async function syncMapping({ from, to, state }: MoveContext, item: MovedIndex): Promise<void> {
  const what = `cannot read the mapping of ${item.name}`
  const answer = await from.client.need(what, 'GET', `${pathOf(item.name)}/_mapping`)
  const text = textOf(answer, find(answer, [item.name, 'mappings'])!)
  if (text === item.mapping) return
  let adapted = adaptIndex(to, text, {})
  while (text !== '{}') {
    const sent = await to.client.send('PUT', `${pathOf(item.target)}/_mapping`, adapted.mappings)
    if (sent.status < 300) break
    const again = sent.status === 400 ? adaptRefused(adapted, sent.body.toString()) : undefined
    if (again === undefined) throw new TransferError(`cannot change the mapping of ${item.target}`, sent)
    for (const note of again.notes) addNote(state.notes, `${item.name}: ${note}`)
    adapted = again
  }
  item.mapping = text
}

/** Sets what was withheld, and makes every document searchable. */
export async function completeIndex({ to }: MoveContext, item: MovedIndex, planned: PlannedIndex): Promise<void> {
  const settings: Json = {
    'index.number_of_replicas': null,
    'index.auto_expand_replicas': null,
    'index.refresh_interval': null,
    // An interrupted repair may have changed it.
    'index.gc_deletes': planned.adapted.settings['index.gc_deletes'] ?? null,
    ...(item.stream === undefined ? {} : { 'index.default_pipeline': null, 'index.final_pipeline': null }),
  }
  for (const [name, value] of Object.entries(planned.adapted.settings)) if (WITHHELD.test(name)) settings[name] = value
  await putSettings(to, item.target, settings)
  await to.client.need(`cannot refresh ${item.target}`, 'POST', `${pathOf(item.target)}/_refresh`)
}

/** Adds all aliases in one request, so that clients see all of them or none. */
export async function setAliases({ to }: MoveContext, aliases: readonly PlannedAlias[]): Promise<void> {
  if (aliases.length === 0) return
  const actions = aliases.map(
    ({ index, alias, rest }) => `{"add":{"index":${JSON.stringify(index)},"alias":${JSON.stringify(alias)}${rest}}}`,
  )
  await to.client.need('cannot set aliases', 'POST', '/_aliases', `{"actions":[${actions.join(',')}]}`)
}

/** Blocks writes to indices of the source, or lifts the block. */
export async function setBlock(
  { from }: Pick<MoveContext, 'from'>,
  names: readonly string[],
  isBlocked: boolean,
): Promise<void> {
  for (const name of names) {
    if (isBlocked) await from.client.need(`cannot block writes to ${name}`, 'PUT', `${pathOf(name)}/_block/write`)
    else await putSettings(from, name, { 'index.blocks.write': null })
  }
}

export async function putSettings(cluster: Cluster, name: string, settings: Json): Promise<void> {
  const what = `cannot change the settings of ${name}`
  const answer = await cluster.client.send('PUT', `${pathOf(name)}/_settings`, JSON.stringify(settings))
  if (answer.status >= 300) throw new TransferError(what, answer)
}

/** Documents of an index by its own count, without nested ones. */
export async function countDocuments(cluster: Cluster, name: string): Promise<number> {
  const what = `cannot count ${name}`
  const answer = await cluster.client.need(what, 'GET', `${pathOf(name)}/_count`)
  return parseAnswer<{ count: number }>(what, answer).count
}
