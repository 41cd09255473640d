/**
 * Walks the JSON of one document along the mapping's tables and writes its entries.
 *
 * The source is copied once, behind which the reader resolves escapes in place; after that text is only ever a range of
 * bytes. Names are looked up by the hash the reader computed anyway. What the mapping does not know is gathered as an
 * update, tried at once on a second pass (so that a document that fails leaves no trace in the mapping), and handed back.
 */
import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { documentSyntaxError } from '../../base/errors/json-errors.ts'
import { documentParsing, ExtraDataError, strictDynamicMapping } from '../../base/errors/mapping-errors.ts'
import { END, END_ARRAY, END_OBJECT, JsonReader, NULL, START_ARRAY, START_OBJECT } from '../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../base/json/json-syntax-error.ts'
import { type ParsedDocument, ROOT } from '../document/parsed-document.ts'
import { explainFailure, fieldProblem, objectForField } from './document-failure.ts'
import { DocumentPlaces, tokenName, tokenStart, valuePreview } from './document-place.ts'
import { joinUpdates } from './dynamic-update.ts'
import type { FieldPlan } from './field-plan.ts'
import { IndexMapping } from './mapping.ts'
import type { DocumentParser, Mapping, MappingJson, ParseContext } from './mapping-api.ts'
import { readMetadataMember } from './metadata-members.ts'
import { NewFields } from './new-fields.ts'
import { joinPath } from './object-mapper.ts'
import {
  CHILD_ALIAS,
  CHILD_FIELD,
  CHILD_OBJECT,
  type ChildPlan,
  type ObjectPlan,
  unknownObject,
} from './object-plan.ts'
import { ValueWriter } from './value-writer.ts'

/** A document may need several rounds when new fields lead to new fields; more than this is a loop. */
const ROUNDS_MAX = 8

export class JsonDocumentParser implements DocumentParser {
  readonly #writer = new ValueWriter()
  readonly #reader: JsonReader
  readonly #newFields = new NewFields(this.#writer)
  #mapping!: IndexMapping
  #context!: ParseContext
  #out!: ParsedDocument
  #nestedCount = 0
  #inCopyTo = false
  /** The field whose value is being read, for a body that breaks off inside it. */
  #lastField: FieldPlan | undefined

  constructor() {
    this.#reader = this.#writer.main
    this.#writer.learner = (path, definition) => this.#newFields.learn(path, definition)
    this.#writer.copier = (plan, target, doc) => this.#copy(plan, target, doc)
  }

  parse(
    mapping: Mapping,
    source: Uint8Array,
    start: number,
    end: number,
    context: ParseContext,
    out: ParsedDocument,
  ): MappingJson | undefined {
    if (!(mapping instanceof IndexMapping)) throw new TypeError('a mapping of this engine is expected')
    let tried = mapping
    let update: MappingJson | undefined
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const more = this.#pass(tried, source, start, end, context, out)
      if (more === undefined) return update
      update = update === undefined ? more : joinUpdates(update, more)
      tried = tried.mergeUnchecked(more)
    }
    return update
  }

  #pass(
    mapping: IndexMapping,
    source: Uint8Array,
    start: number,
    end: number,
    context: ParseContext,
    out: ParsedDocument,
  ): MappingJson | undefined {
    const writer = this.#writer
    out.reset()
    const copyStart = out.reserve(end - start)
    out.bytes.set(start === 0 && end === source.length ? source : source.subarray(start, end), copyStart)
    writer.out = out
    writer.layout = mapping.layout
    writer.places = new DocumentPlaces(source, start, end, copyStart)
    writer.current = undefined
    this.#mapping = mapping
    this.#context = context
    this.#out = out
    this.#newFields.begin(mapping, context)
    this.#nestedCount = 0
    this.#inCopyTo = false
    this.#lastField = undefined
    try {
      this.#root(copyStart, copyStart + end - start)
    } catch (error) {
      throw explainFailure(error, {
        id: context.id,
        reader: this.#reader,
        places: writer.places,
        field: writer.current,
        lastField: this.#lastField,
      })
    }
    return this.#newFields.toJson()
  }

  #root(start: number, end: number): void {
    const reader = this.#reader.reset(this.#out.bytes, start, end)
    const root = this.#mapping.layout.root
    if (reader.next() !== START_OBJECT) throw documentParsing('', 'Malformed content, must start with an object')
    if (root.enabled) this.#object(root, ROOT)
    else reader.skipChildren()
    this.#checkTimestamp()
    const extra = this.#afterEnd()
    if (extra !== undefined) throw extra
    this.#out.endDocument(ROOT)
  }

  /** Reads members up to the end of the object; the reader stands on its start. */
  #object(object: ObjectPlan, doc: number): void {
    const reader = this.#reader
    const table = object.table
    while (reader.next() !== END_OBJECT) {
      const child = table.find(reader.nameHash, reader.bytes, reader.start, reader.end)
      if (child === undefined) {
        this.#unknownName(object, doc)
        continue
      }
      this.#lastField = child.field
      const token = reader.next()
      if (child.kind === CHILD_FIELD && token !== START_ARRAY) {
        const field = child.field!
        if (token === START_OBJECT && !object.subobjects && !field.takesObjects) this.#spreadField(object, child, doc)
        else this.#writer.write(field, doc)
      } else this.#member(object, child, doc, child.name)
    }
  }

  /** The value of a known member, of any kind. `shown` is the name in complaints; values of an array have none. */
  #member(object: ObjectPlan, child: ChildPlan, doc: number, shown: string | null): void {
    const reader = this.#reader
    const token = reader.token
    if (child.kind === CHILD_FIELD) {
      const field = child.field!
      if (token === START_ARRAY && !field.takesArrays) this.#elements(object, child, doc)
      else if (token === START_OBJECT && !object.subobjects && !field.takesObjects)
        this.#spreadField(object, child, doc)
      else this.#writer.write(field, doc)
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
      throw documentParsing(this.#place(), `Cannot write to a field alias [${path}].`)
    }
    readMetadataMember(child.name, reader, this.#writer.places, this.#context.id)
  }

  #elements(object: ObjectPlan, child: ChildPlan, doc: number): void {
    const reader = this.#reader
    while (reader.next() !== END_ARRAY) this.#member(object, child, doc, null)
  }

  #inner(object: ObjectPlan, child: ChildPlan, doc: number, shown: string | null): void {
    const reader = this.#reader
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
        throw documentParsing(
          this.#place(),
          `object mapping for [${inner.path}] tried to parse field [${shown}] as object, but found a concrete value`,
        )
    }
  }

  /** An object of its own document when it is nested; the reader stands on its start. */
  #enter(object: ObjectPlan, doc: number): void {
    if (object.nestedIndex < 0) {
      this.#object(object, doc)
      return
    }
    const inner = this.#beginNested(object, doc)
    const mark = this.#out.entryCount
    this.#object(object, inner)
    this.#endNested(object, inner, doc, mark)
  }

  #beginNested(object: ObjectPlan, doc: number): number {
    const limit = this.#mapping.context.limits.nestedObjects
    if (++this.#nestedCount > limit) {
      throw documentParsing(
        this.#place(),
        `The number of nested documents has exceeded the allowed limit of [${limit}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`,
      )
    }
    return this.#out.beginNested(object.nestedIndex, doc)
  }

  #endNested(object: ObjectPlan, inner: number, parent: number, mark: number): void {
    const out = this.#out
    const toRoot = object.includeInRoot && !(object.includeInParent && parent === ROOT)
    if (object.includeInParent) this.#repeat(mark, inner, parent)
    if (toRoot) this.#repeat(mark, inner, ROOT)
    out.endDocument(inner)
  }

  /** The entries of a nested document once more, for a document around it. */
  #repeat(mark: number, from: number, to: number): void {
    const out = this.#out
    const end = out.entryCount
    for (let i = mark; i < end; i++) {
      if (out.doc[i] !== from) continue
      const schema = this.#mapping.layout.schemas[out.field[i]!]!
      out.add(schema, out.kind[i] as 1, out.a[i]!, out.b[i]!, to)
    }
  }

  /** A name the table of its object does not hold: dotted, new, or bad. */
  #unknownName(object: ObjectPlan, doc: number): void {
    const reader = this.#reader
    const name = reader.text()
    if (!object.subobjects) {
      reader.next()
      this.#spreadValue(object, name, doc)
      return
    }
    if (!name.includes('.')) {
      if (name === '') throw illegalArgument('field name cannot be an empty string')
      if (name.trim() === '') {
        throw documentParsing(this.#place(), `Field name cannot contain only whitespace: [${name}]`)
      }
      reader.next()
      this.#unknownValue(object, name, doc)
      return
    }
    this.#dotted(object, splitPath(name), 0, doc)
  }

  /** `a.b.c` is read as the objects a and b with the member c. */
  #dotted(object: ObjectPlan, parts: readonly string[], at: number, doc: number): void {
    const reader = this.#reader
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
      if (child === undefined) this.#unknownValue(object, name, doc)
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
      throw documentParsing(this.#place(), `Cannot write to a field alias [${joinPath(object.path, name)}].`)
    }
    if (child.kind === CHILD_FIELD) this.#dottedField(child.field!, parts.slice(at + 1), doc)
    else readMetadataMember(child.name, reader, this.#writer.places, this.#context.id)
  }

  #dottedInner(inner: ObjectPlan, parts: readonly string[], at: number, doc: number): void {
    if (!inner.enabled) {
      this.#reader.next()
      this.#reader.skipChildren()
      return
    }
    if (inner.nestedIndex < 0) {
      this.#dotted(inner, parts, at + 1, doc)
      return
    }
    const nested = this.#beginNested(inner, doc)
    const mark = this.#out.entryCount
    this.#dotted(inner, parts, at + 1, nested)
    this.#endNested(inner, nested, doc, mark)
  }

  /** A field where the dots say an object is. Only types that take objects can make sense of it. */
  #dottedField(field: FieldPlan, rest: readonly string[], doc: number): void {
    const reader = this.#reader
    const namePlace = this.#writer.places.at(tokenStart(reader))
    reader.next()
    if (field.takesObjects) {
      this.#asObject(field, rest, doc)
      return
    }
    let preview = valuePreview(reader)
    for (const name of [...rest].reverse()) preview = `{${name}=${preview}}`
    const cause = objectForField(field, namePlace)
    throw documentParsing(this.#place(), fieldProblem(this.#context.id, field.path, field.type, preview), cause)
  }

  /** Reads the value at the current token as if its path had been written as objects. */
  #asObject(field: FieldPlan, path: readonly string[], doc: number): void {
    const writer = this.#writer
    const reader = this.#reader
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
    const reader = this.#reader
    const name = parts[at]!
    const path = joinPath(object.path, name)
    if (object.dynamic === 'strict') throw strictDynamicMapping(this.#place(), name, object.path || '_doc')
    if (object.dynamic === 'false') {
      reader.next()
      reader.skipChildren()
      return
    }
    const inner = unknownObject(name, path, object)
    if (object.dynamic === 'true' && !this.#newFields.addObject(object, name)) {
      reader.next()
      reader.skipChildren()
      return
    }
    this.#dotted(inner, parts, at + 1, doc)
  }

  /** A member without a mapping; the reader stands on its value. */
  #unknownValue(object: ObjectPlan, name: string, doc: number): void {
    const reader = this.#reader
    const path = joinPath(object.path, name)
    if (this.#isSpokenFor(object, path)) {
      reader.skipChildren()
      return
    }
    if (object.dynamic === 'strict') throw strictDynamicMapping(this.#place(), name, object.path || '_doc')
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
        this.#newFields.addLeaf(object, name)
    }
  }

  /** A runtime field or a key of a flattened one has that path already: the value stays in the source alone. */
  #isSpokenFor(object: ObjectPlan, path: string): boolean {
    const { token } = this.#reader
    if (token !== START_OBJECT && token !== START_ARRAY && this.#mapping.definition.settings.runtime.has(path))
      return true
    return !object.subobjects && this.#mapping.field(path) !== undefined && !this.#mapping.layout.types.has(path)
  }

  #newArray(object: ObjectPlan, name: string, doc: number): void {
    const reader = this.#reader
    if (this.#newFields.addArray(object, name)) {
      reader.skipChildren()
      return
    }
    while (reader.next() !== END_ARRAY) {
      if (object.subobjects) this.#unknownValue(object, name, doc)
      else this.#spreadValue(object, name, doc)
    }
  }

  #newObjectValue(object: ObjectPlan, name: string, path: string, doc: number): void {
    const reader = this.#reader
    if (object.dynamic === 'true' && !this.#newFields.addObject(object, name)) {
      reader.skipChildren()
      return
    }
    this.#object(unknownObject(name, path, object), doc)
  }

  /** An object under `subobjects: false`: its members count with the names on the way. */
  #spread(object: ObjectPlan, prefix: string, doc: number): void {
    const reader = this.#reader
    while (reader.next() !== END_OBJECT) {
      const name = `${prefix}.${reader.text()}`
      const child = object.table.findText(name)
      reader.next()
      if (child === undefined) this.#spreadValue(object, name, doc)
      else this.#member(object, child, doc, name)
    }
  }

  /** An object where a field is mapped: its members count, the field itself gets nothing that could be copied. */
  #spreadField(object: ObjectPlan, child: ChildPlan, doc: number): void {
    this.#spread(object, child.name, doc)
    const field = child.field!
    if (field.copyTo.length > 0) throw this.#cannotCopy(field)
  }

  /** An unmapped member under `subobjects: false`; inside an object there may still be names that are known. */
  #spreadValue(object: ObjectPlan, name: string, doc: number): void {
    if (this.#reader.token !== START_OBJECT) {
      this.#unknownValue(object, name, doc)
      return
    }
    if (this.#isSpokenFor(object, joinPath(object.path, name))) {
      this.#reader.skipChildren()
      return
    }
    if (object.dynamic === 'strict') throw strictDynamicMapping(this.#place(), name, object.path || '_doc')
    this.#spread(object, name, doc)
  }

  #cannotCopy(field: FieldPlan): ApiError {
    return documentParsing(
      this.#place(),
      `Cannot copy field [${field.path}] to fields [${field.copyTo.join(', ')}]. Copy-to currently only works for value-type fields, not objects.`,
    )
  }

  #copy(plan: FieldPlan, target: string, doc: number): void {
    if (this.#inCopyTo) return
    const reader = this.#reader
    if (reader.token === END_OBJECT || reader.token === END_ARRAY) throw this.#cannotCopy(plan)
    const { layout } = this.#mapping
    const field = layout.plans.get(target)
    this.#inCopyTo = true
    if (field !== undefined) this.#writer.write(field, this.#targetDocument(target, doc))
    else if (layout.aliases.has(target)) {
      throw documentParsing(this.#place(), `Cannot copy to a field alias [${target}].`)
    } else this.#copyToUnknown(target, doc)
    this.#inCopyTo = false
  }

  /** The document of the block the target belongs to: this one or one around it. */
  #targetDocument(target: string, doc: number): number {
    const nestedPath = this.#mapping.layout.types.get(target)?.nestedPath
    const out = this.#out
    let at = doc
    while (at !== ROOT && this.#mapping.nestedPaths[out.docPath[at]!] !== nestedPath) at = out.docParent[at]!
    return at
  }

  #copyToUnknown(target: string, doc: number): void {
    let object = this.#mapping.layout.root
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
      if (object.dynamic === 'strict') throw strictDynamicMapping(this.#place(), name, object.path || '_doc')
      if (object.dynamic === 'false') return
      const path = parts.slice(0, i + 1).join('.')
      if (object.dynamic === 'true') this.#newFields.addPlainObject(object, name)
      object = unknownObject(name, path, object)
    }
    this.#unknownValue(object, parts.at(-1)!, doc)
  }

  /** A target inside what is mapped as a field: sensible only for types that take objects. */
  #copyInto(field: FieldPlan, rest: readonly string[], doc: number): void {
    if (field.takesObjects) {
      this.#asObject(field, rest, this.#targetDocument(field.path, doc))
      return
    }
    const reader = this.#reader
    const place = this.#writer.places.at(tokenStart(reader))
    const preview = [...rest].reverse().reduce((inner, name) => `{${name}=${inner}}`, valuePreview(reader))
    throw documentParsing(
      `[${place}]`,
      fieldProblem(this.#context.id, field.path, field.type, preview),
      objectForField(field, place),
    )
  }

  /** Documents of a data stream carry exactly one time. */
  #checkTimestamp(): void {
    const required = this.#context.requireTimestamp || this.#mapping.definition.settings.dataStreamTimestamp
    if (!required) return
    const schema = this.#mapping.layout.plans.get('@timestamp')?.schema
    const out = this.#out
    let count = 0
    for (let i = 0; i < out.entryCount; i++) if (out.field[i] === schema?.id && out.doc[i] === ROOT) count++
    if (count === 0) throw illegalArgument('data stream timestamp field [@timestamp] is missing')
    if (count > 1) throw illegalArgument('data stream timestamp field [@timestamp] encountered multiple values')
  }

  #afterEnd(): ApiError | undefined {
    const reader = this.#reader
    try {
      if (reader.next() === END) return undefined
      return new ExtraDataError(tokenName(reader))
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      return documentSyntaxError(this.#writer.places.diagnosis() ?? error, true)
    }
  }

  #place(): string {
    return this.#writer.places.ofToken(this.#reader)
  }
}

/** The parts of a dotted name. Dots at the end are dropped, as the server's own split does. */
function splitPath(name: string): string[] {
  const parts = name.split('.')
  while (parts.length > 0 && parts.at(-1) === '') parts.pop()
  if (parts.length === 0) throw illegalArgument('field name cannot contain only dots')
  for (const part of parts) {
    if (part === '') throw illegalArgument(`field name cannot contain only whitespace: ['${name}']`)
    if (part.trim() === '') {
      throw illegalArgument(`field name starting or ending with a [.] makes object resolution ambiguous: [${name}]`)
    }
  }
  return parts
}
