/** Parses `data_stream_options` of templates. Members that are null remove the value of the layers below. */

import { xContentParse } from '../../base/api-error.ts'
import { FALSE, type JsonToken, NULL, START_OBJECT, STRING, TRUE } from '../../base/json/json-reader.ts'
import { newMembers } from '../../base/json/members.ts'
import type { RequestReader } from '../../engine/request/request-reader.ts'
import { nothingConfigured, parseFailuresLifecycle } from '../definitions/failure-store.ts'
import type { JsonObject } from '../metadata/metadata.ts'

const OBJECT_OR_NULL: readonly JsonToken[] = [START_OBJECT, NULL]
const FLAG_OR_NULL: readonly JsonToken[] = [TRUE, FALSE, STRING, NULL]

export function readStreamOptions(reader: RequestReader): JsonObject | null {
  if (reader.is(NULL)) return null
  const options: JsonObject = newMembers()
  reader.parseObject('data_stream_options_template', {
    failure_store: { accepts: OBJECT_OR_NULL, parse: () => void (options['failure_store'] = readStore(reader)) },
  })
  return { ...options }
}

function readStore(reader: RequestReader): JsonObject | null {
  if (reader.is(NULL)) return null
  const store: JsonObject = newMembers()
  reader.parseObject('failure_store_template', {
    enabled: {
      accepts: FLAG_OR_NULL,
      parse: () => void (store['enabled'] = reader.is(NULL) ? null : reader.boolean()),
    },
    lifecycle: {
      accepts: OBJECT_OR_NULL,
      parse: () => void (store['lifecycle'] = reader.is(NULL) ? null : readLifecycle(reader)),
    },
  })
  if (Object.keys(store).length > 0) return { ...store }
  throw xContentParse('Failed to build [failure_store_template] after last required field arrived', {
    causedBy: nothingConfigured(),
  })
}

function readLifecycle(reader: RequestReader): JsonObject {
  const lifecycle = reader.value() as JsonObject
  parseFailuresLifecycle(lifecycle)
  return { enabled: true, ...lifecycle }
}
