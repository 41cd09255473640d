/** `doc`: the doc values of the current document by field name. */
import type { DocAccess } from '../../contract.ts'
import { unsupportedOperation } from '../../errors/java-throwable.ts'
import { castFailure } from '../class-of.ts'
import { JEntry, JMap } from '../collections/map.ts'
import { DocValues, docValuesFor } from './doc-values.ts'
import type { Environment } from './environment.ts'
import { VectorDocValues } from './vectors/dense-vector.ts'

const SCRIPT_DOC_VALUES = 'org.elasticsearch.index.fielddata.ScriptDocValues'

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

  /** The values of a field. Throws the reader's error for a field without doc values. */
  field(name: string): DocValues {
    let values = this.#fields.get(name)
    if (values === undefined) {
      const reader = this.#access.reader(name)
      values = reader.vectors === undefined ? docValuesFor(reader, name) : new VectorDocValues(reader)
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

  /** Elasticsearch looks up the field before it uses the default. */
  override getOrDefault_2(key: unknown): unknown {
    return this.get_1(key)
  }

  override putIfAbsent_2(key: unknown): unknown {
    return this.get_1(key)
  }

  entries(): readonly JEntry[] {
    throw unsupportedOperation()
  }

  override keySet_0(): never {
    throw unsupportedOperation()
  }

  override values_0(): never {
    throw unsupportedOperation()
  }

  override entrySet_0(): never {
    throw unsupportedOperation()
  }

  size_0(): number {
    throw unsupportedOperation()
  }

  put_2(_key: unknown, value: unknown): unknown {
    if (value !== null && !(value instanceof DocValues)) throw castFailure(value, SCRIPT_DOC_VALUES)
    throw unsupportedOperation()
  }

  override putAll_1(): void {
    throw unsupportedOperation()
  }

  remove_1(): unknown {
    throw unsupportedOperation()
  }

  clear_0(): void {
    throw unsupportedOperation()
  }

  override equals_1(other: unknown): boolean {
    return this === other
  }

  override hashCode_0(): number {
    return this.identityHash()
  }

  /** The class has no toString in Elasticsearch, so the text is the object's identity. */
  override toString_0(): string {
    return `${this.$class}@${(this.hashCode_0() >>> 0).toString(16)}`
  }
}
