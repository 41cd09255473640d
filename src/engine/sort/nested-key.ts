/** A sort key over values of nested objects. */
import { illegalArgument } from '../../base/api-error.ts'
import { queryShardError } from '../../base/errors/search-errors.ts'
import type { AfterValue } from '../request/search-after.ts'
import type { NestedSort } from '../request/sort/nested-sort.ts'
import type { SortMode } from '../request/sort/sort-options.ts'
import type { SearchExecutionContext, Weight } from '../scoring/query.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../scoring/window.ts'
import type { NestedDocs, SegmentView } from '../segment/segment-reader-api.ts'
import { type ChosenChildren, nestedDocValuesReader } from './nested-doc-values.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

/** One level of nested objects, and the filter they have to match. */
interface Level {
  readonly path: string | undefined
  readonly filter: Weight | undefined
}

/** Validates the levels against the mapping and plans their filters. */
export function bindNested(
  context: SearchExecutionContext,
  key: SortKey,
  nested: NestedSort,
  mode: SortMode | undefined,
): SortKey {
  const levels: Level[] = []
  for (let level: NestedSort | undefined = nested; level !== undefined; level = level.nested) {
    if (level !== nested && level.maxChildren !== undefined) {
      throw queryShardError(context.index, 'max_children is only supported on top level of nested sort')
    }
    const { path } = level
    if (path !== undefined && context.mapping.objectKind(path) !== 'nested') {
      throw queryShardError(context.index, `[nested] failed to find nested object under path [${path}]`)
    }
    const filter = level.filter?.plan({ ...context, nestedScope: path }, false, 1)
    levels.push({ path, filter })
  }
  const inner = mode === 'median' ? withoutMedian(key) : key
  return new NestedKey(inner, levels, nested.maxChildren ?? Number.POSITIVE_INFINITY, context.nestedScope)
}

/** The median of nested values fails with the first document that is read, as in Elasticsearch. */
function withoutMedian(key: SortKey): SortKey {
  const fail = () => {
    throw illegalArgument('Unsupported sort mode: MEDIAN')
  }
  return {
    needsScores: key.needsScores,
    valueType: key.valueType,
    mayFail: true,
    segment: () => ({ width: 1, fill: (_docs, count) => (count > 0 ? fail() : undefined), value: fail, bound: fail }),
    compare: (a, b) => key.compare(a, b),
    format: (value) => key.format(value),
    after: (value, position) => key.after(value, position),
  }
}

class NestedKey implements SortKey {
  readonly needsScores: boolean
  readonly mayFail: boolean
  readonly valueType: SortKey['valueType']
  readonly #inner: SortKey
  readonly #levels: readonly Level[]
  readonly #maxChildren: number
  /** Path of the objects being sorted; undefined if documents are. */
  readonly #scope: string | undefined

  constructor(inner: SortKey, levels: readonly Level[], maxChildren: number, scope: string | undefined) {
    this.needsScores = inner.needsScores
    this.mayFail = inner.mayFail === true
    this.valueType = inner.valueType
    this.#inner = inner
    this.#levels = levels
    this.#maxChildren = maxChildren
    this.#scope = scope
  }

  segment(view: SegmentView): SegmentKeys {
    const chosen = chooseChildren(view, this.#levels, this.#scope, this.#maxChildren)
    return this.#inner.segment({ ...view, reader: nestedDocValuesReader(view.reader, chosen) })
  }

  compare(a: SortValue, b: SortValue): number {
    return this.#inner.compare(a, b)
  }

  format(value: SortValue): unknown {
    return this.#inner.format(value)
  }

  after(value: AfterValue, position: number): SortValue {
    return this.#inner.after(value, position)
  }
}

function chooseChildren(
  view: SegmentView,
  levels: readonly Level[],
  scope: string | undefined,
  maxChildren: number,
): ChosenChildren {
  const { nested, docCount } = view.reader
  const innermost = levels[levels.length - 1]!
  const path = nested === undefined || innermost.path === undefined ? -1 : nested.paths.indexOf(innermost.path)
  const children: number[] = []
  const parents: number[] = []
  if (nested !== undefined && path >= 0) {
    const scopePath = scope === undefined ? 0 : nested.paths.indexOf(scope) + 1
    const allowed = levels.map((level) => allowedObjects(view, nested, level))
    for (let doc = 0; doc < docCount; doc++) {
      if (nested.pathOf[doc] !== path + 1) continue
      const parent = parentThrough(nested, doc, allowed, scopePath)
      if (parent < 0) continue
      children.push(doc)
      parents.push(parent)
    }
  }
  return { children: Int32Array.from(children), parents: Int32Array.from(parents), maxChildren }
}

interface Allowed {
  readonly path: number
  /** Undefined: all match. */
  readonly bits: Uint32Array | undefined
}

/** The parent document of an object, or -1 if a level on the way does not match. */
function parentThrough(nested: NestedDocs, child: number, allowed: readonly Allowed[], scopePath: number): number {
  let doc = child
  for (;;) {
    const path = nested.pathOf[doc]!
    for (const level of allowed) {
      if (level.path !== path || level.bits === undefined) continue
      if ((level.bits[doc >> 5]! & (1 << (doc & 31))) === 0) return -1
    }
    if (path === 0) return scopePath === 0 ? doc : -1
    doc = nested.parentOf(doc)
    if (nested.pathOf[doc] === scopePath) return doc
  }
}

function allowedObjects(view: SegmentView, nested: NestedDocs, { path, filter }: Level): Allowed {
  const number = path === undefined ? -1 : nested.paths.indexOf(path) + 1
  if (filter === undefined) return { path: number, bits: undefined }
  const { docCount } = view.reader
  const bits = new Uint32Array((docCount + 31) >> 5)
  const scorer = filter.scorer(view)
  if (scorer === undefined) return { path: number, bits }
  const scratch = takeScratch()
  const docs = new Int32Array(WINDOW_SIZE)
  for (let doc = scorer.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    scratch.bits.fill(0)
    scorer.match(base, limit, scratch.bits)
    const count = bitsToDocs(scratch.bits, base, docs)
    for (let i = 0; i < count; i++) bits[docs[i]! >> 5] = bits[docs[i]! >> 5]! | (1 << (docs[i]! & 31))
    doc = limit < docCount ? scorer.next(limit) : docCount
  }
  releaseScratch(scratch)
  return { path: number, bits }
}
