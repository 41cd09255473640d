/** Synonym rules in the form that the filters match: a trie over the words of the left sides. */

export interface SynonymNode {
  readonly next: Map<string, SynonymNode>
  /** The replacements of the words up to this node; each output is a list of words. */
  outputs: string[][]
  /** Whether the matched words stay next to the outputs. */
  keepOriginal: boolean
}

export class SynonymMap {
  readonly root: SynonymNode = emptyNode()
  #empty = true

  get isEmpty(): boolean {
    return this.#empty
  }

  add(input: readonly string[], output: readonly string[], keepOriginal: boolean): void {
    let node = this.root
    for (const word of input) {
      let next = node.next.get(word)
      if (next === undefined) {
        next = emptyNode()
        node.next.set(word, next)
      }
      node = next
    }
    if (!node.outputs.some((known) => known.join('\0') === output.join('\0'))) node.outputs.push([...output])
    if (keepOriginal) node.keepOriginal = true
    this.#empty = false
  }

  /** The longest rule that matches `terms` from `start` on. */
  match(terms: readonly { readonly term: string }[], start: number): { node: SynonymNode; length: number } | undefined {
    let node = this.root
    let found: { node: SynonymNode; length: number } | undefined
    for (let i = start; i < terms.length; i++) {
      const next = node.next.get(terms[i]!.term)
      if (next === undefined) break
      node = next
      if (node.outputs.length > 0) found = { node, length: i - start + 1 }
    }
    return found
  }
}

function emptyNode(): SynonymNode {
  return { next: new Map(), outputs: [], keepOriginal: false }
}
