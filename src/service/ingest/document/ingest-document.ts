/**
 * A document while pipelines process it. `ctx`, which scripts see too, contains the source and the document metadata.
 * `ingest` contains the metadata of the run: `_ingest.timestamp`, `_ingest.on_failure_message` and the current element
 * of a foreach.
 */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import {
  JArrayList,
  JHashMap,
  JList,
  JMap,
  javaClassOf,
  javaEquals,
  zonedFromMillis,
} from '../../../engine/painless/index.ts'
import { IngestCtxMap } from './ctx-map.ts'
import { deepCopy } from './deep-copy.ts'
import {
  type FieldPath,
  fieldPath,
  listIndex,
  notPresent,
  outOfBounds,
  parseIndex,
  step,
  unresolvable,
} from './field-path.ts'
import type { IngestBudget } from './ingest-budget.ts'

export interface DocumentMetadata {
  readonly index: string
  readonly id: string | undefined
  readonly routing: string | undefined
  readonly version: number
  readonly versionType: string | undefined
  readonly ifSeqNo?: number | undefined
  readonly ifPrimaryTerm?: number | undefined
}

const NESTED_PIPELINES_MAX = 100
/** The version of a request without a version. */
const MATCH_ANY = -3n

export class IngestDocument {
  readonly ctx: IngestCtxMap
  readonly ingest: JHashMap
  readonly budget: IngestBudget
  /** The ids of the running pipelines, innermost last. */
  readonly pipelineStack: string[] = []
  isDropped = false
  /** Whether the rest of the innermost pipeline is skipped. */
  isTerminated = false
  /** Whether a reroute processor changed the index, so that the remaining pipelines are skipped. */
  isRerouted = false

  constructor(ctx: IngestCtxMap, ingest: JHashMap, budget: IngestBudget) {
    this.ctx = ctx
    this.ingest = ingest
    this.budget = budget
  }

  /** Takes ownership of `source`. */
  static of(source: IngestCtxMap, metadata: DocumentMetadata, nowMs: number, budget: IngestBudget): IngestDocument {
    const { index, id, routing, version, versionType, ifSeqNo, ifPrimaryTerm } = metadata
    source.putValid('_index', index)
    if (id !== undefined) source.putValid('_id', id)
    if (routing !== undefined) source.putValid('_routing', routing)
    source.putValid('_version', version === -3 ? MATCH_ANY : BigInt(version))
    if (versionType === 'internal') source.putValid('_version_type', versionType)
    else if (versionType !== undefined) source.put_2('_version_type', versionType)
    if (ifSeqNo !== undefined) source.putValid('_if_seq_no', BigInt(ifSeqNo))
    if (ifPrimaryTerm !== undefined) source.putValid('_if_primary_term', BigInt(ifPrimaryTerm))
    const ingest = new JHashMap()
    ingest.put_2('timestamp', new LazyTimestamp(nowMs))
    return new IngestDocument(source, ingest, budget)
  }

  copy(): IngestDocument {
    const ctx = new IngestCtxMap(this.ctx.timestamp)
    for (const { key, value } of this.ctx.entries()) ctx.put_2(key, deepCopy(value, this.budget))
    return new IngestDocument(ctx, deepCopy(this.ingest, this.budget) as JHashMap, this.budget)
  }

  get index(): string | null {
    return this.ctx.get_1('_index') as string | null
  }

  get id(): string | null {
    return this.ctx.get_1('_id') as string | null
  }

  // --- reading ---

  /** The value of a field. Throws if the path does not exist. */
  get(name: string): unknown {
    const path = fieldPath(name)
    const { elements } = path
    let value: unknown = path.isIngest ? this.ingest : this.ctx
    for (let i = 0; i < elements.length; i++) value = step(value, elements[i]!, path)
    return value instanceof LazyTimestamp ? value.date : value
  }

  /** Like `get`, but returns undefined for a missing path if `ignoresMissing`. */
  find(name: string, ignoresMissing: boolean): unknown {
    if (ignoresMissing && !this.has(name)) return undefined
    return this.get(name)
  }

  /** A string or null; undefined if the field is missing and `ignoresMissing`. */
  text(name: string, ignoresMissing = false): string | null | undefined {
    const value = this.find(name, ignoresMissing)
    if (value === undefined || value === null || typeof value === 'string') return value
    throw notCastable(name, value, 'java.lang.String')
  }

  list(name: string): JList | null {
    const value = this.get(name)
    if (value === null || value instanceof JList) return value
    throw notCastable(name, value, 'java.util.List')
  }

  /** With `needsRange`, an index beyond the end of a list is an error. */
  has(name: string, needsRange = false): boolean {
    const path = fieldPath(name)
    const { elements } = path
    let container: unknown = path.isIngest ? this.ingest : this.ctx
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i]!
      if (container instanceof JMap) {
        const entry = container.entry(element)
        if (entry === undefined) return false
        container = entry.value
      } else if (container instanceof JList) {
        const index = parseIndex(element)
        if (index === undefined) return false
        if (index < 0 || index >= container.items.length) {
          if (needsRange) throw outOfBounds(index, container, path)
          return false
        }
        container = container.items[index]
      } else return false
    }
    return true
  }

  // --- changing ---

  set(name: string, value: unknown): void {
    this.#charge(value)
    const path = fieldPath(name)
    const leaf = path.elements.at(-1)!
    const parent = this.#parent(path, true)
    if (parent instanceof JMap) parent.put_2(leaf, value)
    else if (parent instanceof JList) parent.items[listIndex(parent, leaf, path)] = value
    else throw notSettable(parent, leaf, path)
  }

  append(name: string, value: unknown, allowsDuplicates = true): void {
    this.#charge(value)
    const path = fieldPath(name)
    const leaf = path.elements.at(-1)!
    const parent = this.#parent(path, true)
    if (parent instanceof JMap) {
      const entry = parent.entry(leaf)
      const list = appended(entry === undefined ? new JArrayList() : entry.value, value, allowsDuplicates, this.budget)
      if (entry === undefined || list !== entry.value) parent.put_2(leaf, list)
    } else if (parent instanceof JList) {
      const index = listIndex(parent, leaf, path)
      parent.items[index] = appended(parent.items[index], value, allowsDuplicates, this.budget)
    } else throw notSettable(parent, leaf, path)
  }

  remove(name: string, ignoresMissing = false): void {
    if (ignoresMissing && !this.has(name)) return
    const path = fieldPath(name)
    const leaf = path.elements.at(-1)!
    const parent = this.#parent(path, false)
    if (parent instanceof JMap) {
      if (parent.entry(leaf) === undefined) throw notPresent(leaf, path)
      parent.remove_1(leaf)
    } else if (parent instanceof JList) parent.items.splice(listIndex(parent, leaf, path), 1)
    else if (parent === null) {
      throw illegalArgument(`cannot remove [${leaf}] from null as part of path [${path.text}]`)
    } else {
      throw illegalArgument(
        `cannot remove [${leaf}] from object of type [${javaClassOf(parent)}] as part of path [${path.text}]`,
      )
    }
  }

  /** Every value that a processor writes is paid for here. */
  #charge(value: unknown): void {
    if (typeof value === 'string') this.budget.text(value.length)
    else this.budget.elements(value instanceof JList ? value.items.length : 1)
  }

  #parent(path: FieldPath, creates: boolean): unknown {
    const { elements } = path
    let container: unknown = path.isIngest ? this.ingest : this.ctx
    for (let i = 0; i < elements.length - 1; i++) {
      const element = elements[i]!
      if (creates && container instanceof JMap && container.entry(element) === undefined) {
        const made = new JHashMap()
        container.put_2(element, made)
        container = made
      } else if (container instanceof JMap || container instanceof JList) container = step(container, element, path)
      else throw unresolvable(container, element, path)
    }
    return container
  }

  // --- pipelines ---

  /** Called when a pipeline starts; sets `_ingest.pipeline`. Throws if the pipeline is already running. */
  enter(pipeline: string): void {
    if (this.pipelineStack.includes(pipeline)) {
      throw new ApiError(400, 'graph_structure_exception', `Cycle detected for pipeline: ${pipeline}`)
    }
    if (this.pipelineStack.length >= NESTED_PIPELINES_MAX) {
      const reason = `Too many nested pipelines. Cannot have more than ${NESTED_PIPELINES_MAX} nested pipelines`
      throw new ApiError(400, 'graph_structure_exception', reason)
    }
    this.pipelineStack.push(pipeline)
    this.ingest.put_2('pipeline', pipeline)
  }

  leave(): void {
    this.pipelineStack.pop()
    const outer = this.pipelineStack.at(-1)
    if (outer === undefined) this.ingest.remove_1('pipeline')
    else this.ingest.put_2('pipeline', outer)
  }
}

/** `_ingest.timestamp`, formatted on demand because most pipelines never read it. */
export class LazyTimestamp {
  readonly ms: number

  constructor(ms: number) {
    this.ms = ms
  }

  get date(): unknown {
    return zonedFromMillis(this.ms)
  }
}

export const notCastable = (name: string, value: unknown, type: string): ApiError =>
  illegalArgument(`field [${name}] of type [${javaClassOf(value)}] cannot be cast to [${type}]`)

const notSettable = (parent: unknown, leaf: string, path: FieldPath): ApiError =>
  parent === null
    ? illegalArgument(`cannot set [${leaf}] with null parent as part of path [${path.text}]`)
    : illegalArgument(
        `cannot set [${leaf}] with parent object of type [${javaClassOf(parent)}] as part of path [${path.text}]`,
      )

/**
 * The list with the values appended. A single value becomes the first element of a new list, unless nothing is
 * appended.
 */
function appended(present: unknown, value: unknown, allowsDuplicates: boolean, budget: IngestBudget): unknown {
  const values = value instanceof JList ? value.items : [value]
  const list = present instanceof JList ? present : new JArrayList([present])
  let isChanged = false
  for (const one of values) {
    if (!allowsDuplicates) budget.elements(list.items.length)
    if (!allowsDuplicates && list.items.some((item) => javaEquals(item, one))) continue
    list.items.push(one)
    isChanged = true
  }
  return isChanged || allowsDuplicates ? list : present
}
