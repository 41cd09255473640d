/** A set of code points: the characters that one position of a regular expression accepts. */

/** Code points below this value are looked up in a table. */
const TABLE_SIZE = 256

export class CharSet {
  private readonly table: Uint8Array
  /**
   * The set in the syntax of a JavaScript class under the `v` flag; undefined where JavaScript cannot express it. Only
   * sets with a source can be matched natively.
   */
  readonly source: string | undefined
  /** Whether the set may contain code points that take two UTF-16 units. */
  readonly beyondBmp: boolean
  /** Whether the set may contain code points beyond the table. */
  readonly beyondTable: boolean
  private readonly predicate: (codePoint: number) => boolean

  constructor(
    predicate: (codePoint: number) => boolean,
    source: string | undefined,
    largest: number = Number.POSITIVE_INFINITY,
  ) {
    this.predicate = predicate
    this.source = source
    this.beyondBmp = largest > 0xffff
    this.beyondTable = largest >= TABLE_SIZE
    this.table = new Uint8Array(TABLE_SIZE)
    for (let codePoint = 0; codePoint < TABLE_SIZE && codePoint <= largest; codePoint++) {
      if (predicate(codePoint)) this.table[codePoint] = 1
    }
  }

  has(codePoint: number): boolean {
    return codePoint < TABLE_SIZE ? this.table[codePoint] === 1 : this.beyondTable && this.predicate(codePoint)
  }

  /** The only code point of the set, or -1. */
  get only(): number {
    if (this.beyondTable) return this.single
    let found = -1
    for (let codePoint = 0; codePoint < TABLE_SIZE; codePoint++) {
      if (this.table[codePoint] === 0) continue
      if (found >= 0) return -1
      found = codePoint
    }
    return found
  }

  protected get single(): number {
    return -1
  }

  /** Whether the sets are known to have no code point in common. Returns false when it cannot tell. */
  isDisjointFrom(other: CharSet): boolean {
    for (let codePoint = 0; codePoint < TABLE_SIZE; codePoint++) {
      if (this.table[codePoint] === 1 && other.table[codePoint] === 1) return false
    }
    if (!this.beyondTable || !other.beyondTable) return true
    if (this.single >= 0) return !other.predicate(this.single)
    return other.single >= 0 && !this.predicate(other.single)
  }

  static range(first: number, last: number): CharSet {
    if (first === last) return singleChar(first)
    const inRange = (codePoint: number) => codePoint >= first && codePoint <= last
    return new CharSet(inRange, `[${hexEscape(first)}-${hexEscape(last)}]`, last)
  }

  /** Makes a set from pairs of first and last code points. */
  static ranges(...bounds: readonly number[]): CharSet {
    const sets: CharSet[] = []
    for (let i = 0; i < bounds.length; i += 2) sets.push(CharSet.range(bounds[i]!, bounds[i + 1]!))
    return CharSet.union(sets)
  }

  static union(sets: readonly CharSet[]): CharSet {
    if (sets.length === 1) return sets[0]!
    const sources = sets.map((set) => set.source)
    return new CharSet(
      (codePoint) => sets.some((set) => set.has(codePoint)),
      sources.includes(undefined) ? undefined : `[${sources.join('')}]`,
      sets.some((set) => set.beyondBmp) ? undefined : sets.some((set) => set.beyondTable) ? 0xffff : TABLE_SIZE - 1,
    )
  }

  and(other: CharSet): CharSet {
    const sources = this.source !== undefined && other.source !== undefined
    return new CharSet(
      (codePoint) => this.has(codePoint) && other.has(codePoint),
      sources ? `[${this.source}&&${other.source}]` : undefined,
    )
  }

  negate(): CharSet {
    // The negated class is inside another one because V8 of Node 20 negates it twice when a quantifier repeats it.
    const source = this.source === undefined ? undefined : `[[^${this.source}]]`
    return new CharSet((codePoint) => !this.has(codePoint), source)
  }

  /** The set with both cases of its letters: ASCII letters only, as Java does by default, or all letters. */
  ignoringCase(unicode: boolean): CharSet {
    if (unicode) {
      return new CharSet((codePoint) => {
        if (this.has(codePoint)) return true
        const upper = toUpper(codePoint)
        return this.has(upper) || this.has(toLower(upper))
      }, undefined)
    }
    const letters: CharSet[] = [this]
    for (let upper = 0x41; upper <= 0x5a; upper++) {
      const lower = upper + 0x20
      if (this.has(upper) !== this.has(lower)) letters.push(singleChar(this.has(upper) ? lower : upper))
    }
    return CharSet.union(letters)
  }

  /**
   * The set of JavaScript's `\p{…}` with this text. Throws a SyntaxError when JavaScript does not know the property.
   */
  static property(text: string): CharSet {
    const source = `\\p{${text}}`
    const pattern = new RegExp(source, 'u')
    return new CharSet((codePoint) => pattern.test(String.fromCodePoint(codePoint)), source)
  }
}

class SingleChar extends CharSet {
  private readonly codePoint: number

  constructor(codePoint: number) {
    super((candidate) => candidate === codePoint, hexEscape(codePoint), codePoint)
    this.codePoint = codePoint
  }

  protected override get single(): number {
    return this.codePoint
  }
}

/** Patterns consist mostly of ASCII characters, so their sets are made once. */
const ASCII_CHARS: SingleChar[] = []

function singleChar(codePoint: number): CharSet {
  if (codePoint > 127) return new SingleChar(codePoint)
  ASCII_CHARS[codePoint] ??= new SingleChar(codePoint)
  return ASCII_CHARS[codePoint]!
}

const hexEscape = (codePoint: number) => `\\u{${codePoint.toString(16)}}`

/** The upper case of a code point if it is a single code point, as `Character.toUpperCase` returns it. */
export function toUpper(codePoint: number): number {
  return oneCodePoint(String.fromCodePoint(codePoint).toUpperCase(), codePoint)
}

export function toLower(codePoint: number): number {
  // The lower case of the dotted capital I has two code points. Its simple lower case is a plain i.
  return codePoint === 0x130 ? 0x69 : oneCodePoint(String.fromCodePoint(codePoint).toLowerCase(), codePoint)
}

function oneCodePoint(text: string, otherwise: number): number {
  const codePoint = text.codePointAt(0)!
  return text.length === (codePoint > 0xffff ? 2 : 1) ? codePoint : otherwise
}
