/** `sandpiper move`: plan, copy, follow, cut over, compare. Every step can be repeated after an interruption. */
import { setTimeout as delay } from 'node:timers/promises'
import { printedHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { Progress } from '../transfer/progress.ts'
import { writeItems } from './bulk-writer.ts'
import { HistoryGone, hasHistory, releaseChanges } from './changes.ts'
import { Cluster, type MovedDocument } from './cluster.ts'
import { Copier } from './copy.ts'
import { EarlyProof } from './early-proof.ts'
import { followIndex } from './follow.ts'
import { type MoveContext, pathOf } from './move-context.ts'
import { MOVE_HELP, type MoveOptions, parseMoveOptions } from './move-options.ts'
import { type MovedIndex, MoveRecord, type MoveState } from './move-state.ts'
import { type MovePlan, makePlan, type PlannedIndex } from './plan.ts'
import { addNote, completeIndex, createDefinitions, createTarget, setAliases, setBlock } from './prepare.ts'
import { forEachExtra, type IndexProof, Prover, type Settle } from './prove.ts'
import { repairDocuments } from './repair.ts'
import { printPlan, writeReport } from './report.ts'

export async function move(args: readonly string[]): Promise<void> {
  if (printedHelp(args, MOVE_HELP)) return
  const options = parseMoveOptions(args)
  const progress = new Progress(options.action === 'verify' ? 'compared' : 'copied', options.isQuiet)
  const note = (text: string) => progress.note(text)
  const from = await Cluster.connect(options.from, note)
  const to = await Cluster.connect(options.to, note)
  try {
    if (from.uuid === to.uuid) throw new SettingsError('--from and --to are the same service')
    await run(from, to, options, progress)
  } finally {
    from.client.close()
    to.client.close()
  }
}

async function run(from: Cluster, to: Cluster, options: MoveOptions, progress: Progress): Promise<void> {
  const record = new MoveRecord(options.stateFile, from, to)
  const known = await record.load()
  if (known !== undefined && options.names !== undefined && options.names !== known.names) {
    throw new SettingsError(`this move was begun with --index ${known.names ?? '(all)'}; --discard gives it up`)
  }
  const makeContext = (state: MoveState): MoveContext => ({ from, to, options, state, record, progress })
  if (options.action === 'dry-run') return await showPlan(from, to, options, known)
  if (options.action === 'abort' || options.action === 'discard' || options.action === 'verify') {
    if (known === undefined) throw new SettingsError('there is no move to continue')
    const context = makeContext(known)
    if (options.action === 'verify') return await verify(context)
    return options.action === 'abort' ? await abort(context) : await discard(context)
  }
  if (known?.phase === 'done') {
    throw new SettingsError('this move is finished; --verify compares again, --discard forgets it')
  }
  const plan = await makePlan(from, to, known?.names ?? options.names, known)
  if (plan.problems.length > 0) throw new SettingsError(`the move cannot begin\n  ${plan.problems.join('\n  ')}`)
  const state = known ?? record.begin(options.names, await sourceFollows(from, plan))
  await new Move(makeContext(state), plan).run()
}

async function sourceFollows(from: Cluster, { indices }: MovePlan): Promise<boolean> {
  return indices[0] !== undefined && (await hasHistory({ from }, indices[0].name))
}

async function showPlan(from: Cluster, to: Cluster, options: MoveOptions, known: MoveState | undefined): Promise<void> {
  const plan = await makePlan(from, to, known?.names ?? options.names, known)
  process.stdout.write(printPlan({ from, to }, plan))
  if (plan.problems.length > 0) throw new SettingsError('the move cannot begin')
}

async function verify(context: MoveContext): Promise<void> {
  if (context.state.phase !== 'done')
    throw new SettingsError('the move is not finished; --cut-over finishes and compares')
  const prover = proverOf(context, async () => {})
  await compareAll(context, (item) => prover.prove(item))
}

async function abort({ from, state, record, progress }: MoveContext): Promise<void> {
  if (state.phase === 'done')
    throw new SettingsError('the move is finished, and clients may have written to the target')
  await setBlock(
    { from },
    state.indices.map(({ name }) => name),
    false,
  )
  state.phase = 'follow'
  await record.step(state)
  progress.note('writes to the source are allowed again; the same command without --abort continues the move')
}

async function discard(context: MoveContext): Promise<void> {
  const { from, to, state, record, progress } = context
  if (state.phase !== 'done') {
    await setBlock(
      { from },
      state.indices.map(({ name }) => name),
      false,
    )
    await releaseSource(context)
    for (const { target, stream, stage } of state.indices) {
      if (stage === 'planned') continue
      const path = stream === undefined ? pathOf(target) : `/_data_stream${pathOf(stream)}`
      await to.client.send('DELETE', path)
    }
    for (const path of state.created.toReversed()) await to.client.send('DELETE', path)
    progress.note('the indices that the move had created at the target are deleted')
  }
  await record.forget()
}

async function releaseSource(context: MoveContext): Promise<void> {
  const { from, state } = context
  for (const item of state.indices) {
    if (item.next !== undefined) await releaseChanges(context, item.name)
    if (item.pit !== undefined) await from.closePit(item.pit)
    item.pit = undefined
  }
}

function proverOf(context: MoveContext, settle: Settle): Prover {
  return new Prover({ ...context, progress: new Progress('compared', context.options.isQuiet) }, settle)
}

/** Compares all indices, and fails if there is a difference. */
async function compareAll(context: MoveContext, prove: (item: MovedIndex) => Promise<IndexProof>): Promise<void> {
  const { state, options } = context
  const proofs = []
  for (const item of state.indices) proofs.push(await prove(item))
  const differences = writeReport(context, proofs)
  const documents = proofs.reduce((sum, proof) => sum + proof.documents, 0)
  if (differences === 0) {
    const sentence = `${documents} documents in ${proofs.length} indices are equal; see ${options.reportFile}\n`
    if (!options.isQuiet) process.stdout.write(sentence)
    return
  }
  const first = proofs.find(({ differenceCount }) => differenceCount > 0)!
  const [{ id, difference } = { id: '', difference: '' }] = first.differences
  throw new SettingsError(
    `${differences} documents differ, the first is [${id}] of ${first.name}: ${difference}; see ${options.reportFile}`,
  )
}

/** New indices of the source are looked for this often while changes are followed. */
const REPLAN_EVERY_MS = 10_000
/** The target has caught up when all indices were followed in this time. */
const CAUGHT_UP_MS = 1000
/** After the write block, requests that had begun before it may still write. */
const QUIET_MS = 200
/** The write block may begin when no more documents than this have to be compared again, or after so many rounds. */
const EARLY_LEFT_MAX = 1000
const EARLY_ROUNDS_MAX = 8

class Move {
  readonly #context: MoveContext
  readonly #state: MoveState
  readonly #copier: Copier
  #plan: MovePlan
  #plannedMs = performance.now()
  /** When this run has blocked writes. */
  #blockedMs = performance.now()
  readonly #prover: Prover
  /** Comparisons that were made while the source took writes, by the uuid of the index. */
  readonly #early = new Map<string, EarlyProof>()

  constructor(context: MoveContext, plan: MovePlan) {
    this.#context = context
    this.#state = context.state
    this.#copier = new Copier(context)
    this.#plan = plan
    this.#prover = proverOf(context, (item, different) => this.#settle(item, different))
  }

  async run(): Promise<void> {
    const state = this.#state
    const { progress, options, record } = this.#context
    const isLast = options.action === 'cut-over'
    const isNew = state.indices.length === 0
    for (const note of this.#plan.notes) addNote(state.notes, note)
    if (state.phase !== 'cut-over') await this.#reconcile()
    // From here on the names belong to this move.
    await record.step(state)
    if (isNew) for (const note of state.notes) progress.note(note)
    if (!state.follows && isLast) await this.#block()
    progress.startAt(state.indices.reduce((sum, { copied }) => sum + copied, 0))
    await this.#copyAll()
    if (state.follows) {
      if (state.phase === 'copy') await this.#enter('follow')
      await this.#catchUp()
      if (!isLast) {
        progress.note('the target has caught up with the source; --cut-over finishes the move')
        return
      }
      if (state.phase === 'follow') await this.#compareEarly()
      await this.#block()
      await this.#drain()
    }
    await this.#finish()
  }

  async #enter(phase: MoveState['phase']): Promise<void> {
    this.#state.phase = phase
    await this.#context.record.step(this.#state)
  }

  /** Brings the list of indices up to date with the source. */
  async #reconcile(): Promise<void> {
    const { to, state, progress } = this.#context
    const planned = new Set(this.#plan.indices.map(({ uuid }) => uuid))
    for (const item of state.indices.filter(({ uuid }) => !planned.has(uuid))) {
      progress.note(`${item.name} no longer exists at the source`)
      if (item.stage !== 'planned') await to.client.send('DELETE', pathOf(item.target))
      state.indices = state.indices.filter((other) => other !== item)
      this.#early.delete(item.uuid)
    }
    const known = new Set(state.indices.map(({ uuid }) => uuid))
    for (const index of this.#plan.indices) if (!known.has(index.uuid)) state.indices.push(newItem(index))
  }

  /** Plain indices come before templates, which would add to them; streams come after the templates they need. */
  async #copyAll(): Promise<void> {
    const { indices } = this.#state
    const waiting = (isStream: boolean) =>
      indices.filter(({ stage, stream }) => stage !== 'copied' && (stream !== undefined) === isStream)
    for (const item of waiting(false))
      if (item.stage === 'planned') await createTarget(this.#context, item, this.#planned(item))
    await createDefinitions(this.#context, this.#plan)
    for (const item of waiting(false)) await this.#copy(item)
    for (const item of waiting(true)) {
      if (item.stage === 'planned') {
        await this.#finishGenerations(item.stream!)
        await createTarget(this.#context, item, this.#planned(item))
      }
      await this.#copy(item)
    }
  }

  /** New documents of earlier generations go through the stream, so they must be there before it is rolled over. */
  async #finishGenerations(stream: string): Promise<void> {
    for (const item of this.#state.indices) {
      if (item.stream === stream && item.stage === 'copied' && this.#state.follows) await this.#follow(item)
    }
  }

  async #copy(item: MovedIndex): Promise<void> {
    await this.#copier.copy(item)
  }

  async #follow(item: MovedIndex): Promise<number> {
    try {
      const early = this.#early.get(item.uuid)
      return await followIndex(this.#context, item, early && ((changes) => early.note(changes)))
    } catch (error) {
      if (!(error instanceof HistoryGone)) throw error
      await this.#copyAnew(item)
      return 1
    }
  }

  /** The lease has expired, so deletes may have been missed. */
  async #copyAnew(item: MovedIndex): Promise<void> {
    const { progress, to, record } = this.#context
    progress.note(`${item.name}: the source no longer keeps the changes since the last run; it is copied again`)
    this.#early.delete(item.uuid)
    item.next = undefined
    item.pit = undefined
    item.stage = 'created'
    await record.step(this.#state)
    await this.#copier.copy(item)
    await to.client.need(`cannot refresh ${item.target}`, 'POST', `${pathOf(item.target)}/_refresh`)
    await forEachExtra(this.#context, item, async (documents) => {
      const index = JSON.stringify(item.target)
      const items = documents.map(({ id, routing }) => {
        const routed = routing === undefined ? '' : `,"routing":${routing}`
        return { id, action: `{"delete":{"_index":${index},"_id":${id}${routed}}}`, source: undefined }
      })
      if (items.length > 0) await writeItems(to, items, () => {})
    })
  }

  async #followAll(): Promise<number> {
    let applied = 0
    for (const item of this.#state.indices) applied += await this.#follow(item)
    return applied
  }

  /** Follows until a round takes less than a second. */
  async #catchUp(): Promise<void> {
    const { progress } = this.#context
    for (;;) {
      if (this.#state.phase === 'follow' && performance.now() - this.#plannedMs > REPLAN_EVERY_MS) await this.#replan()
      const startedMs = performance.now()
      const applied = await this.#followAll()
      const tookMs = performance.now() - startedMs
      if (applied === 0 || tookMs < CAUGHT_UP_MS) return
      progress.note(`${applied} changes applied in ${(tookMs / 1000).toFixed(1)} s`)
    }
  }

  async #replan(): Promise<void> {
    const { from, to, state } = this.#context
    this.#plan = await makePlan(from, to, state.names, state)
    this.#plannedMs = performance.now()
    await this.#reconcile()
    await this.#copyAll()
  }

  /** Compares what is there already, and what changes meanwhile, so that little is left for the time without writes. */
  async #compareEarly(): Promise<void> {
    const { state, progress } = this.#context
    for (const item of [...state.indices]) {
      if (item.stage !== 'copied') continue
      this.#early.set(item.uuid, await EarlyProof.begin(this.#context, this.#prover, item))
      // Leases are renewed, too.
      await this.#followAll()
    }
    for (let round = 0; round < EARLY_ROUNDS_MAX; round++) {
      await this.#catchUp()
      let left = 0
      for (const [uuid, early] of this.#early) {
        if (early.isOutdated) {
          progress.note('too many documents changed since the comparison; it is made again behind the write block')
          this.#early.delete(uuid)
          await early.close()
        } else left += early.left
      }
      if (left > 0) progress.note(`${left} documents have changed since they were compared`)
      if (left <= EARLY_LEFT_MAX) return
      for (const early of this.#early.values()) await early.compareChanged()
    }
  }

  async #block(): Promise<void> {
    const { from } = this.#context
    // Indices and aliases may have been added since the plan was made.
    if (this.#state.follows && this.#state.phase === 'follow') await this.#replan()
    await this.#enter('cut-over')
    this.#blockedMs = performance.now()
    await setBlock(
      { from },
      this.#state.indices.map(({ name }) => name),
      true,
    )
  }

  /** Applies the last changes: two reads without any. */
  async #drain(): Promise<void> {
    for (let quiet = 0; quiet < 2; ) {
      quiet = (await this.#followAll()) === 0 ? quiet + 1 : 0
      if (quiet < 2) await delay(QUIET_MS)
    }
  }

  async #finish(): Promise<void> {
    const context = this.#context
    const { state } = context
    for (const item of state.indices) await completeIndex(context, item, this.#planned(item))
    await setAliases(context, this.#plan.aliases)
    await compareAll(context, (item) => this.#early.get(item.uuid)?.conclude() ?? this.#prover.prove(item))
    for (const early of this.#early.values()) await early.close()
    await releaseSource(context)
    await this.#enter('done')
    context.progress.note(
      `the source took no writes for ${((performance.now() - this.#blockedMs) / 1000).toFixed(1)} s`,
    )
  }

  async #settle(item: MovedIndex, different: readonly MovedDocument[]): Promise<void> {
    if (!this.#state.follows) return
    const applied = await this.#follow(item)
    if (applied === 0 && item.stream === undefined) await repairDocuments(this.#context, item, different)
  }

  #planned(item: MovedIndex): PlannedIndex {
    const planned = this.#plan.indices.find(({ uuid }) => uuid === item.uuid)
    if (planned === undefined)
      throw new SettingsError(`${item.name} no longer exists at the source; run the command again`)
    return planned
  }
}

function newItem({ name, uuid, stream, documents }: PlannedIndex): MovedIndex {
  return {
    name,
    uuid,
    stream,
    target: name,
    stage: 'planned',
    next: undefined,
    pit: undefined,
    slices: [],
    documents,
    copied: 0,
    rejected: {},
    mapping: '',
  }
}
