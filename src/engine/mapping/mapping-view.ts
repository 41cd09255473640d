import type { FieldSchema } from '../document/field-schema.ts'
import type { FieldType } from './field-type.ts'
import type { Mapping, MappingJson } from './mapping-api.ts'

/** The base of views of a mapping. Members that a subclass does not override return those of the mapping. */
export class MappingView<T extends Mapping = Mapping> implements Mapping {
  protected readonly mapping: T

  constructor(mapping: T) {
    this.mapping = mapping
  }

  get version(): number {
    return this.mapping.version
  }

  toJson(): MappingJson {
    return this.mapping.toJson()
  }

  merge(update: MappingJson): Mapping {
    return this.mapping.merge(update)
  }

  field(name: string): FieldType | undefined {
    return this.mapping.field(name)
  }

  fieldNames(): Iterable<string> {
    return this.mapping.fieldNames()
  }

  objectKind(path: string): 'object' | 'nested' | undefined {
    return this.mapping.objectKind(path)
  }

  get schemas(): readonly FieldSchema[] {
    return this.mapping.schemas
  }

  get nestedPaths(): readonly string[] {
    return this.mapping.nestedPaths
  }

  get routingRequired(): boolean {
    return this.mapping.routingRequired
  }

  get sourceEnabled(): boolean {
    return this.mapping.sourceEnabled
  }

  storedSource(source: Uint8Array): Uint8Array {
    return this.mapping.storedSource(source)
  }
}
