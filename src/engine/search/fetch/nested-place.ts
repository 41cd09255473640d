/** The positions of nested objects among the documents of a segment, and in the source of their document. */
import { END_ARRAY, END_OBJECT, JsonReader, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import type { NestedDocs } from '../../segment/segment-reader-api.ts'

/** One step from a document or object to an object inside: the n-th at a path. */
export interface NestedStep {
  /** Relative to the previous object. */
  readonly field: string
  readonly offset: number
}

/** The objects of `doc` at a path, at any depth, in order. */
export function objectsInside(nested: NestedDocs, doc: number, path: string): number[] {
  const number = nested.paths.indexOf(path) + 1
  const objects: number[] = []
  if (number === 0) return objects
  for (let at = doc - 1; at >= 0 && isInside(nested, at, doc); at--) if (nested.pathOf[at] === number) objects.push(at)
  return objects.reverse()
}

/** The objects of a document directly precede it. */
function isInside(nested: NestedDocs, object: number, doc: number): boolean {
  let at = object
  while (at < doc) {
    const parent = nested.parentOf(at)
    if (parent === at) return false
    at = parent
  }
  return at === doc
}

/** The root document of an object. */
export function rootOf(nested: NestedDocs, object: number): number {
  let at = object
  while (nested.pathOf[at] !== 0) at = nested.parentOf(at)
  return at
}

/** The steps from the document to its object. */
export function stepsTo(nested: NestedDocs, object: number): NestedStep[] {
  const steps: NestedStep[] = []
  for (let at = object; nested.pathOf[at] !== 0; at = nested.parentOf(at)) {
    const parent = nested.parentOf(at)
    const path = nested.paths[nested.pathOf[at]! - 1]!
    const outer = nested.pathOf[parent] === 0 ? '' : `${nested.paths[nested.pathOf[parent]! - 1]}.`
    let offset = 0
    for (let before = at - 1; before >= 0 && isInside(nested, before, parent); before--) {
      if (nested.pathOf[before] === nested.pathOf[at] && nested.parentOf(before) === parent) offset++
    }
    steps.unshift({ field: path.slice(outer.length), offset })
  }
  return steps
}

/** The bytes of the object at the end of the steps, as in the document. */
export function objectBytes(source: Uint8Array, steps: readonly NestedStep[]): Uint8Array | undefined {
  let bytes: Uint8Array | undefined = source
  for (const { field, offset } of steps) {
    if (bytes === undefined) return undefined
    bytes = new ObjectFinder(bytes, field).find()[offset]
  }
  return bytes
}

/** `{"a":{"b":object}}` for the path `a.b`: only the object, at its place in the document. */
export function wrapObject(object: Uint8Array, path: string): Uint8Array {
  const names = path.split('.')
  const open = names.map((name) => `{${JSON.stringify(name)}:`).join('')
  return Buffer.concat([Buffer.from(open), object, Buffer.from('}'.repeat(names.length))])
}

/** The reverse; an empty object if it was filtered out. */
export function unwrapObject(source: Uint8Array, path: string): Uint8Array {
  return new ObjectFinder(source, path).find()[0] ?? Buffer.from('{}')
}

/** Collects the objects at a path; dots lead into objects, and arrays are searched. */
class ObjectFinder {
  readonly #source: Uint8Array
  readonly #reader: JsonReader
  readonly #path: string
  readonly #found: Uint8Array[]

  constructor(source: Uint8Array, path: string) {
    this.#source = source
    this.#path = path
    this.#found = []
    // The reader unescapes in place; not `slice`, which for a Buffer would be the same memory.
    this.#reader = new JsonReader().reset(new Uint8Array(source))
  }

  find(): Uint8Array[] {
    this.#reader.next()
    this.#value(this.#path)
    return this.#found
  }

  #value(rest: string): void {
    const reader = this.#reader
    if (reader.token === START_ARRAY) {
      while (reader.next() !== END_ARRAY) this.#value(rest)
      return
    }
    if (reader.token !== START_OBJECT) return
    if (rest === '') {
      const { start } = reader
      reader.skipChildren()
      this.#found.push(this.#source.subarray(start, reader.position))
      return
    }
    while (reader.next() !== END_OBJECT) {
      const name = reader.text()
      reader.next()
      if (name === rest) this.#value('')
      else if (rest.startsWith(`${name}.`)) this.#value(rest.slice(name.length + 1))
      else reader.skipChildren()
    }
  }
}
