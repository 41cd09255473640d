/**
 * The actions of one bulk request, in columns: ranges in the body and small numbers. A request of 100,000 documents
 * creates no object per document; rare members (versions, updates, pipelines) are in `extras`.
 */
import type { SourceFilter, VersionType, WriteTarget } from '../shard-host.ts'
import type { UpdateRequest } from '../write/update-request.ts'

export const INDEX = 0
export const CREATE = 1
export const UPDATE = 2
export const DELETE = 3
export type BulkAction = 0 | 1 | 2 | 3

export const ACTION_NAMES = ['index', 'create', 'update', 'delete'] as const

/** The target of an item, before its name is resolved. */
export interface BulkTarget {
  readonly name: string
  readonly requireAlias: boolean
  readonly requireDataStream: boolean
  readonly isDelete: boolean
}

export interface BulkExtras {
  version: number | undefined
  versionType: VersionType
  ifSeqNo: number | undefined
  ifPrimaryTerm: number | undefined
  retryOnConflict: number
  pipeline: string | undefined
  dynamicTemplates: Readonly<Record<string, string>> | undefined
  sourceFilter: SourceFilter | undefined
  /** Whether the response lists the executed pipelines. */
  listPipelines: boolean
  update: UpdateRequest | undefined
}

/** In place of the start of a routing value: neither the item nor the request has one. */
export const WITHOUT_ROUTING = -2

const NO_REQUIREMENTS = { requireAlias: false, requireDataStream: false, isDelete: false }

export const newExtras = (): BulkExtras => ({
  version: undefined,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  retryOnConflict: 0,
  pipeline: undefined,
  dynamicTemplates: undefined,
  sourceFilter: undefined,
  listPipelines: false,
  update: undefined,
})

export class BulkItems {
  count = 0
  action = new Uint8Array(64)
  /** Index into `targets`. */
  target = new Int32Array(64)
  /** Range of the id in the body; start is -1 if the id is to be generated. */
  idStart = new Int32Array(64)
  idEnd = new Int32Array(64)
  /** Range of the routing value; start is -1 if there is none. */
  routingStart = new Int32Array(64)
  routingEnd = new Int32Array(64)
  sourceStart = new Int32Array(64)
  sourceEnd = new Int32Array(64)
  /** Index into `extras`, or -1. */
  extra = new Int32Array(64)

  readonly targets: BulkTarget[] = []
  readonly extras: BulkExtras[] = []

  /** Makes room for one more item and returns its number. */
  push(): number {
    const item = this.count++
    if (item === this.action.length) this.#grow()
    return item
  }

  /** Makes an item delete the document that it was to write. */
  delete(item: number): void {
    const { targets, target } = this
    const { name, requireAlias, requireDataStream } = targets[target[item]!]!
    this.action[item] = DELETE
    this.sourceStart[item] = -1
    this.sourceEnd[item] = -1
    target[item] = this.targetNumber({ name, requireAlias, requireDataStream, isDelete: true })
  }

  /** Makes an item write the document at `start` to the failure store of its data stream. */
  redirect(item: number, store: WriteTarget, start: number, end: number): void {
    const name = 'indexName' in store ? store.indexName : ''
    this.action[item] = CREATE
    this.target[item] = this.targetNumber({ name, ...NO_REQUIREMENTS })
    this.idStart[item] = -1
    this.routingStart[item] = WITHOUT_ROUTING
    this.sourceStart[item] = start
    this.sourceEnd[item] = end
    this.extra[item] = -1
  }

  /** The number of a target, which is added if no item has it yet. */
  targetNumber(wanted: BulkTarget): number {
    const known = this.targets.findIndex(
      ({ name, requireAlias, requireDataStream, isDelete }) =>
        name === wanted.name &&
        isDelete === wanted.isDelete &&
        requireAlias === wanted.requireAlias &&
        requireDataStream === wanted.requireDataStream,
    )
    return known >= 0 ? known : this.targets.push(wanted) - 1
  }

  #grow(): void {
    const length = this.action.length * 4
    const grown = (old: Int32Array) => {
      const larger = new Int32Array(length)
      larger.set(old)
      return larger
    }
    const actions = new Uint8Array(length)
    actions.set(this.action)
    this.action = actions
    this.target = grown(this.target)
    this.idStart = grown(this.idStart)
    this.idEnd = grown(this.idEnd)
    this.routingStart = grown(this.routingStart)
    this.routingEnd = grown(this.routingEnd)
    this.sourceStart = grown(this.sourceStart)
    this.sourceEnd = grown(this.sourceEnd)
    this.extra = grown(this.extra)
  }
}
