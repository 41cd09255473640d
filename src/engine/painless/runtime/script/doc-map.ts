/** `doc`: the doc values of the current document by field name. */
import type { DocAccess } from '../../contract.ts'
import { illegalState, unsupportedOperation } from '../../errors/java-throwable.ts'
import { JEntry, JMap } from '../collections/map.ts'
import { type DocValues, docValuesFor } from './doc-values.ts'
import type { Environment } from './environment.ts'

export class DocMap extends JMap {
  readonly #access: DocAccess
  readonly #fields = new Map<string, DocValues>()
  readonly #all: DocValues[] = []
  #document = 0

  constructor(access: DocAccess, environment: Environment) {
    super()
    this.#access = access
    this.#document = environment.document
  }

  get $class(): string {
    return 'org.elasticsearch.search.lookup.LeafDocLookup'
  }

  override get $listed(): string {
    return 'java.util.Map'
  }

  moveTo(document: number): void {
    this.#document = document
    for (const values of this.#all) values.moveTo(document)
  }

  /** The values of a field. Throws what the reader throws for a field without doc values. */
  field(name: string): DocValues {
    let values = this.#fields.get(name)
    if (values === undefined) {
      values = docValuesFor(this.#access.reader(name), name)
      values.moveTo(this.#document)
      this.#fields.set(name, values)
      this.#all.push(values)
    }
    return values
  }

  override get_1(key: unknown): unknown {
    return this.field(String(key))
  }

  override containsKey_1(key: unknown): boolean {
    return this.#access.isMapped(String(key))
  }

  entry(key: unknown): JEntry | undefined {
    return this.containsKey_1(key) ? new JEntry(key, this.field(String(key))) : undefined
  }

  entries(): readonly JEntry[] {
    throw unsupportedOperation()
  }

  size_0(): number {
    throw unsupportedOperation()
  }

  put_2(): unknown {
    throw unsupportedOperation()
  }

  remove_1(): unknown {
    throw unsupportedOperation()
  }

  clear_0(): void {
    throw unsupportedOperation()
  }

  override toString_0(): string {
    throw illegalState('doc has no text')
  }
}
