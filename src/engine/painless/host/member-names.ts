/**
 * The names of the members of documents. Documents of an index have few lists of names, so that a document is compared with a tree of
 * the lists before it, and documents with the same names in the same order share one list.
 */
import { isSame } from '../../../base/json/known-names.ts'

/** The names of an object in their order. */
export class MemberNames {
  readonly names: readonly string[]
  /** The place of each name. */
  readonly places: ReadonlyMap<string, number>

  constructor(names: readonly string[]) {
    this.names = names
    this.places = new Map(names.map((name, i) => [name, i]))
  }

  get areDistinct(): boolean {
    return this.places.size === this.names.length
  }
}

/** Of names that follow the same ones, so many are remembered. */
const NEXT_MAX = 16
/** A tree of more names is started again. */
const NODES_MAX = 4096

/** A name of an object after the names on the way to it. */
class NameNode {
  readonly #name: string
  readonly #before: NameNode | undefined
  /** The names that followed, the last one found first. */
  readonly #following: NameNode[] = []
  #names: MemberNames | undefined

  constructor(name: string, before: NameNode | undefined) {
    this.#name = name
    this.#before = before
  }

  /** The node of the next name, the ASCII text in `bytes[start, end)`. */
  next(bytes: Uint8Array, start: number, end: number): NameNode {
    const following = this.#following
    for (let i = 0; i < following.length; i++) {
      const node = following[i]!
      if (!isSame(node.#name, bytes, start, end)) continue
      if (i > 0) {
        following[i] = following[0]!
        following[0] = node
      }
      return node
    }
    const made = new NameNode(constant(Buffer.prototype.latin1Slice.call(bytes, start, end)), this)
    nodes++
    if (following.length < NEXT_MAX) following.push(made)
    else following[NEXT_MAX - 1] = made
    return made
  }

  /** The names from the first one to this one. */
  names(): MemberNames {
    if (this.#names === undefined) {
      const names: string[] = []
      for (let node: NameNode = this; node.#before !== undefined; node = node.#before) names.push(node.#name)
      this.#names = new MemberNames(names.reverse())
    }
    return this.#names
  }
}

let root = new NameNode('', undefined)
let nodes = 0

/** The start of an object, before its first name. */
export function firstName(): NameNode {
  if (nodes > NODES_MAX) {
    root = new NameNode('', undefined)
    nodes = 0
  }
  return root
}

/** The text as a name of a property, which V8 compares with the names in scripts by address. */
function constant(text: string): string {
  for (const name in { [text]: true }) return name
  return text
}
