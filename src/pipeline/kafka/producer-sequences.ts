/**
 * The numbering of an idempotent producer. The cluster gives the producer an id; each batch carries it with the number of its first
 * record within the partition. A broker that sees a batch again writes it once, and rejects one that skips numbers.
 */
import type { Api } from './broker-connection.ts'
import type { Cluster } from './cluster.ts'
import {
  CLUSTER_AUTHORIZATION_FAILED,
  check,
  INVALID_PRODUCER_EPOCH,
  KafkaError,
  OUT_OF_ORDER_SEQUENCE_NUMBER,
  UNKNOWN_PRODUCER_ID,
} from './kafka-error.ts'
import type { Batch, FailedRecord } from './producer.ts'
import type { BatchOrigin } from './record-batch.ts'

const INIT_PRODUCER_ID: Api = { name: 'InitProducerId', key: 22, version: 0 }
/** Numbers wrap around after the largest positive one. */
const SEQUENCES = 2 ** 31
/** A gap in the numbers is normal while an earlier batch is sent again; after this many attempts it is not. */
const GAPS_MAX = 5

interface Identity {
  readonly producerId: bigint
  readonly epoch: number
}

export class ProducerSequences {
  readonly #cluster: Cluster
  readonly #next = new Map<string, number>()
  #identity: Identity | undefined
  #isForbidden = false
  #gaps = 0

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** Requests an id if there is none. Without permission batches stay unnumbered, as with older clients. */
  async start(): Promise<void> {
    if (this.#identity !== undefined || this.#isForbidden) return
    const broker = await this.#cluster.anyBroker()
    try {
      this.#identity = await broker.call(
        INIT_PRODUCER_ID,
        (body) => body.string(undefined).int32(0),
        (answer) => {
          answer.int32()
          check(answer.int16(), 'the id of the producer')
          return { producerId: answer.bigInt64(), epoch: answer.int16() }
        },
      )
    } catch (error) {
      if (!(error instanceof KafkaError && error.code === CLUSTER_AUTHORIZATION_FAILED)) throw error
      this.#isForbidden = true
    }
  }

  reset(): void {
    this.#identity = undefined
    this.#next.clear()
    this.#gaps = 0
  }

  isCurrent(origin: BatchOrigin | undefined): boolean {
    return origin !== undefined && origin.producerId === this.#identity?.producerId
  }

  /** Numbers the batches that are sent for the first time. */
  number(batches: readonly Batch[]): void {
    if (this.#identity === undefined) return
    for (const batch of batches) {
      if (batch.origin !== undefined) continue
      const key = `${batch.partition.topic}-${batch.partition.index}`
      const sequence = this.#next.get(key) ?? 0
      this.#next.set(key, (sequence + batch.records.length) % SEQUENCES)
      batch.origin = { ...this.#identity, sequence }
      for (const record of batch.records) record.sentIn = batch
    }
  }

  /** Starts anew if numbers were used that the brokers will never see. */
  heed(failed: readonly FailedRecord[]): void {
    const codes = new Set(failed.map(({ error }) => (error instanceof KafkaError ? error.code : 0)))
    this.#gaps = codes.has(OUT_OF_ORDER_SEQUENCE_NUMBER) ? this.#gaps + 1 : 0
    const isLost = failed.some(({ error }) => error instanceof KafkaError && error.isFinal)
    if (isLost || codes.has(INVALID_PRODUCER_EPOCH) || codes.has(UNKNOWN_PRODUCER_ID) || this.#gaps > GAPS_MAX)
      this.reset()
  }
}
