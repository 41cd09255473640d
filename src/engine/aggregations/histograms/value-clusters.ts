/**
 * Clusters numbers in one pass: the first values are distributed evenly by rank; each later one joins the cluster with
 * the nearest mean, or starts one if it is far from all of them. The steps are Elasticsearch's, because clients see the
 * cluster boundaries.
 */
import type { AggregationMemory } from '../state/aggregation-memory.ts'

export interface Cluster {
  /** Stays the same while the mean of the cluster moves. */
  readonly id: number
  min: number
  max: number
  mean: number
  size: number
  docCount: number
}

/** How many clusters the first values are distributed over; the rest is left for outliers. */
export const firstClusters = (clustersMax: number): number => Math.trunc((clustersMax * 3) / 4)

/** A value this many times the average distance away from all means starts a cluster. */
const FAR = 2

export class ValueClusters {
  readonly #clustersMax: number
  readonly #firstMax: number
  readonly #memory: AggregationMemory
  readonly #first: number[] = []
  readonly #weights: number[] = []
  /** Ordered by mean. */
  #clusters: Cluster[] | undefined
  #nextId = 0
  #distance = 0
  /** By entry. */
  #idOfFirst: Int32Array | undefined

  constructor(clustersMax: number, firstMax: number, memory: AggregationMemory) {
    this.#clustersMax = clustersMax
    this.#firstMax = firstMax
    this.#memory = memory
  }

  /** Adds a value that represents `docs` documents. Returns its entry number for `idsOfEntries`. */
  add(value: number, docs: number): number {
    if (this.#clusters !== undefined) return this.#firstMax + this.#addToClusters(this.#clusters, value, docs)
    const entry = this.#first.push(value) - 1
    this.#weights.push(docs)
    this.#memory.add(ENTRY_BYTES)
    if (this.#first.length === this.#firstMax) this.#shareOut()
    return entry
  }

  /** Called after the last value. */
  finish(): void {
    if (this.#clusters === undefined) this.#shareOut()
  }

  get clusters(): readonly Cluster[] {
    return this.#clusters!
  }

  /** The cluster id of each entry. */
  idsOfEntries(): Int32Array {
    const ids = new Int32Array(this.#firstMax + this.#nextId)
    ids.set(this.#idOfFirst!)
    for (let id = 0; id < this.#nextId; id++) ids[this.#firstMax + id] = id
    return ids
  }

  #shareOut(): void {
    const values = this.#first
    const ranks = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!)
    const perCluster = Math.ceil(values.length / firstClusters(this.#clustersMax))
    const clusters: Cluster[] = []
    this.#idOfFirst = new Int32Array(values.length)
    for (const [rank, entry] of ranks.entries()) {
      if (rank % perCluster === 0) clusters.push(this.#newCluster(values[entry]!, this.#weights[entry]!))
      else join(clusters.at(-1)!, values[entry]!, this.#weights[entry]!)
      this.#idOfFirst[entry] = clusters.at(-1)!.id
    }
    this.#clusters = clusters
    this.#measure(clusters)
  }

  #addToClusters(clusters: Cluster[], value: number, docs: number): number {
    const at = nearest(clusters, value)
    const { mean, id } = clusters[at]!
    if (Math.abs(mean - value) > FAR * this.#distance && clusters.length < this.#clustersMax) {
      const made = this.#newCluster(value, docs)
      clusters.splice(value > mean ? at + 1 : at, 0, made)
      this.#measure(clusters)
      return made.id
    }
    join(clusters[at]!, value, docs)
    if (at === 0 || at === clusters.length - 1) this.#measure(clusters)
    return id
  }

  #newCluster(value: number, docs: number): Cluster {
    return { id: this.#nextId++, min: value, max: value, mean: value, size: 1, docCount: docs }
  }

  /** The average distance of adjacent means. */
  #measure(clusters: readonly Cluster[]): void {
    if (clusters.length < 2) return
    this.#distance = (clusters.at(-1)!.mean - clusters[0]!.mean) / (clusters.length - 1)
  }
}

const ENTRY_BYTES = 24

function join(cluster: Cluster, value: number, docs: number): void {
  cluster.max = Math.max(value, cluster.max)
  cluster.min = Math.min(value, cluster.min)
  cluster.mean = (cluster.mean * cluster.size + value) / (cluster.size + 1)
  cluster.size++
  cluster.docCount += docs
}

function nearest(clusters: readonly Cluster[], value: number): number {
  let low = 0
  let high = clusters.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (clusters[middle]!.mean < value) low = middle + 1
    else high = middle
  }
  const below = clusters[low - 1]
  return below !== undefined && value - below.mean <= Math.abs(clusters[low]!.mean - value) ? low - 1 : low
}
