/** The fields of a set of runtime definitions: one each, or for a composite one per sub-field. */

import { createHash } from 'node:crypto'
import type { CompiledScript, ContextName } from '../painless/index.ts'
import { runningSearch } from '../running/running-search.ts'
import { decidingColumns } from '../runtime-fields/deciding-columns.ts'
import { ScriptEvaluator } from '../runtime-fields/script-evaluator.ts'
import { ValueMemo } from '../runtime-fields/value-memo.ts'
import { compile } from '../scripts/compile-script.ts'
import { docValuesType, type ScriptField, type ScriptFields } from '../scripts/doc-access.ts'
import { type Script, scriptOf } from '../scripts/script.ts'
import { scriptEnvironment } from '../scripts/script-environment.ts'
import type { RuntimeFields } from './definition/runtime-fields.ts'
import { checkDocValues } from './doc-values-access.ts'
import type { FieldType } from './field-type.ts'
import { LookupFieldType } from './lookup-field-type.ts'
import type { Mapping } from './mapping-api.ts'
import type { MappingContext } from './mapping-context.ts'
import { type RuntimeFieldType, type RuntimeValues, runtimeFieldType } from './runtime-field-type.ts'

/** Fields by name, including the runtime fields themselves. */
export type FieldLookup = (name: string) => FieldType | undefined

/** `lookup` finds the fields that scripts read. Throws script errors. */
export function runtimeTypes(
  definitions: RuntimeFields,
  context: MappingContext,
  lookup: FieldLookup,
): Map<string, FieldType> {
  const types = new Map<string, FieldType>()
  const fields = scriptFields(lookup)
  for (const [name, definition] of definitions) {
    if (definition === undefined) continue
    if (definition.type === 'lookup') {
      types.set(name, new LookupFieldType(name, definition))
      continue
    }
    const script = definition['script'] === undefined ? undefined : scriptOf(definition['script'])
    if (definition.type !== 'composite') {
      const values = script && scriptedValues(script, name, definition.type, fields)
      types.set(name, runtimeFieldType(name, definition, context, values))
      continue
    }
    for (const [subField, own] of Object.entries((definition['fields'] ?? {}) as Record<string, { type: string }>)) {
      const inner = { ...own, on_script_error: definition['on_script_error'] }
      const values = scriptedValues(script!, name, 'composite', fields, subField)
      types.set(`${name}.${subField}`, runtimeFieldType(`${name}.${subField}`, inner, context, values))
    }
  }
  return types
}

const byMapping = new WeakMap<Mapping, ScriptFields>()

/** The fields of a mapping for scripts: the same object for the same mapping. */
export function scriptFieldsOf(mapping: Mapping): ScriptFields {
  let fields = byMapping.get(mapping)
  if (fields === undefined) byMapping.set(mapping, (fields = scriptFields((name) => mapping.field(name))))
  return fields
}

function scriptFields(lookup: FieldLookup): ScriptFields {
  return {
    field: lookup,
    check: (field) => checkDocValues(field as FieldType, { name: scriptEnvironment().indexName }),
  }
}

function scriptedValues(
  script: Script,
  name: string,
  type: string,
  fields: ScriptFields,
  subField?: string,
): (owner: RuntimeFieldType) => RuntimeValues {
  const context = `${type}_field` as ContextName
  let compiled: CompiledScript | undefined
  const compiledScript = () => {
    compiled ??= compile(script, context, (field) => docValuesType(fields, field), false)
    return compiled
  }
  return (owner) => ({
    shownName: name,
    key: () => `${compiledScript().source}\n${subField ?? ''}\n${dependencies(compiledScript(), fields, name)}`,
    open: (reader, into) => {
      const compiled = compiledScript()
      const scripted = { name, type: owner, script: compiled, params: script.params, fields, subField }
      const evaluator = new ScriptEvaluator(reader, scripted, into)
      const deciding = decidingColumns(compiled, fields, reader, into.kind)
      return deciding === undefined ? evaluator : new ValueMemo(evaluator, deciding, into)
    },
  })
}

/** What the values that a script reads, or the error of reading them, depend on besides the stored ones. */
function readingOf(field: ScriptField): string {
  const { type, schema, hasDocValues, asDocValues } = field
  const derived = asDocValues === undefined ? '' : (asDocValues.schema?.name ?? 'none')
  return [type, schema?.name, hasDocValues, derived, field.decodeNumber?.(1)].join('=')
}

let unknownReads = 0
const readers = new WeakMap<ScriptFields, number>()

/** What the values depend on besides the script: fields with equal scripts and dependencies have equal values. */
export function dependencies({ traits }: CompiledScript, fields: ScriptFields, name: string): string {
  if (traits.readsUnknownFields) {
    let number = readers.get(fields)
    if (number === undefined) readers.set(fields, (number = ++unknownReads))
    return `any ${number}`
  }
  const { resolving } = runningSearch().progress
  if (resolving.includes(name)) return 'circle'
  resolving.push(name)
  try {
    const parts = traits.fields.map((field) => {
      const found = fields.field(field)
      return `${field}=${found === undefined ? undefined : readingOf(found)}`
    })
    return createHash('sha1').update(parts.join('\n')).digest('base64')
  } finally {
    resolving.pop()
  }
}
