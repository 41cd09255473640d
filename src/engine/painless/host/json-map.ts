/**
 * The source of a document as a script sees it: a LinkedHashMap whose values are read from JSON when the script asks for them, and
 * which is written again by copying the members that did not change. Most scripts read and set a few members of a document.
 *
 * What such scripts do is done on the JSON: reading and setting members by name. Anything else turns the map into entries first.
 */
import { JsonReader } from '../../../base/json/json-reader.ts'
import { JHashMap } from '../runtime/collections/hash-map.ts'
import type { JEntry } from '../runtime/collections/map.ts'
import { spendMemory, withoutLimits } from '../runtime/limits.ts'
import { type Members, SPAN, scanMembers } from './canonical-json.ts'
import { readJava } from './host-values.ts'
import type { MemberNames } from './member-names.ts'

/** The value of a member that was not read yet. */
const UNREAD = Symbol('unread')
/** More new members turn the map into entries. */
const ADDED_MAX = 12

const reader = new JsonReader()

export class JsonMap extends JHashMap {
  /** Undefined when the map consists of entries. */
  #members: MemberNames | undefined
  readonly #json: Uint8Array
  /** As in `Members`. A member that changed cannot be copied. */
  readonly #spans: number[]
  /** The values that were read or set. */
  #values: unknown[] | undefined
  /** New members: name, value, name, value … */
  #added: unknown[] | undefined

  constructor(json: Uint8Array, { names, spans }: Members) {
    super(true)
    this.#json = json
    this.#members = names
    this.#spans = spans
  }

  /** Whether the map can be written member by member. */
  get isJson(): boolean {
    return this.#members !== undefined
  }

  override get_1(key: unknown): unknown {
    const members = this.#members
    if (members === undefined) return super.get_1(key)
    const place = members.places.get(key as string)
    if (place !== undefined) return this.#valueAt(members, place)
    const added = this.#addedAt(key)
    return added < 0 ? null : this.#added![added + 1]
  }

  override containsKey_1(key: unknown): boolean {
    const members = this.#members
    if (members === undefined) return super.containsKey_1(key)
    return members.places.has(key as string) || this.#addedAt(key) >= 0
  }

  override size_0(): number {
    const members = this.#members
    return members === undefined ? super.size_0() : members.names.length + (this.#added?.length ?? 0) / 2
  }

  override put_2(key: unknown, value: unknown): unknown {
    const members = this.#members
    if (members === undefined) return super.put_2(key, value)
    const place = members.places.get(key as string)
    if (place !== undefined) {
      const old = this.#valueAt(members, place)
      this.#values![place] = value
      this.#mustWrite(place)
      return old
    }
    const at = this.#addedAt(key)
    if (at >= 0) {
      const old = this.#added![at + 1]
      this.#added![at + 1] = value
      return old
    }
    this.#added ??= []
    if (typeof key !== 'string' || this.#added.length === 2 * ADDED_MAX) {
      this.#becomeEntries(members)
      return super.put_2(key, value)
    }
    spendMemory(2)
    this.#added.push(key, value)
    this.changes++
    return null
  }

  override entry(key: unknown): ReturnType<JHashMap['entry']> {
    if (this.#members !== undefined) this.#becomeEntries(this.#members)
    return super.entry(key)
  }

  override remove_1(key: unknown): unknown {
    if (this.#members !== undefined) this.#becomeEntries(this.#members)
    return super.remove_1(key)
  }

  override clear_0(): void {
    if (this.#members !== undefined) this.#becomeEntries(this.#members)
    super.clear_0()
  }

  override entries(): readonly JEntry[] {
    if (this.#members !== undefined) this.#becomeEntries(this.#members)
    return super.entries()
  }

  override forEachEntry(visit: (entry: JEntry) => void): void {
    if (this.#members !== undefined) this.#becomeEntries(this.#members)
    super.forEachEntry(visit)
  }

  /** The members of the JSON. Those after it are `added`. */
  get memberCount(): number {
    return this.#members!.names.length
  }

  /** New members: name, value, name, value … */
  get added(): readonly unknown[] {
    return this.#added ?? NOTHING
  }

  /** The bytes that hold the members. */
  get json(): Uint8Array {
    return this.#json
  }

  /** Where the JSON of a member begins. */
  copyStart(member: number): number {
    return this.#spans[member * SPAN]!
  }

  /** Where the JSON of a member ends; negative if it cannot be copied, so that its name and its value must be written. */
  copyEnd(member: number): number {
    return this.#spans[member * SPAN + 2]!
  }

  nameOf(member: number): string {
    return this.#members!.names[member]!
  }

  valueOfMember(member: number): unknown {
    return this.#valueAt(this.#members!, member)
  }

  #addedAt(key: unknown): number {
    const added = this.#added
    if (added !== undefined) for (let i = 0; i < added.length; i += 2) if (added[i] === key) return i
    return -1
  }

  #valueAt({ names }: MemberNames, place: number): unknown {
    const values = (this.#values ??= new Array<unknown>(names.length).fill(UNREAD))
    if (values[place] !== UNREAD) return values[place]
    const value = this.#read(place)
    values[place] = value
    // A script may change what is in an object or an array.
    if (typeof value === 'object' && value !== null) this.#mustWrite(place)
    return value
  }

  /** Strings are unescaped in place, and restored at the end. */
  #read(place: number): unknown {
    const end = this.#spans[place * SPAN + 2]!
    reader.reset(this.#json, this.#spans[place * SPAN + 1]!, end < 0 ? -end - 1 : end)
    try {
      reader.next()
      return withoutLimits(readValue)
    } finally {
      reader.restore()
    }
  }

  #mustWrite(place: number): void {
    const end = this.#spans[place * SPAN + 2]!
    if (end >= 0) this.#spans[place * SPAN + 2] = -end - 1
  }

  #becomeEntries(members: MemberNames): void {
    const { names } = members
    const values = names.map((_, place) => this.#valueAt(members, place))
    const added = this.#added ?? NOTHING
    const { changes } = this
    this.#members = undefined
    this.#values = undefined
    this.#added = undefined
    withoutLimits(() => {
      for (let i = 0; i < names.length; i++) super.put_2(names[i], values[i])
      for (let i = 0; i < added.length; i += 2) super.put_2(added[i], added[i + 1])
    })
    // An iteration that began before goes on.
    this.changes = changes
  }
}

const NOTHING: readonly unknown[] = []
const readValue = () => readJava(reader)

/** The JSON object in `bytes[start, end)` as a map; undefined if it has to be read as a whole. The bytes must not change. */
export function jsonMap(bytes: Uint8Array, start: number, end: number): JsonMap | undefined {
  const members = scanMembers(bytes, start, end)
  return members && new JsonMap(bytes, members)
}
