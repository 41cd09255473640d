/** `include_unmapped` of the `fields` option: values of the source that are those of no requested field. */
import { namePattern } from '../../../base/name-pattern.ts'
import { isObject, type SourceObject, valuesAt } from '../../mapping/source/source-values.ts'

/** Whether the path or one that it is inside of is taken. */
function isTakenAt(path: string, start: number, taken: (path: string) => boolean): boolean {
  for (let end = path.indexOf('.', start); end > 0; end = path.indexOf('.', end + 1))
    if (taken(path.slice(0, end))) return true
  return taken(path)
}

export class UnmappedValues {
  readonly #names: readonly string[]
  readonly #patterns: readonly ((name: string) => boolean)[]

  constructor(wanted: readonly string[]) {
    this.#names = wanted.filter((name) => !name.includes('*'))
    this.#patterns = wanted.filter((name) => name.includes('*')).map(namePattern)
  }

  /**
   * `prefix` is the nested path of the source object, and the names in `result` are relative to it. Nothing is read below a path that
   * is `taken`.
   */
  addTo(
    result: Record<string, unknown[]>,
    source: SourceObject,
    prefix: string,
    taken: (path: string) => boolean,
  ): void {
    const start = prefix === '' ? 0 : prefix.length + 1
    const found = new Map<string, unknown[]>()
    const add = (path: string, values: readonly unknown[]) => {
      if (values.length === 0) return
      const before = found.get(path)
      if (before === undefined) found.set(path, [...values])
      else before.push(...values)
    }
    for (const name of this.#names) {
      if (!name.startsWith(prefix) || isTakenAt(name, start, taken)) continue
      const values = [...valuesAt(source, name.slice(start))].flat(Number.POSITIVE_INFINITY)
      add(
        name,
        values.filter((value) => value !== null && !isObject(value)),
      )
    }
    if (this.#patterns.length > 0) this.#walk(source, prefix, taken, add)
    for (const [path, values] of found) result[path.slice(start)] ??= values
  }

  #walk(
    source: SourceObject,
    prefix: string,
    taken: (path: string) => boolean,
    add: (path: string, values: readonly unknown[]) => void,
  ): void {
    for (const [name, value] of Object.entries(source)) {
      const path = prefix === '' ? name : `${prefix}.${name}`
      if (taken(path)) continue
      if (isObject(value)) this.#walk(value, path, taken, add)
      else if (Array.isArray(value)) this.#walkList(value, path, taken, add)
      else if (value !== null && this.#matches(path)) add(path, [value])
    }
  }

  /** As in Elasticsearch, the values of inner lists come first, and a list keeps its `null`s. */
  #walkList(
    list: readonly unknown[],
    path: string,
    taken: (path: string) => boolean,
    add: (path: string, values: readonly unknown[]) => void,
  ): void {
    const own: unknown[] = []
    for (const value of list) {
      if (isObject(value)) this.#walk(value, path, taken, add)
      else if (Array.isArray(value)) this.#walkList(value, path, taken, add)
      else if (this.#matches(path)) own.push(value)
    }
    add(path, own)
  }

  #matches(path: string): boolean {
    return this.#patterns.some((matches) => matches(path))
  }
}
