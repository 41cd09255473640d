/** Parses the body of `_field_caps`: fields, and a filter for indices. */
import { START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { parseRuntimeFields, type RuntimeFields } from '../../../engine/mapping/definition/runtime-fields.ts'
import { notRemovable } from '../../../engine/mapping/runtime-overlay.ts'
import { parseQuery } from '../../../engine/query/parse-query.ts'
import { RequestReader } from '../../../engine/request/request-reader.ts'
import type { Query } from '../../../engine/scoring/query.ts'

export interface FieldCapsBody {
  readonly fields: readonly string[] | undefined
  readonly indexFilter: Query | undefined
  /** Checked after everything else, by the shards in Elasticsearch. */
  readonly runtimeMappings: unknown
}

export function parseFieldCapsBody(bytes: Uint8Array): FieldCapsBody {
  let fields: string[] | undefined
  let indexFilter: Query | undefined
  let runtimeMappings: unknown = {}
  if (bytes.length === 0) return { fields, indexFilter, runtimeMappings }
  const reader = new RequestReader(bytes)
  reader.parseObject('field_caps_request', {
    fields: {
      accepts: [STRING, START_ARRAY],
      parse: () => {
        const names: string[] = []
        reader.each(() => names.push(reader.text()))
        fields = names
      },
    },
    index_filter: {
      accepts: [START_OBJECT],
      parse: () => {
        indexFilter = parseQuery(reader)
      },
    },
    runtime_mappings: {
      accepts: [START_OBJECT],
      parse: () => {
        runtimeMappings = reader.value()
      },
    },
  })
  return { fields, indexFilter, runtimeMappings }
}

/** The runtime fields of the request. They add fields and cannot remove any. */
export function runtimeFieldsOf({ runtimeMappings }: FieldCapsBody): RuntimeFields {
  const fields = parseRuntimeFields(runtimeMappings)
  for (const [name, definition] of fields) if (definition === undefined) throw notRemovable(name)
  return fields
}
