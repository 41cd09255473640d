/** StringJoiner, StringTokenizer, Normalizer and UUID. */
import { createHash, randomUUID } from 'node:crypto'
import { illegalArgument, noSuchElement, unsupportedOperation } from '../../errors/java-throwable.ts'
import { longHash } from '../equality.ts'
import { type JEnum, simpleEnum } from '../java-enum.ts'
import { type JArray, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString } from '../limits.ts'
import { registerConstructors, registerStatics } from '../registry.ts'

class StringJoiner extends JObject {
  readonly #separator: string
  readonly #prefix: string
  readonly #suffix: string
  #text: string | undefined
  #empty: string | undefined

  constructor(separator: string, prefix = '', suffix = '') {
    super()
    this.#separator = separator
    this.#prefix = prefix
    this.#suffix = suffix
  }

  get $class(): string {
    return 'java.util.StringJoiner'
  }

  add_1(value: unknown): this {
    const text = textOf(value)
    checkString(text.length)
    this.#text = this.#text === undefined ? text : this.#text + this.#separator + text
    return this
  }

  merge_1(other: StringJoiner): this {
    return other.#text === undefined ? this : this.add_1(other.#text)
  }

  setEmptyValue_1(value: unknown): this {
    this.#empty = textOf(value)
    return this
  }

  length_0(): number {
    return this.toString_0().length
  }

  override toString_0(): string {
    if (this.#text === undefined && this.#empty !== undefined) return this.#empty
    const text = this.#prefix + (this.#text ?? '') + this.#suffix
    checkString(text.length)
    return text
  }
}

registerConstructors('java.util.StringJoiner', {
  1: (separator: unknown) => new StringJoiner(textOf(separator)),
  3: (separator: unknown, prefix: unknown, suffix: unknown) =>
    new StringJoiner(textOf(separator), textOf(prefix), textOf(suffix)),
})

class StringTokenizer extends JObject {
  readonly #text: string
  #delimiters: string
  readonly #returns: boolean
  #at = 0

  constructor(text: string, delimiters = ' \t\n\r\f', returns = false) {
    super()
    this.#text = text
    this.#delimiters = delimiters
    this.#returns = returns
  }

  get $class(): string {
    return 'java.util.StringTokenizer'
  }

  #next(from: number): { start: number; end: number } | undefined {
    let start = from
    if (!this.#returns) while (start < this.#text.length && this.#delimiters.includes(this.#text[start]!)) start++
    if (start >= this.#text.length) return undefined
    let end = start
    while (end < this.#text.length && !this.#delimiters.includes(this.#text[end]!)) end++
    return { start, end: end === start ? end + 1 : end }
  }

  hasMoreTokens_0(): boolean {
    return this.#next(this.#at) !== undefined
  }

  hasMoreElements_0(): boolean {
    return this.hasMoreTokens_0()
  }

  nextElement_0(): string {
    return this.nextToken_0()
  }

  nextToken_0(): string {
    const token = this.#next(this.#at)
    if (token === undefined) throw noSuchElement()
    this.#at = token.end
    return this.#text.slice(token.start, token.end)
  }

  nextToken_1(delimiters: string): string {
    this.#delimiters = delimiters
    return this.nextToken_0()
  }

  countTokens_0(): number {
    let count = 0
    for (let token = this.#next(this.#at); token !== undefined; token = this.#next(token.end)) count++
    return count
  }
}

registerConstructors('java.util.StringTokenizer', {
  1: (text: string) => new StringTokenizer(text),
  2: (text: string, delimiters: string) => new StringTokenizer(text, delimiters),
  3: (text: string, delimiters: string, returns: boolean) => new StringTokenizer(text, delimiters, returns),
})

simpleEnum('java.text.Normalizer$Form', ['NFD', 'NFC', 'NFKD', 'NFKC'])
registerStatics('java.text.Normalizer', {
  normalize_2: (text: unknown, form: JEnum) => textOf(text).normalize(form.name),
  isNormalized_2: (text: unknown, form: JEnum) => textOf(text).normalize(form.name) === textOf(text),
})

class Uuid extends JObject {
  readonly #high: bigint
  readonly #low: bigint

  constructor(high: bigint, low: bigint) {
    super()
    this.#high = BigInt.asUintN(64, high)
    this.#low = BigInt.asUintN(64, low)
  }

  get $class(): string {
    return 'java.util.UUID'
  }

  getMostSignificantBits_0(): bigint {
    return BigInt.asIntN(64, this.#high)
  }

  getLeastSignificantBits_0(): bigint {
    return BigInt.asIntN(64, this.#low)
  }

  version_0(): number {
    return Number((this.#high >> 12n) & 15n)
  }

  variant_0 = (): number => {
    const top = Number(this.#low >> 61n)
    return top < 4 ? 0 : top < 6 ? 2 : top
  }

  #timeBased(): void {
    if (this.version_0() !== 1) throw unsupportedOperation('Not a time-based UUID')
  }

  timestamp_0(): bigint {
    this.#timeBased()
    return ((this.#high & 0xfffn) << 48n) | (((this.#high >> 16n) & 0xffffn) << 32n) | (this.#high >> 32n)
  }

  clockSequence_0(): number {
    this.#timeBased()
    return Number((this.#low >> 48n) & 0x3fffn)
  }

  node_0(): bigint {
    this.#timeBased()
    return this.#low & 0xffffffffffffn
  }

  compareTo_1(other: Uuid): number {
    const [a, b] = [this.getMostSignificantBits_0(), other.getMostSignificantBits_0()]
    if (a !== b) return a < b ? -1 : 1
    const [c, d] = [this.getLeastSignificantBits_0(), other.getLeastSignificantBits_0()]
    return c < d ? -1 : c > d ? 1 : 0
  }

  override equals_1(other: unknown): boolean {
    return other instanceof Uuid && other.#high === this.#high && other.#low === this.#low
  }

  override hashCode_0(): number {
    return longHash(BigInt.asIntN(64, this.#high ^ this.#low))
  }

  override toString_0(): string {
    const text = this.#high.toString(16).padStart(16, '0') + this.#low.toString(16).padStart(16, '0')
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}

function fromString(text: string): Uuid {
  const parts = text.split('-')
  if (text.length > 36) throw illegalArgument('UUID string too large')
  if (parts.length !== 5 || parts.some((part) => !/^[0-9a-fA-F]+$/.test(part)))
    throw illegalArgument(`Invalid UUID string: ${text}`)
  const [a, b, c, d, e] = parts.map((part) => BigInt(`0x${part}`))
  return new Uuid(
    ((a! & 0xffffffffn) << 32n) | ((b! & 0xffffn) << 16n) | (c! & 0xffffn),
    ((d! & 0xffffn) << 48n) | (e! & 0xffffffffffffn),
  )
}

function nameUuid(array: JArray): Uuid {
  const digest = createHash('md5')
    .update(Buffer.from(array.items as number[]))
    .digest()
  digest[6] = (digest[6]! & 0x0f) | 0x30
  digest[8] = (digest[8]! & 0x3f) | 0x80
  return new Uuid(digest.readBigUInt64BE(0), digest.readBigUInt64BE(8))
}

registerConstructors('java.util.UUID', { 2: (high: bigint, low: bigint) => new Uuid(high, low) })
registerStatics('java.util.UUID', {
  fromString_1: fromString,
  nameUUIDFromBytes_1: nameUuid,
  randomUUID_0: () => fromString(randomUUID()),
})
