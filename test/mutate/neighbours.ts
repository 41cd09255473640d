/** Which unit tests are asked about a source file. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The tests of text files of queries, sorts and aggregations, which belong to all of them. */
const CASES = 'src/engine/cases/cases.test.ts'

/** More, and those farther away, cost more than the laws do. */
const TESTS_MAX = 8
const RINGS_MAX = 2

export class Neighbours {
  /** The files that import each file. */
  readonly #importers = new Map<string, string[]>()
  readonly #tests: readonly string[]

  constructor(root: string) {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('console'))
      .map((path) => join('src', path))
      .sort()
    this.#tests = files.filter((path) => path.endsWith('.test.ts'))
    for (const path of files)
      for (const [, name] of readFileSync(join(root, path), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)) {
        const imported = normalize(join(dirname(path), name!))
        const importers = this.#importers.get(imported)
        if (importers === undefined) this.#importers.set(imported, [path])
        else importers.push(path)
      }
  }

  /** The tests in the folder of a file, and those that import it, the nearest first. */
  testsOf(file: string): string[] {
    const found = new Set<string>(this.#tests.filter((path) => dirname(path) === dirname(file)))
    if (file.startsWith('src/engine/')) found.add(CASES)
    let ring = [file]
    const seen = new Set(ring)
    for (let distance = 1; distance <= RINGS_MAX; distance++) {
      ring = ring.flatMap((path) => this.#importers.get(path) ?? []).filter((path) => !seen.has(path))
      for (const path of ring) {
        seen.add(path)
        if (path.endsWith('.test.ts') && found.size < TESTS_MAX) found.add(path)
      }
    }
    return [...found]
  }
}
