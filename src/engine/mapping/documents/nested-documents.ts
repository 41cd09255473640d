/** The documents of one block: nested objects before their parent, and the entries copied to parents. */
import { documentParsing } from '../../../base/errors/mapping-errors.ts'
import { type ParsedDocument, ROOT } from '../../document/parsed-document.ts'
import type { IndexMapping } from '../mapping.ts'
import type { ObjectPlan } from './object-plan.ts'

export class NestedDocuments {
  #mapping!: IndexMapping
  #out!: ParsedDocument
  #count = 0

  begin(mapping: IndexMapping, out: ParsedDocument): void {
    this.#mapping = mapping
    this.#out = out
    this.#count = 0
  }

  /** A new document inside `doc`; `at` provides the position for the error about too many. */
  open(object: ObjectPlan, doc: number, at: { place(): string }): number {
    const limit = this.#mapping.context.limits.nestedObjects
    if (++this.#count > limit) {
      throw documentParsing(
        at.place(),
        `The number of nested documents has exceeded the allowed limit of [${limit}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`,
      )
    }
    return this.#out.beginNested(object.nestedIndex, doc)
  }

  /** `mark` is the number of entries when the document was opened. */
  close(object: ObjectPlan, inner: number, parent: number, mark: number): void {
    const toRoot = object.includeInRoot && !(object.includeInParent && parent === ROOT)
    if (object.includeInParent) this.#repeat(mark, inner, parent)
    if (toRoot) this.#repeat(mark, inner, ROOT)
    this.#out.endDocument(inner)
  }

  /** The document of the block to which a field belongs: this one or an enclosing one. */
  documentOf(path: string, doc: number): number {
    const nestedPath = this.#mapping.layout.types.get(path)?.nestedPath
    const out = this.#out
    let at = doc
    while (at !== ROOT && this.#mapping.nestedPaths[out.docPath[at]!] !== nestedPath) at = out.docParent[at]!
    return at
  }

  /** Repeats the entries of a nested document for an enclosing document. */
  #repeat(mark: number, from: number, to: number): void {
    const out = this.#out
    const end = out.entryCount
    for (let i = mark; i < end; i++) {
      if (out.doc[i] !== from) continue
      const schema = this.#mapping.layout.schemas[out.field[i]!]!
      out.add(schema, out.kind[i] as 1, out.a[i]!, out.b[i]!, to)
    }
  }
}
