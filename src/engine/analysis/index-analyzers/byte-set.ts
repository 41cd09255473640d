/** A fixed set of byte strings, queried per token during indexing without creating strings. */
export class ByteSet {
  readonly #table: Int32Array
  readonly #mask: number
  readonly #starts: Int32Array
  readonly #bytes: Uint8Array
  readonly #longest: number

  constructor(words: Iterable<string>) {
    const encoded = [...new Set(words)].map((word) => Buffer.from(word))
    let size = 16
    while (size < encoded.length * 3) size *= 2
    this.#mask = size - 1
    this.#table = new Int32Array(size).fill(-1)
    this.#starts = new Int32Array(encoded.length + 1)
    this.#bytes = Buffer.concat(encoded)
    this.#longest = Math.max(0, ...encoded.map((word) => word.length))
    let at = 0
    encoded.forEach((word, number) => {
      this.#starts[number] = at
      at += word.length
      let slot = hash(word, 0, word.length) & this.#mask
      while (this.#table[slot]! >= 0) slot = (slot + 1) & this.#mask
      this.#table[slot] = number
    })
    this.#starts[encoded.length] = at
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start
    if (length > this.#longest) return false
    let slot = hash(bytes, start, end) & this.#mask
    for (;;) {
      const number = this.#table[slot]!
      if (number < 0) return false
      const from = this.#starts[number]!
      if (this.#starts[number + 1]! - from === length) {
        let i = 0
        while (i < length && this.#bytes[from + i] === bytes[start + i]) i++
        if (i === length) return true
      }
      slot = (slot + 1) & this.#mask
    }
  }
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let h = end - start
  for (let i = start; i < end; i++) h = (Math.imul(h, 31) + bytes[i]!) | 0
  return h ^ (h >>> 15)
}
