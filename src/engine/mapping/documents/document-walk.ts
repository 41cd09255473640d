/**
 * Walks the members of a document's objects along the tables of the mapping: mapped ones, dotted ones, and unmapped
 * ones, which are collected as new fields.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import {
  concreteValue,
  documentParsing,
  fieldNameEmpty,
  strictDynamicMapping,
} from '../../../base/errors/mapping-errors.ts'
import { END_ARRAY, END_OBJECT, JsonReader, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { NUMBER, type ParsedDocument, ROOT } from '../../document/parsed-document.ts'
import { readMetadataMember } from '../definition/metadata-members.ts'
import { splitPath } from '../dotted-name.ts'
import { NewFields } from '../dynamic/new-fields.ts'
import type { IndexMapping } from '../mapping.ts'
import type { ParseContext } from '../mapping-api.ts'
import { joinPath } from '../object-mapper.ts'
import { CopyTo, cannotCopy } from './copy-to.ts'
import { fieldProblem, objectForField } from './document-failure.ts'
import { tokenStart, valuePreview } from './document-place.ts'
import type { FieldPlan } from './field-plan.ts'
import { NestedDocuments } from './nested-documents.ts'
import {
  CHILD_ALIAS,
  CHILD_FIELD,
  CHILD_OBJECT,
  type ChildPlan,
  type ObjectPlan,
  unknownObject,
} from './object-plan.ts'
import { ValueWriter } from './value-writer.ts'

export class DocumentWalk {
  readonly writer = new ValueWriter()
  readonly reader: JsonReader
  readonly newFields = new NewFields(this.writer)
  readonly nested = new NestedDocuments()
  readonly #copyTo = new CopyTo(this)
  mapping!: IndexMapping
  context!: ParseContext
  /** The field whose value is being read, for a body that ends inside it. */
  lastField: FieldPlan | undefined
  #out!: ParsedDocument

  constructor() {
    this.reader = this.writer.main
    this.lastField = undefined
    this.writer.learner = (path, definition) => this.newFields.learn(path, definition)
    this.writer.copier = (plan, target, doc) => this.#copyTo.copy(plan, target, doc)
  }

  begin(mapping: IndexMapping, context: ParseContext, out: ParsedDocument): void {
    this.mapping = mapping
    this.context = context
    this.#out = out
    this.lastField = undefined
    this.newFields.begin(mapping, context)
    this.nested.begin(mapping, out)
    this.#copyTo.begin()
  }

  /** Reads members up to the end of the object; the reader must be at its start. */
  object(object: ObjectPlan, doc: number): void {
    const reader = this.reader
    const table = object.table
    while (reader.next() !== END_OBJECT) {
      const child = table.find(reader.nameHash, reader.bytes, reader.start, reader.end)
      if (child === undefined) {
        this.#unknownName(object, doc)
        continue
      }
      this.lastField = child.field
      const token = reader.next()
      if (child.kind === CHILD_FIELD && token !== START_ARRAY) {
        const field = child.field!
        if (token === START_OBJECT && !object.subobjects && !field.takesObjects) this.#spreadField(object, child, doc)
        else this.writer.write(field, doc)
      } else this.#member(object, child, doc, child.name)
    }
  }

  /** The value of a mapped member, of any kind. `shown` is the name in errors; array elements have none. */
  #member(object: ObjectPlan, child: ChildPlan, doc: number, shown: string | null): void {
    const reader = this.reader
    const token = reader.token
    if (child.kind === CHILD_FIELD) {
      const field = child.field!
      if (token === START_ARRAY && !field.takesArrays) this.#elements(object, child, doc)
      else if (token === START_OBJECT && !object.subobjects && !field.takesObjects)
        this.#spreadField(object, child, doc)
      else this.writer.write(field, doc)
      return
    }
    if (child.kind === CHILD_OBJECT) {
      this.#inner(object, child, doc, shown)
      return
    }
    if (token === START_ARRAY) {
      this.#elements(object, child, doc)
      return
    }
    if (child.kind === CHILD_ALIAS) {
      const path = joinPath(object.path, child.name)
      throw documentParsing(this.place(), `Cannot write to a field alias [${path}].`)
    }
    this.#metadata(child.name)
  }

  #metadata(name: string): void {
    const docCount = readMetadataMember(name, this.reader, this.writer.places, this.context.id)
    this.#out.add(this.mapping.layout.docCount, NUMBER, docCount, 0, ROOT)
  }

  #elements(object: ObjectPlan, child: ChildPlan, doc: number): void {
    const reader = this.reader
    while (reader.next() !== END_ARRAY) this.#member(object, child, doc, null)
  }

  #inner(object: ObjectPlan, child: ChildPlan, doc: number, shown: string | null): void {
    const reader = this.reader
    const inner = child.object!
    if (!inner.enabled) {
      reader.skipChildren()
      return
    }
    switch (reader.token) {
      case NULL:
        return
      case START_ARRAY:
        this.#elements(object, child, doc)
        return
      case START_OBJECT:
        this.#enter(inner, doc)
        return
      default:
        throw concreteValue(this.place(), inner.path, shown)
    }
  }

  /** Enters an object, as a separate document if it is nested; the reader must be at its start. */
  #enter(object: ObjectPlan, doc: number): void {
    if (object.nestedIndex < 0) {
      this.object(object, doc)
      return
    }
    const inner = this.nested.open(object, doc, this)
    const mark = this.#out.entryCount
    this.object(object, inner)
    this.nested.close(object, inner, doc, mark)
  }

  #checkBlank(object: ObjectPlan, name: string): void {
    if (name.trim() !== '') return
    const path = object.path === '' ? name : `${object.path}.${name}`
    throw documentParsing(this.place(), `Field name cannot contain only whitespace: [${path}]`)
  }

  /** A name that is not in the table of its object: dotted, new, or invalid. */
  #unknownName(object: ObjectPlan, doc: number): void {
    const reader = this.reader
    const name = reader.text()
    if (!object.subobjects) {
      if (name === '') throw illegalArgument('Field name cannot be an empty string')
      this.#checkBlank(object, name)
      reader.next()
      this.#spreadValue(object, name, doc)
      return
    }
    if (!name.includes('.')) {
      if (name === '') throw fieldNameEmpty()
      this.#checkBlank(object, name)
      reader.next()
      this.unknownValue(object, name, doc)
      return
    }
    this.#dotted(object, splitPath(name), 0, doc)
  }

  /** `a.b.c` is read as the objects a and b with the member c. */
  #dotted(object: ObjectPlan, parts: readonly string[], at: number, doc: number): void {
    const reader = this.reader
    const name = parts[at]!
    const child = object.subobjects ? object.table.findText(name) : undefined
    if (!object.subobjects) {
      const rest = parts.slice(at).join('.')
      const known = object.table.findText(rest)
      reader.next()
      if (known === undefined) this.#spreadValue(object, rest, doc)
      else this.#member(object, known, doc, rest)
      return
    }
    if (at === parts.length - 1) {
      reader.next()
      if (child === undefined) this.unknownValue(object, name, doc)
      else this.#member(object, child, doc, name)
      return
    }
    if (child === undefined) {
      this.#dottedUnknown(object, parts, at, doc)
      return
    }
    if (child.kind === CHILD_OBJECT) {
      this.#dottedInner(child.object!, parts, at, doc)
      return
    }
    if (child.kind === CHILD_ALIAS) {
      throw documentParsing(this.place(), `Cannot write to a field alias [${joinPath(object.path, name)}].`)
    }
    if (child.kind === CHILD_FIELD) this.#dottedField(child.field!, parts.slice(at + 1), doc)
    else this.#metadata(child.name)
  }

  #dottedInner(inner: ObjectPlan, parts: readonly string[], at: number, doc: number): void {
    if (!inner.enabled) {
      this.reader.next()
      this.reader.skipChildren()
      return
    }
    if (inner.nestedIndex < 0) {
      this.#dotted(inner, parts, at + 1, doc)
      return
    }
    const nested = this.nested.open(inner, doc, this)
    const mark = this.#out.entryCount
    this.#dotted(inner, parts, at + 1, nested)
    this.nested.close(inner, nested, doc, mark)
  }

  /** A field where a dotted name requires an object. Only types that accept objects can handle it. */
  #dottedField(field: FieldPlan, rest: readonly string[], doc: number): void {
    const reader = this.reader
    const namePlace = this.writer.places.at(tokenStart(reader))
    reader.next()
    if (field.takesObjects) {
      this.asObject(field, rest, doc)
      return
    }
    let preview = valuePreview(reader)
    for (const name of [...rest].reverse()) preview = `{${name}=${preview}}`
    const cause = objectForField(field, namePlace)
    throw documentParsing(this.place(), fieldProblem(this.context.id, field.path, field.type, preview), cause)
  }

  /** Reads the value at the current token as if its path were written as objects. */
  asObject(field: FieldPlan, path: readonly string[], doc: number): void {
    const writer = this.writer
    const reader = this.reader
    const from = tokenStart(reader)
    reader.skipChildren()
    const value = writer.places.original(from, reader.position)
    const open = path.map((name) => `{${JSON.stringify(name)}:`).join('')
    const json = Buffer.concat([Buffer.from(open), value, Buffer.from('}'.repeat(path.length))])
    writer.reader = new JsonReader().reset(json)
    try {
      writer.reader.next()
      writer.write(field, doc)
    } finally {
      writer.reader = reader
    }
  }

  #dottedUnknown(object: ObjectPlan, parts: readonly string[], at: number, doc: number): void {
    const reader = this.reader
    const name = parts[at]!
    const path = joinPath(object.path, name)
    if (object.dynamic === 'strict') throw strictDynamicMapping(this.place(), name, object.path || '_doc')
    if (object.dynamic === 'false') {
      reader.next()
      reader.skipChildren()
      return
    }
    const dynamic = object.dynamic === 'true' ? this.newFields.addObject(object, name) : object.dynamic
    if (dynamic === undefined) {
      reader.next()
      reader.skipChildren()
      return
    }
    this.#dotted(unknownObject(name, path, dynamic), parts, at + 1, doc)
  }

  /** An unmapped member; the reader must be at its value. `shown` is the name in errors; array elements have none. */
  unknownValue(object: ObjectPlan, name: string, doc: number, shown: string | null = name): void {
    const reader = this.reader
    const path = joinPath(object.path, name)
    if (this.#isSpokenFor(object, path)) {
      reader.skipChildren()
      return
    }
    if (object.dynamic === 'strict') throw strictDynamicMapping(this.place(), name, object.path || '_doc')
    if (object.dynamic === 'false') {
      reader.skipChildren()
      return
    }
    switch (reader.token) {
      case NULL:
        return
      case START_ARRAY:
        this.#newArray(object, name, doc)
        return
      case START_OBJECT:
        this.#newObjectValue(object, name, path, doc)
        return
      default:
        this.newFields.addLeaf(object, name, shown)
    }
  }

  /** Whether a runtime field or a key of a flattened field has that path: the value then stays only in the source. */
  #isSpokenFor(object: ObjectPlan, path: string): boolean {
    const { token } = this.reader
    if (token !== START_OBJECT && token !== START_ARRAY && this.mapping.definition.settings.runtime.has(path))
      return true
    return !object.subobjects && this.mapping.field(path) !== undefined && !this.mapping.layout.types.has(path)
  }

  #newArray(object: ObjectPlan, name: string, doc: number): void {
    const reader = this.reader
    if (this.newFields.addArray(object, name)) {
      reader.skipChildren()
      return
    }
    while (reader.next() !== END_ARRAY) {
      if (object.subobjects) this.unknownValue(object, name, doc, null)
      else this.#spreadValue(object, name, doc)
    }
  }

  #newObjectValue(object: ObjectPlan, name: string, path: string, doc: number): void {
    const dynamic = object.dynamic === 'true' ? this.newFields.addObject(object, name) : object.dynamic
    if (dynamic === undefined) this.reader.skipChildren()
    else this.object(unknownObject(name, path, dynamic), doc)
  }

  /** An object under `subobjects: false`: its members are read with the object names as prefix. */
  #spread(object: ObjectPlan, prefix: string, doc: number): void {
    const reader = this.reader
    while (reader.next() !== END_OBJECT) {
      const name = `${prefix}.${reader.text()}`
      const child = object.table.findText(name)
      reader.next()
      if (child === undefined) this.#spreadValue(object, name, doc)
      else this.#member(object, child, doc, name)
    }
  }

  /** An object in place of a mapped field: its members are read, but the field itself gets no value to copy. */
  #spreadField(object: ObjectPlan, child: ChildPlan, doc: number): void {
    this.#spread(object, child.name, doc)
    const field = child.field!
    if (field.copyTo.length > 0) throw cannotCopy(field, this.place())
  }

  /** An unmapped member under `subobjects: false`; an object may still contain mapped names. */
  #spreadValue(object: ObjectPlan, name: string, doc: number): void {
    if (this.reader.token !== START_OBJECT) {
      this.unknownValue(object, name, doc)
      return
    }
    if (this.#isSpokenFor(object, joinPath(object.path, name))) {
      this.reader.skipChildren()
      return
    }
    if (object.dynamic === 'strict') throw strictDynamicMapping(this.place(), name, object.path || '_doc')
    this.#spread(object, name, doc)
  }

  place(): string {
    return this.writer.places.ofToken(this.reader)
  }
}
