/** The brokers of a cluster: the leader of each partition, and connections to the brokers in use. */
import { type Api, type BrokerAddress, BrokerConnection, type BrokerSettings } from './broker-connection.ts'
import { check, KafkaError } from './kafka-error.ts'

const METADATA: Api = { name: 'Metadata', key: 3, version: 4 }
const FIND_COORDINATOR: Api = { name: 'FindCoordinator', key: 10, version: 1 }

export interface ClusterSettings extends BrokerSettings {
  readonly bootstrap: readonly BrokerAddress[]
  readonly metadataMaxAgeMs: number
  readonly retryBackoffMs: number
}

export interface Partition {
  readonly topic: string
  readonly index: number
  readonly leader: number
}

/** Pseudo broker ids of connections that are not used for data. */
const COORDINATOR = -1
const ANY = -2

export class Cluster {
  readonly #settings: ClusterSettings
  readonly #addresses = new Map<number, BrokerAddress>()
  readonly #connections = new Map<number, BrokerConnection>()
  /** Connections being opened; concurrent callers wait for the same one. */
  readonly #opening = new Map<number, Promise<BrokerConnection>>()
  #turn = 0

  constructor(settings: ClusterSettings) {
    this.#settings = settings
  }

  /** The partitions of the topics, sorted; undefined requests all topics. Unknown topics are omitted. */
  async partitions(topics: readonly string[] | undefined, createsTopics: boolean): Promise<Map<string, Partition[]>> {
    const broker = await this.#any()
    return broker.call(
      METADATA,
      (body) => body.array(topics, (topic) => body.string(topic)).boolean(createsTopics),
      (answer) => {
        answer.int32()
        answer.array(() => {
          const id = answer.int32()
          this.#setAddress(id, { host: answer.string()!, port: answer.int32() })
          answer.string()
        })
        answer.string()
        answer.int32()
        const found = new Map<string, Partition[]>()
        answer.array(() => {
          const code = answer.int16()
          const topic = answer.string()!
          answer.boolean()
          const partitions = answer.array(() => {
            answer.int16()
            const partition = { index: answer.int32(), topic, leader: answer.int32() }
            answer.array(() => answer.int32())
            answer.array(() => answer.int32())
            return partition
          })
          const refusal = new KafkaError(code, `topic ${topic}`)
          if (code !== 0 && refusal.isFinal) throw refusal
          if (code === 0)
            found.set(
              topic,
              partitions.sort((a, b) => a.index - b.index),
            )
        })
        return found
      },
    )
  }

  /** A connection to the broker with this id, at the address in the latest metadata. */
  broker(id: number): Promise<BrokerConnection> {
    return this.#connection(id, () => {
      const address = this.#addresses.get(id)
      if (address === undefined) throw new Error(`broker ${id} is not known`)
      return BrokerConnection.open(address, this.#settings)
    })
  }

  /** The coordinator of a group. It gets a connection of its own, because a fetch would delay the heartbeats. */
  coordinator(group: string): Promise<BrokerConnection> {
    return this.#connection(COORDINATOR, async () => {
      const broker = await this.#any()
      const address = await broker.call(
        FIND_COORDINATOR,
        (body) => body.string(group).int8(0),
        (answer) => {
          answer.int32()
          const code = answer.int16()
          answer.string()
          check(code, `the coordinator of group ${group}`)
          answer.int32()
          return { host: answer.string()!, port: answer.int32() }
        },
      )
      return BrokerConnection.open(address, this.#settings)
    })
  }

  /** A connection to any broker, for requests that concern the cluster. */
  anyBroker(): Promise<BrokerConnection> {
    return this.#any()
  }

  /** Called when the group moved to another broker or its coordinator does not respond. */
  forgetCoordinator(): void {
    this.#connections.get(COORDINATOR)?.close()
    this.#connections.delete(COORDINATOR)
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close()
  }

  #setAddress(id: number, address: BrokerAddress): void {
    const known = this.#addresses.get(id)
    if (known !== undefined && (known.host !== address.host || known.port !== address.port)) {
      this.#connections.get(id)?.close()
    }
    this.#addresses.set(id, address)
  }

  async #connection(id: number, open: () => Promise<BrokerConnection>): Promise<BrokerConnection> {
    const known = this.#connections.get(id)
    if (known?.isOpen) return known
    return this.#opening.get(id) ?? this.#open(id, open)
  }

  async #open(id: number, open: () => Promise<BrokerConnection>): Promise<BrokerConnection> {
    const opening = (async () => open())()
    this.#opening.set(id, opening)
    try {
      const connection = await opening
      this.#connections.set(id, connection)
      return connection
    } finally {
      this.#opening.delete(id)
    }
  }

  /** A connection to any broker that responds: the configured ones first, then those from the metadata. */
  #any(): Promise<BrokerConnection> {
    return this.#connection(ANY, async () => {
      const addresses = [...this.#settings.bootstrap, ...this.#addresses.values()]
      let last: unknown
      for (let i = 0; i < addresses.length; i++) {
        try {
          return await BrokerConnection.open(addresses[this.#turn++ % addresses.length]!, this.#settings)
        } catch (error) {
          if (error instanceof KafkaError && error.isFinal) throw error
          last = error
        }
      }
      throw last
    })
  }
}
