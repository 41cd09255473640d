/**
 * The path of a field of an ingest document: `a.b.0` is in the source, `_index` in the metadata, `_ingest.x` in the
 * ingest metadata. A number is an index into a list. Parsed paths are cached, because processors use the same paths for
 * every document.
 */
import { type ApiError, illegalArgument, notANumber } from '../../../base/api-error.ts'
import { JList, JMap, javaClassOf } from '../../../engine/painless/index.ts'

const INGEST_PREFIX = '_ingest.'
const SOURCE_PREFIX = '_source.'

export interface FieldPath {
  readonly text: string
  /** Whether the path starts in the ingest metadata and not in the document. */
  readonly isIngest: boolean
  readonly elements: readonly string[]
}

const KNOWN_MAX = 5_000
const known = new Map<string, FieldPath>()

/** Throws illegal_argument_exception for an invalid path. */
export function fieldPath(text: string): FieldPath {
  const kept = known.get(text)
  if (kept !== undefined) return kept
  const path = parsePath(text)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, path)
  return path
}

function parsePath(text: string): FieldPath {
  if (text === '') throw illegalArgument('path cannot be null nor empty')
  const isIngest = text.startsWith(INGEST_PREFIX)
  const rest = isIngest || text.startsWith(SOURCE_PREFIX) ? text.slice(INGEST_PREFIX.length) : text
  const elements = rest.split('.')
  while (elements.length > 1 && elements.at(-1) === '') elements.pop()
  if (elements.length === 1 && elements[0] === '') throw illegalArgument(`path [${text}] is not valid`)
  return { text, isIngest, elements }
}

/** The map member or list element that one element of a path refers to. */
export function step(container: unknown, element: string, path: FieldPath): unknown {
  if (container instanceof JMap) {
    const entry = container.entry(element)
    if (entry === undefined) throw notPresent(element, path)
    return entry.value
  }
  if (container instanceof JList) return container.items[listIndex(container, element, path, false)]
  throw unresolvable(container, element, path)
}

export const notPresent = (element: string, path: FieldPath): ApiError =>
  illegalArgument(`field [${element}] not present as part of path [${path.text}]`)

export const unresolvable = (container: unknown, element: string, path: FieldPath): ApiError =>
  container === null
    ? illegalArgument(`cannot resolve [${element}] from null as part of path [${path.text}]`)
    : illegalArgument(
        `cannot resolve [${element}] from object of type [${javaClassOf(container)}] as part of path [${path.text}]`,
      )

/** The list index that a path element refers to. It must exist. */
export function listIndex(list: JList, element: string, path: FieldPath, namesCause = true): number {
  const index = parseIndex(element)
  if (index === undefined) {
    const reason = `[${element}] is not an integer, cannot be used as an index as part of path [${path.text}]`
    throw illegalArgument(reason, namesCause ? notANumber(element) : undefined)
  }
  if (index < 0 || index >= list.items.length) throw outOfBounds(index, list, path)
  return index
}

export const outOfBounds = (index: number, list: JList, path: FieldPath): ApiError =>
  illegalArgument(
    `[${index}] is out of bounds for array with length [${list.items.length}] as part of path [${path.text}]`,
  )

/** Java's Integer.parseInt. */
export function parseIndex(text: string): number | undefined {
  if (!/^[+-]?\d{1,10}$/.test(text)) return undefined
  const index = Number(text)
  return (index | 0) === index ? index : undefined
}
