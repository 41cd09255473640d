/** Writes records to the leaders of their partitions. Retrying is left to the caller. */
import type { Api } from './broker-connection.ts'
import type { Cluster, Partition } from './cluster.ts'
import type { Compression } from './compression.ts'
import { DUPLICATE_SEQUENCE_NUMBER, KafkaError, UNKNOWN_TOPIC_OR_PARTITION } from './kafka-error.ts'
import { partitionOfKey } from './murmur2.ts'
import { ProducerSequences } from './producer-sequences.ts'
import { type BatchOrigin, encodeBatch, type OutgoingRecord } from './record-batch.ts'

const PRODUCE: Api = { name: 'Produce', key: 0, version: 3 }
/** Maximum overhead of a record. */
const RECORD_OVERHEAD_BYTES = 40
const BATCH_OVERHEAD_BYTES = 512

export interface TopicRecord extends OutgoingRecord {
  readonly topic: string
  /** Chosen at the first attempt and kept, because a retry must not send the record to another partition. */
  partition?: number
  /**
   * Whether the record is sent in a batch of its own, after the broker rejected the batch it was in because of one
   * record.
   */
  isAlone?: boolean
  /** The numbered batch it was sent in. A retry must send the same batch. */
  sentIn?: Batch
}

export interface FailedRecord {
  readonly record: TopicRecord
  readonly error: Error
}

export interface ProducerSettings {
  readonly acks: 0 | 1 | -1
  readonly compression: Compression
  readonly requestBytesMax: number
  readonly requestTimeoutMs: number
  readonly metadataMaxAgeMs: number
  readonly takesTurns: boolean
  /** Whether batches are numbered, so that a batch that is sent again is written once. Calls of `send` must not overlap then. */
  readonly isIdempotent: boolean
}

/** The records of one partition in one request. */
export interface Batch {
  readonly partition: Partition
  readonly records: TopicRecord[]
  bytes: number
  origin?: BatchOrigin
}

export class Producer {
  readonly #cluster: Cluster
  readonly #settings: ProducerSettings
  readonly #topics = new Map<string, { partitions: Partition[]; seenMs: number }>()
  #turn = 0
  readonly #sequences: ProducerSequences | undefined

  constructor(cluster: Cluster, settings: ProducerSettings) {
    this.#cluster = cluster
    this.#settings = settings
    this.#sequences = settings.isIdempotent ? new ProducerSequences(cluster) : undefined
  }

  /** The caller gives up records that may or may not have been written: the numbering starts anew. */
  forgetSequences(): void {
    this.#sequences?.reset()
  }

  /** Resolves with the records that were not written, and the reasons. */
  async send(records: readonly TopicRecord[]): Promise<FailedRecord[]> {
    const failed: FailedRecord[] = []
    await this.#sequences?.start()
    const refused = await this.#look([...new Set(records.map(({ topic }) => topic))])
    const byLeader = new Map<number, Batch[]>()
    for (const batch of this.#batches(records, refused, failed)) {
      const batches = byLeader.get(batch.partition.leader)
      if (batches === undefined) byLeader.set(batch.partition.leader, [batch])
      else batches.push(batch)
    }
    await Promise.all([...byLeader].map(([leader, batches]) => this.#sendTo(leader, batches, failed)))
    // Leaders may have moved, so the next attempt requests the metadata again.
    for (const { record } of failed) this.#topics.delete(record.topic)
    this.#sequences?.heed(failed)
    return failed
  }

  /** Looks up the partitions of unknown topics. Returns the topics that the cluster rejects, with the reasons. */
  async #look(topics: readonly string[]): Promise<Map<string, KafkaError>> {
    const nowMs = performance.now()
    const oldest = nowMs - this.#settings.metadataMaxAgeMs
    const wanted = topics.filter((topic) => (this.#topics.get(topic)?.seenMs ?? Number.NEGATIVE_INFINITY) < oldest)
    const refused = new Map<string, KafkaError>()
    if (wanted.length === 0) return refused
    const look = async (some: readonly string[]) => {
      for (const [topic, partitions] of await this.#cluster.partitions(some, true)) {
        this.#topics.set(topic, { partitions, seenMs: nowMs })
      }
    }
    try {
      await look(wanted)
    } catch (error) {
      if (!(error instanceof KafkaError && error.isFinal)) throw error
      // One of several topics may be the reason, so each is requested alone.
      for (const topic of wanted) {
        await look([topic]).catch((reason) => {
          if (!(reason instanceof KafkaError)) throw reason
          refused.set(topic, reason)
        })
      }
    }
    return refused
  }

  #batches(records: readonly TopicRecord[], refused: ReadonlyMap<string, KafkaError>, failed: FailedRecord[]): Batch[] {
    const open = new Map<Partition, Batch>()
    const all: Batch[] = []
    const unkeyed = new Map<string, number>()
    const sentAgain = new Set<Batch>()
    for (const record of records) {
      const partitions = this.#topics.get(record.topic)?.partitions ?? []
      if (partitions.length === 0) {
        const unknown = new KafkaError(UNKNOWN_TOPIC_OR_PARTITION, `topic ${record.topic}`)
        failed.push({ record, error: refused.get(record.topic) ?? unknown })
        continue
      }
      record.partition ??= this.#choose(record, partitions.length, unkeyed)
      const partition = partitions[record.partition % partitions.length]!
      if (record.sentIn !== undefined && this.#sequences?.isCurrent(record.sentIn.origin) === true) {
        const again = record.sentIn
        if (!sentAgain.has(again)) all.push({ ...again, partition })
        sentAgain.add(again)
        continue
      }
      const bytes = record.value.length + (record.key?.length ?? 0) + RECORD_OVERHEAD_BYTES
      let batch = open.get(partition)
      if (record.isAlone === true || batch === undefined || batch.bytes + bytes > this.#settings.requestBytesMax) {
        batch = { partition, records: [], bytes: BATCH_OVERHEAD_BYTES }
        if (record.isAlone !== true) open.set(partition, batch)
        all.push(batch)
      }
      batch.records.push(record)
      batch.bytes += bytes
    }
    this.#sequences?.number(all)
    return all
  }

  /**
   * Records without a key go to one partition per call, so that batches stay large, unless round-robin is configured.
   */
  #choose(record: TopicRecord, count: number, unkeyed: Map<string, number>): number {
    if (record.key !== undefined) return partitionOfKey(record.key, count)
    if (this.#settings.takesTurns) return this.#turn++ % count
    const chosen = unkeyed.get(record.topic) ?? Math.floor(Math.random() * count)
    unkeyed.set(record.topic, chosen)
    return chosen
  }

  /** Sends the requests one after another, each within the size limit and with each partition at most once. */
  async #sendTo(leader: number, batches: readonly Batch[], failed: FailedRecord[]): Promise<void> {
    let request: Batch[] = []
    let bytes = 0
    for (const batch of batches) {
      const isFull = bytes + batch.bytes > this.#settings.requestBytesMax
      if (request.length > 0 && (isFull || request.some(({ partition }) => partition === batch.partition))) {
        await this.#request(leader, request, failed)
        request = []
        bytes = 0
      }
      request.push(batch)
      bytes += batch.bytes
    }
    if (request.length > 0) await this.#request(leader, request, failed)
  }

  async #request(leader: number, batches: readonly Batch[], failed: FailedRecord[]): Promise<void> {
    try {
      for (const [batch, error] of await this.#produce(leader, batches)) {
        for (const record of batch.records) failed.push({ record, error })
      }
    } catch (error) {
      for (const { records } of batches) {
        for (const record of records) failed.push({ record, error: error as Error })
      }
    }
  }

  /** Returns the rejected batches. */
  async #produce(leader: number, batches: readonly Batch[]): Promise<[Batch, Error][]> {
    const { acks, compression, requestTimeoutMs } = this.#settings
    const broker = await this.#cluster.broker(leader)
    const write: Parameters<typeof broker.send>[1] = (body) => {
      body.string(undefined).int16(acks).int32(requestTimeoutMs)
      body.array(batches, ({ partition, records, origin }) => {
        body.string(partition.topic)
        body.array([partition.index], (index) => body.int32(index).bytes(encodeBatch(records, compression, origin)))
      })
    }
    if (acks === 0) {
      broker.send(PRODUCE, write)
      return []
    }
    return broker.call(
      PRODUCE,
      write,
      (answer) => {
        const refused: [Batch, Error][] = []
        answer.array(() => {
          const topic = answer.string()!
          answer.array(() => {
            const index = answer.int32()
            const code = answer.int16()
            answer.int64()
            answer.int64()
            // The broker has written the batch at an earlier attempt.
            if (code === 0 || code === DUPLICATE_SEQUENCE_NUMBER) return
            const batch = batches.find(({ partition: p }) => p.topic === topic && p.index === index)
            if (batch !== undefined) refused.push([batch, new KafkaError(code, `partition ${index} of ${topic}`)])
          })
        })
        return refused
      },
      requestTimeoutMs,
    )
  }
}
