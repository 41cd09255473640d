/** Fetches records of partitions from their leader. */
import { byTopic, type TopicPartition } from './assignment.ts'
import type { Api, BrokerConnection } from './broker-connection.ts'
import { check } from './kafka-error.ts'
import { type DecodedBatch, decodeBatches, type KafkaRecord } from './record-batch.ts'

const FETCH: Api = { name: 'Fetch', key: 1, version: 11 }
const LIST_OFFSETS: Api = { name: 'ListOffsets', key: 2, version: 1 }

/** Special timestamps that denote an end of the partition. */
const LATEST = -1
const EARLIEST = -2

export interface FetchSettings {
  readonly waitMs: number
  readonly bytesMin: number
  readonly bytesMax: number
  readonly partitionBytesMax: number
  /** Whether records of open or aborted transactions are omitted. */
  readonly onlyCommitted: boolean
  readonly checksCrc: boolean
  /** The rack of this client: brokers name a replica in the same rack, if there is one. */
  readonly rack: string
}

export interface FetchPosition extends TopicPartition {
  readonly position: number
}

export interface FetchedPartition extends TopicPartition {
  /** 0, or the error code. */
  readonly code: number
  readonly records: readonly KafkaRecord[]
  /** The next offset to read; the requested one if nothing was returned. */
  readonly nextOffset: number
  /** The broker to read from instead of the leader; -1 for the leader. */
  readonly preferredReplica: number
}

interface AbortedTransaction {
  readonly producerId: number
  readonly firstOffset: number
}

/** Waits up to `waitMs` if there are no records. */
export function fetchRecords(
  broker: BrokerConnection,
  positions: readonly FetchPosition[],
  settings: FetchSettings,
): Promise<FetchedPartition[]> {
  const { waitMs, bytesMin, bytesMax, partitionBytesMax, onlyCommitted, checksCrc, rack } = settings
  return broker.call(
    FETCH,
    (body) => {
      body
        .int32(-1)
        .int32(waitMs)
        .int32(bytesMin)
        .int32(bytesMax)
        .int8(onlyCommitted ? 1 : 0)
        // No fetch session: every request names all partitions.
        .int32(0)
        .int32(-1)
      body.array([...byTopic(positions)], ([topic, partitions]) =>
        body
          .string(topic)
          .array(partitions, ({ index, position }) =>
            body.int32(index).int32(-1).int64(position).int64(-1).int32(partitionBytesMax),
          ),
      )
      body.array([], () => {}).string(rack)
    },
    (answer) => {
      answer.int32()
      check(answer.int16(), 'fetching')
      answer.int32()
      return answer
        .array(() => {
          const topic = answer.string()!
          return answer.array((): FetchedPartition => {
            const index = answer.int32()
            const code = answer.int16()
            answer.int64()
            answer.int64()
            answer.int64()
            const aborted = answer.array(() => ({ producerId: answer.int64(), firstOffset: answer.int64() }))
            const preferredReplica = answer.int32()
            const batches = decodeBatches(answer.bytes() ?? Buffer.alloc(0), checksCrc)
            const { position } = positions.find((one) => one.topic === topic && one.index === index)!
            const wanted = onlyCommitted ? withoutAborted(batches, aborted) : batches
            return {
              topic,
              index,
              code,
              // A batch is sent as a whole even if the position is in its middle.
              records: wanted.flatMap(({ records }) => records.filter(({ offset }) => offset >= position)),
              nextOffset: batches.at(-1)?.nextOffset ?? position,
              preferredReplica,
            }
          })
        })
        .flat()
    },
    waitMs,
  )
}

/** The batches of an aborted transaction are between its first offset and its end marker. */
function withoutAborted(batches: readonly DecodedBatch[], aborted: readonly AbortedTransaction[]): DecodedBatch[] {
  const coming = [...aborted].sort((a, b) => a.firstOffset - b.firstOffset)
  const open = new Set<number>()
  return batches.filter((batch) => {
    while (coming.length > 0 && coming[0]!.firstOffset < batch.nextOffset) open.add(coming.shift()!.producerId)
    if (batch.isControl) {
      open.delete(batch.producerId)
      return false
    }
    return !(batch.isTransactional && open.has(batch.producerId))
  })
}

/** The first available offset, or the offset of the next record. */
export function endOffset(
  broker: BrokerConnection,
  { topic, index }: TopicPartition,
  end: 'earliest' | 'latest',
): Promise<number> {
  return broker.call(
    LIST_OFFSETS,
    (body) =>
      body
        .int32(-1)
        .array([topic], (name) =>
          body.string(name).array([index], (one) => body.int32(one).int64(end === 'earliest' ? EARLIEST : LATEST)),
        ),
    (answer) => {
      const [offset] = answer
        .array(() => {
          answer.string()
          return answer.array(() => {
            answer.int32()
            check(answer.int16(), `the ${end} offset of partition ${index} of ${topic}`)
            answer.int64()
            return answer.int64()
          })
        })
        .flat()
      return offset!
    },
  )
}
