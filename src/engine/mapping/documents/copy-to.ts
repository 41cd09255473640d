/** `copy_to`: copies the current value to other fields, which may be unmapped. */
import type { ApiError } from '../../../base/api-error.ts'
import { documentParsing, strictDynamicMapping } from '../../../base/errors/mapping-errors.ts'
import { END_ARRAY, END_OBJECT } from '../../../base/json/json-reader.ts'
import { splitPath } from '../dotted-name.ts'
import { fieldProblem, objectForField } from './document-failure.ts'
import { tokenStart, valuePreview } from './document-place.ts'
import type { DocumentWalk } from './document-walk.ts'
import type { FieldPlan } from './field-plan.ts'
import { CHILD_FIELD, CHILD_OBJECT, unknownObject } from './object-plan.ts'

export class CopyTo {
  readonly #walk: DocumentWalk
  /** A copy is not copied further. */
  #isCopying = false

  constructor(walk: DocumentWalk) {
    this.#walk = walk
  }

  begin(): void {
    this.#isCopying = false
  }

  /** The reader must be at the value. */
  copy(plan: FieldPlan, target: string, doc: number): void {
    if (this.#isCopying) return
    const { reader, writer, mapping } = this.#walk
    if (reader.token === END_OBJECT || reader.token === END_ARRAY) throw cannotCopy(plan, this.#walk.place())
    const { layout } = mapping
    const field = layout.plans.get(target)
    this.#isCopying = true
    if (field !== undefined) writer.write(field, this.#walk.nested.documentOf(target, doc))
    else if (layout.aliases.has(target)) {
      throw documentParsing(this.#walk.place(), `Cannot copy to a field alias [${target}].`)
    } else this.#copyToUnknown(target, doc)
    this.#isCopying = false
  }

  #copyToUnknown(target: string, doc: number): void {
    const { newFields, mapping } = this.#walk
    let object = mapping.layout.root
    const parts = splitPath(target)
    for (const [i, name] of parts.slice(0, -1).entries()) {
      const child = object.table.findText(name)
      if (child?.kind === CHILD_OBJECT) {
        object = child.object!
        continue
      }
      if (child?.kind === CHILD_FIELD) {
        this.#copyInto(child.field!, parts.slice(i + 1), doc)
        return
      }
      if (object.dynamic === 'strict') throw strictDynamicMapping(this.#walk.place(), name, object.path || '_doc')
      if (object.dynamic === 'false') return
      const path = parts.slice(0, i + 1).join('.')
      if (object.dynamic === 'true') newFields.addPlainObject(object, name)
      object = unknownObject(name, path, object.dynamic)
    }
    this.#walk.unknownValue(object, parts.at(-1)!, doc)
  }

  /** A target inside a mapped field: valid only for types that accept objects. */
  #copyInto(field: FieldPlan, rest: readonly string[], doc: number): void {
    if (field.takesObjects) {
      this.#walk.asObject(field, rest, this.#walk.nested.documentOf(field.path, doc))
      return
    }
    const { reader, writer, context } = this.#walk
    const place = writer.places.at(tokenStart(reader))
    const preview = [...rest].reverse().reduce((inner, name) => `{${name}=${inner}}`, valuePreview(reader))
    throw documentParsing(
      `[${place}]`,
      fieldProblem(context.id, field.path, field.type, preview),
      objectForField(field, place),
    )
  }
}

/** `place` is shown in brackets before the reason. */
export const cannotCopy = (field: FieldPlan, place: string): ApiError =>
  documentParsing(
    place,
    `Cannot copy field [${field.path}] to fields [${field.copyTo.join(', ')}]. Copy-to currently only works for value-type fields, not objects.`,
  )
