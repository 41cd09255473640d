/**
 * The fields that field-level security grants, by full path. Metadata fields, which begin with `_`, are always granted.
 * A pattern is matched against the whole path: `a` grants the field `a` and not what is below the object `a`.
 */
import { derivedDocValues } from '../document/derived-doc-values.ts'
import { filterSource } from './filter-source.ts'
import { type NameSet, nameSet } from './name-set.ts'
import type { FieldSecurity } from './read-limits.ts'

interface Entry {
  readonly granted: NameSet | undefined
  readonly excepted: NameSet | undefined
}

const REMEMBERED_MAX = 10_000

export class FieldGrants {
  readonly #groups: readonly (readonly Entry[])[]
  readonly #answers = new Map<string, boolean>()

  constructor(groups: readonly (readonly FieldSecurity[])[]) {
    this.#groups = groups.map((entries) =>
      entries.map(({ grant, except }) => ({
        granted: grant === undefined ? undefined : nameSet(grant),
        excepted: except === undefined || except.length === 0 ? undefined : nameSet(except),
      })),
    )
  }

  has(path: string): boolean {
    if (path.startsWith('_')) return true
    let answer = this.#answers.get(path)
    if (answer === undefined) {
      answer = this.#groups.every((entries) => entries.some((entry) => grants(entry, path)))
      this.#remember(path, answer)
    }
    return answer
  }

  #remember(key: string, answer: boolean): void {
    if (this.#answers.size >= REMEMBERED_MAX) this.#answers.clear()
    this.#answers.set(key, answer)
  }

  /** Whether a field below the object at `path` may be granted. */
  reachesInto(path: string): boolean {
    if (path.startsWith('_')) return true
    const prefix = `${path}.`
    return this.#groups.every((entries) =>
      entries.some(({ granted, excepted }) => (granted?.reaches(prefix) ?? true) && !excepted?.covers(`${prefix}*`)),
    )
  }

  /**
   * Whether a physical field may be read. Fields that a mapping type stores beside its own, such as those of joins
   * (`relation#parent`) and of `search_as_you_type` (`title._2gram`), and derived doc values belong to the field that
   * they are made from.
   */
  hasPhysical(name: string): boolean {
    const derived = derivedDocValues(name)
    if (derived !== undefined) return derived.kind === 'runtime' || this.hasPhysical(derived.field)
    const end = name.startsWith('_') ? 0 : name.search(PART)
    return end <= 0 ? this.has(name) : this.#hasPart(name, name.slice(0, end))
  }

  /** A part is granted with its field, and never against an entry that excepts the part by its own name. */
  #hasPart(name: string, owner: string): boolean {
    const key = `${owner}\u0000${name}`
    let answer = this.#answers.get(key)
    if (answer === undefined) {
      answer = this.#groups.every((entries) =>
        entries.some((entry) => (grants(entry, owner) || grants(entry, name)) && !excepts(entry, owner, name)),
      )
      this.#remember(key, answer)
    }
    return answer
  }

  /** The document without fields that are not granted. */
  source(bytes: Uint8Array): Uint8Array {
    return filterSource(bytes, this)
  }
}

const PART = /#|\._(?:[234]gram|index_prefix|keyed)$/

const excepts = ({ excepted }: Entry, ...names: string[]) => names.some((name) => excepted?.has(name) === true)

function grants({ granted, excepted }: Entry, path: string): boolean {
  return (granted?.has(path) ?? true) && !excepted?.has(path)
}

const known = new Map<string, FieldGrants>()
const KNOWN_MAX = 1_000

/** The same object for the same groups. */
export function fieldGrants(groups: readonly (readonly FieldSecurity[])[]): FieldGrants {
  const key = JSON.stringify(groups)
  let grants = known.get(key)
  if (grants === undefined) {
    grants = new FieldGrants(groups)
    if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value!)
    known.set(key, grants)
  }
  return grants
}
