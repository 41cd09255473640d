// A small deterministic random source. The same seed text always yields the
// same stream, on every machine.

function hashText(text) {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i)
    h = Math.imul(h, 0x01000193)
  }
  return h >>> 0
}

export class Rng {
  constructor(seedText) {
    this.state = hashText(String(seedText)) || 1
    for (let i = 0; i < 8; i++) this.next()
  }

  /** Float in [0, 1). */
  next() {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** Integer in [low, high], both included. */
  int(low, high) {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(probability) {
    return this.next() < probability
  }

  pick(list) {
    return list[Math.floor(this.next() * list.length)]
  }

  /** `count` different members of the list, in list order. */
  sample(list, count) {
    const left = list.map((_, i) => i)
    const chosen = []
    while (chosen.length < count && left.length > 0) {
      chosen.push(left.splice(Math.floor(this.next() * left.length), 1)[0])
    }
    return chosen.sort((a, b) => a - b).map((i) => list[i])
  }

  shuffle(list) {
    const out = list.slice()
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i)
      ;[out[i], out[j]] = [out[j], out[i]]
    }
    return out
  }

  /** One of the values of a {name: weight} table. */
  weighted(table) {
    const entries = Object.entries(table)
    let left = this.next() * entries.reduce((sum, [, w]) => sum + w, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return entries[entries.length - 1][0]
  }

  /** Calls `make` `count` times. */
  times(count, make) {
    return Array.from({ length: count }, (_, i) => make(i))
  }

  /** Object with only those entries whose dice fall right: {key: [probability, make]}. */
  options(table) {
    const out = {}
    for (const [key, [probability, make]] of Object.entries(table)) {
      if (this.chance(probability)) out[key] = make()
    }
    return out
  }
}
