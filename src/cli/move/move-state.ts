/**
 * The progress of a move. It is recorded in a file beside the command after every step, and less often in the index
 * `.sandpiper-move` of the target: a move can be continued from either, by another process or on another machine.
 *
 * Both records may lag behind what was sent, because sending a document twice changes nothing. A phase must not lag
 * behind: it is recorded in both places before its first step.
 */
import { randomBytes } from 'node:crypto'
import { SettingsError } from '../arguments/settings-error.ts'
import { Checkpoint } from '../transfer/checkpoint.ts'
import { parseAnswer, TransferError } from '../transfer/transfer-client.ts'
import type { Cluster } from './cluster.ts'

export type Phase = 'copy' | 'follow' | 'cut-over' | 'done'

export interface MovedIndex {
  readonly name: string
  readonly uuid: string
  /** The data stream that it is a backing index of. */
  readonly stream: string | undefined
  /** The name of the index at the target, which differs for backing indices. */
  target: string
  /** When it was created at the target, and all its documents were sent. */
  stage: 'planned' | 'created' | 'copied'
  /** The first change of each shard that is not applied yet; undefined if the source has no history. */
  next: number[] | undefined
  pit: string | undefined
  /** The position at which each slice continues; null when it is complete. */
  slices: (string | null)[]
  documents: number
  copied: number
  /** Documents that the target refuses, by id; at most a thousand. */
  rejected: Record<string, string>
  /** The mapping that the target has last got, as text. */
  mapping: string
}

export interface MoveState {
  readonly format: 1
  /** Names the lease at the source. */
  readonly id: string
  readonly from: string
  readonly to: string
  readonly names: string | undefined
  /** Increases with every record, so that the newer one is known. */
  records: number
  phase: Phase
  /** Whether the source reports its changes. */
  follows: boolean
  indices: MovedIndex[]
  /** Definitions that the move created at the target, as paths. */
  created: string[]
  /** Sentences about what could not be kept. */
  notes: string[]
}

const RECORD_INDEX = '.sandpiper-move'
/** How often progress is recorded at the target. */
const TARGET_EVERY_MS = 5000

export class MoveRecord {
  readonly #file: Checkpoint<MoveState>
  readonly #from: Cluster
  readonly #to: Cluster
  /** The version of the document at the target that this run has read or written. */
  #seen: { readonly _seq_no: number; readonly _primary_term: number } | undefined
  #recordedMs = 0
  #recording: Promise<void> = Promise.resolve()

  constructor(stateFile: string, from: Cluster, to: Cluster) {
    this.#file = new Checkpoint<MoveState>(stateFile)
    this.#from = from
    this.#to = to
  }

  /** The newest record of this move; undefined if there is none. */
  async load(): Promise<MoveState | undefined> {
    const inFile = this.#file.read()
    if (inFile !== undefined && (inFile.from !== this.#from.uuid || inFile.to !== this.#to.uuid)) {
      throw new SettingsError(`${this.#file.path} is of another move; --state names another file for this one`)
    }
    type Stored = { _seq_no: number; _primary_term: number; _source: { state: string } }
    const stored = await this.#to.client.find<Stored>('cannot read the record of the move', this.#path())
    if (stored === undefined) {
      if (inFile === undefined || inFile.phase === 'done') return inFile
      throw new SettingsError(
        `${this.#to.url} has no record of this move, and ${this.#file.path} has: the target is not the one it began with. ` +
          'Delete the file to begin anew',
      )
    }
    this.#seen = stored
    const atTarget = JSON.parse(stored._source.state) as MoveState
    if (inFile === undefined || inFile.id !== atTarget.id) return atTarget
    return inFile.records > atTarget.records ? inFile : atTarget
  }

  begin(names: string | undefined, follows: boolean): MoveState {
    const { uuid: from } = this.#from
    const { uuid: to } = this.#to
    const id = randomBytes(9).toString('base64url')
    const rest = { phase: 'copy' as const, follows, indices: [], created: [], notes: [] }
    return { format: 1, id, from, to, names, records: 0, ...rest }
  }

  /** Records progress: in the file at once, at the target from time to time. */
  async progress(state: MoveState): Promise<void> {
    state.records++
    this.#file.write(state)
    if (performance.now() - this.#recordedMs >= TARGET_EVERY_MS) await this.#atTarget(state)
  }

  /** Records a step that must not be forgotten, in both places. */
  async step(state: MoveState): Promise<void> {
    state.records++
    await this.#atTarget(state)
    this.#file.write(state)
  }

  async forget(): Promise<void> {
    await this.#to.client.send('DELETE', `/${RECORD_INDEX}/_doc/${encodeURIComponent(this.#from.uuid)}?refresh=true`)
    this.#file.delete()
  }

  /** Slices record at the same time; their requests follow each other. */
  #atTarget(state: MoveState): Promise<void> {
    this.#recordedMs = performance.now()
    this.#recording = this.#recording.then(() => this.#put(state))
    return this.#recording
  }

  /** Fails if another process has recorded anything since: two runs must not work on one move. */
  async #put(state: MoveState): Promise<void> {
    if (this.#seen === undefined) await this.#createIndex()
    const condition =
      this.#seen === undefined
        ? 'op_type=create'
        : `if_seq_no=${this.#seen._seq_no}&if_primary_term=${this.#seen._primary_term}`
    const body = JSON.stringify({ from: this.#from.url, phase: state.phase, state: JSON.stringify(state) })
    const what = 'cannot record the move at the target'
    const answer = await this.#to.client.send('PUT', `${this.#path()}?${condition}`, body)
    if (answer.status === 409) throw new SettingsError('another run of this move is at work')
    if (answer.status >= 300) throw new TransferError(what, answer)
    this.#seen = parseAnswer(what, answer.body)
  }

  async #createIndex(): Promise<void> {
    const body = {
      settings: { 'index.hidden': true, 'index.number_of_shards': 1, 'index.auto_expand_replicas': '0-1' },
      mappings: { dynamic: false },
    }
    const answer = await this.#to.client.send('PUT', `/${RECORD_INDEX}`, JSON.stringify(body))
    const exists = answer.status === 400 && answer.body.includes('resource_already_exists_exception')
    if (answer.status >= 300 && !exists) throw new TransferError(`cannot create ${RECORD_INDEX}`, answer)
  }

  #path(): string {
    return `/${RECORD_INDEX}/_doc/${encodeURIComponent(this.#from.uuid)}`
  }
}
