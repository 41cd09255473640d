/**
 * The `fields` option: values of `_source`, read through the mapping.
 *
 * A field has its name in the index (including multi-fields and aliases), its values come from its path in the source,
 * and each is printed in the form of its type. Nested objects keep their structure: their fields are grouped under the
 * path, object by object.
 */

import { ApiError } from '../../../base/api-error.ts'
import { fetchFailed, queryShardError } from '../../../base/errors/search-errors.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { newMembers } from '../../../base/json/members.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { LookupFieldType } from '../../mapping/lookup-field-type.ts'
import type { Mapping } from '../../mapping/mapping-api.ts'
import { RuntimeFieldType } from '../../mapping/runtime-field-type.ts'
import { isObject, type SourceObject, valueFor, valuesAt } from '../../mapping/source/source-values.ts'
import type { FieldAndFormat } from '../../request/fields.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { javaText } from '../../values/java-text.ts'
import { sourcePathsOf } from './field-values.ts'
import type { LookupValue } from './lookup-value.ts'
import { UnmappedValues } from './unmapped-values.ts'

export interface FetchedFields {
  readonly values: Record<string, unknown[]>
  /** Values that the index ignored (malformed, too long), as in the document. */
  readonly ignored: Record<string, unknown[]>
  /** The documents whose fields are the values of `lookup` fields. */
  readonly lookups?: Readonly<Record<string, readonly LookupValue[]>> | undefined
}

interface FetchedField {
  readonly name: string
  readonly type: FieldType
  readonly format: string | undefined
  readonly sourcePaths: readonly string[]
}

/** Fields of the root or of one nested path, and the nested paths directly below. */
interface Scope {
  readonly fields: FetchedField[]
  readonly names: Set<string>
  readonly nested: Map<string, Scope>
}

export class FieldFetcher {
  readonly #scope: Scope
  readonly #runtime: { name: string; type: RuntimeFieldType; format: string | undefined; ofMapping: boolean }[] = []
  readonly #lookups: { type: LookupFieldType; input: FieldFetcher }[] = []
  readonly #mapping: Mapping
  readonly #unmapped: UnmappedValues | undefined
  readonly #computed = new Set<string>()

  /** `index` is named in errors. */
  constructor(mapping: Mapping, specs: readonly FieldAndFormat[], index?: SearchExecutionContext['index']) {
    this.#mapping = mapping
    this.#scope = newScope()
    const unmapped = specs.filter((spec) => spec.includeUnmapped).map((spec) => spec.field)
    this.#unmapped = unmapped.length === 0 ? undefined : new UnmappedValues(unmapped)
    const wanted = new Map<string, FetchedField>()
    for (const spec of specs) {
      for (const name of matchingNames(mapping, spec.field)) {
        const type = mapping.field(name)!
        checkFormat(type, spec)
        // The last entry that names a field determines its format.
        wanted.set(name, { name, type, format: spec.format, sourcePaths: sourcePathsOf(mapping, type) })
      }
    }
    // Nested objects are searched for unmapped fields, even if none of their own is requested.
    if (this.#unmapped !== undefined) for (const path of mapping.nestedPaths) this.#scopeOf(path)
    for (const field of wanted.values()) {
      const { name, type, format } = field
      // A script of the mapping is run once more: its values are in no source.
      const computed = type.scriptedAs ?? type
      if (computed instanceof LookupFieldType || computed instanceof RuntimeFieldType) this.#computed.add(name)
      if (computed instanceof LookupFieldType)
        this.#lookups.push({ type: computed, input: this.#inputOf(computed, index) })
      else if (computed instanceof RuntimeFieldType) {
        this.#runtime.push({ name, type: computed, format, ofMapping: computed !== type })
      } else addField(this.#scopeOf(type.nestedPath), field)
    }
  }

  /** `source` is undefined if the index stores none; runtime fields then have the values their scripts compute. */
  fetch(source: SourceObject | undefined, reader: SegmentReader, doc: number): FetchedFields {
    const result: FetchedFields = { values: newMembers(), ignored: newMembers() }
    for (const { name, type, format, ofMapping } of this.#runtime) {
      const values = type.fetch(reader, doc, format, ofMapping)
      if (values.length > 0) result.values[name] = values
    }
    if (source !== undefined) this.#fetchScope(this.#scope, source, '', result)
    if (this.#lookups.length === 0) return result
    return { ...result, lookups: this.#lookedUp(source, reader, doc) }
  }

  #inputOf({ inputField }: LookupFieldType, index: SearchExecutionContext['index'] | undefined): FieldFetcher {
    if (index !== undefined && this.#mapping.field(inputField) === undefined) {
      throw queryShardError(index, `No field mapping can be found for the field with name [${inputField}]`)
    }
    return new FieldFetcher(this.#mapping, [{ field: inputField, format: undefined, includeUnmapped: false }])
  }

  #lookedUp(source: SourceObject | undefined, reader: SegmentReader, doc: number) {
    const found: Record<string, readonly LookupValue[]> = newMembers()
    for (const { type, input } of this.#lookups) {
      const { name, inputField, targetIndex, targetField, fetchFields } = type
      const values = input.fetch(source, reader, doc).values[inputField]
      if (values === undefined || values.length === 0) continue
      found[name] = values.map((value) => ({ targetIndex, targetField, value: javaText(value), fetchFields }))
    }
    return { ...found }
  }

  /** `prefix` is the nested path of the source object: paths inside it are relative. */
  #fetchScope(scope: Scope, source: SourceObject, prefix: string, result: FetchedFields): void {
    const relative = (path: string) => (prefix === '' ? path : path.slice(prefix.length + 1))
    for (const field of scope.fields) {
      const values: unknown[] = []
      const ignored: unknown[] = []
      for (const path of field.sourcePaths) {
        for (const raw of valuesAt(source, relative(path))) addValues(field, raw, values, ignored)
      }
      if (values.length > 0) result.values[relative(field.name)] = values
      if (ignored.length > 0 && reportsIgnored(field.type)) result.ignored[relative(field.name)] = ignored
    }
    for (const [path, inner] of scope.nested) {
      const objects: Record<string, unknown[]>[] = []
      for (const raw of valuesAt(source, relative(path))) {
        for (const element of Array.isArray(raw) ? raw : [raw]) {
          if (!isObject(element)) continue
          const entry: FetchedFields = { values: newMembers(), ignored: newMembers() }
          this.#fetchScope(inner, element, path, entry)
          if (Object.keys(entry.values).length > 0) objects.push({ ...entry.values })
        }
      }
      if (objects.length > 0) result.values[relative(path)] = objects
    }
    const known = (path: string) => scope.names.has(path) || (prefix === '' && this.#computed.has(path))
    this.#unmapped?.addTo(result.values, source, prefix, (path) => known(path) || scope.nested.has(path))
  }

  #scopeOf(nestedPath: string | undefined): Scope {
    let scope = this.#scope
    if (nestedPath === undefined) return scope
    for (const path of this.#mapping.nestedPaths.filter((path) => isInside(nestedPath, path)).sort(byLength)) {
      let inner = scope.nested.get(path)
      if (inner === undefined) scope.nested.set(path, (inner = newScope()))
      scope = inner
    }
    return scope
  }
}

function newScope(): Scope {
  return { fields: [], names: new Set(), nested: new Map() }
}

function addField(scope: Scope, field: FetchedField): void {
  scope.fields.push(field)
  scope.names.add(field.name)
}

const isInside = (path: string, outer: string) => path === outer || path.startsWith(`${outer}.`)
const byLength = (a: string, b: string) => a.length - b.length

function matchingNames(mapping: Mapping, pattern: string): string[] {
  if (!pattern.includes('*')) return mapping.field(pattern) === undefined ? [] : [pattern]
  const matches = namePattern(pattern)
  return [...mapping.fieldNames()].filter((name) => matches(name))
}

function checkFormat(type: FieldType, spec: FieldAndFormat): void {
  if (spec.format === undefined) return
  try {
    type.formatSourceValue(null, spec.format)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw fetchFailed(type.name, error)
  }
}

/** Points that cannot be parsed are not reported, and values of internal fields were never given. */
function reportsIgnored(type: FieldType): boolean {
  return type.shape !== 'geo' && !type.isInternal
}

function addValues(field: FetchedField, raw: unknown, values: unknown[], ignored: unknown[]): void {
  // [lon, lat] is one point, an array of anything else is several.
  const isPoint = field.type.shape === 'geo' && Array.isArray(raw) && isNumber(raw[0])
  if (Array.isArray(raw) && !isPoint) {
    for (const element of raw) addValues(field, element, values, ignored)
    return
  }
  try {
    const value = field.type.formatSourceValue(valueFor(field.type, raw), field.format)
    if (value !== undefined) values.push(value)
    else if (raw !== null) ignored.push(raw)
  } catch (error) {
    // A value that does not parse was ignored during indexing too.
    if (!(error instanceof ApiError)) throw error
    ignored.push(raw)
  }
}

const isNumber = (value: unknown) => typeof value === 'number' || value instanceof Double
