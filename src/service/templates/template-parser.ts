/** Parses the bodies of composable and component templates, with Elasticsearch's error positions. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { notCompressedContent } from '../../base/errors/value-errors.ts'
import {
  DECIMAL,
  FALSE,
  INTEGER,
  type JsonToken,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../base/json/json-reader.ts'
import { type MemberParser, RequestReader } from '../../engine/request/request-reader.ts'
import { parseTemplateAliases } from '../definitions/alias-parser.ts'
import { nullSettings, parseSettings } from '../definitions/create-index-request.ts'
import { parseStreamLifecycle } from '../definitions/stream-lifecycle.ts'
import type { ComponentTemplate, IndexTemplate, JsonObject, TemplateContent } from '../metadata/metadata.ts'
import { isObject } from '../settings/flat-settings.ts'
import { readStreamOptions } from './stream-options-parser.ts'

type Draft<T> = { -readonly [K in keyof T]?: T[K] | undefined }

const OBJECT: readonly JsonToken[] = [START_OBJECT]
const OBJECT_OR_NULL: readonly JsonToken[] = [START_OBJECT, NULL]
const ANY: readonly JsonToken[] = [START_OBJECT, START_ARRAY, STRING, INTEGER, DECIMAL, TRUE, FALSE, NULL]
const STRINGS: readonly JsonToken[] = [START_ARRAY, STRING]
const NUMBER: readonly JsonToken[] = [INTEGER, DECIMAL, STRING]
const FLAG: readonly JsonToken[] = [TRUE, FALSE, STRING]

export function parseIndexTemplate(body: Uint8Array): IndexTemplate {
  const reader = new RequestReader(body)
  const draft: Draft<IndexTemplate> = {}
  reader.parseObject('index_template', {
    index_patterns: set(STRINGS, () => (draft.patterns = readStrings(reader))),
    template: set(OBJECT, () => (draft.template = readContent(reader))),
    composed_of: set(STRINGS, () => (draft.composedOf = readStrings(reader))),
    ignore_missing_component_templates: set(STRINGS, () => (draft.ignoreMissing = readStrings(reader))),
    priority: set(NUMBER, () => (draft.priority = reader.long())),
    version: set(NUMBER, () => (draft.version = reader.long())),
    _meta: set(OBJECT, () => (draft.meta = reader.value() as JsonObject)),
    data_stream: set(OBJECT, () => (draft.dataStream = readDataStream(reader))),
    allow_auto_create: set(FLAG, () => (draft.allowAutoCreate = reader.boolean())),
    deprecated: set(FLAG, () => (draft.deprecated = reader.boolean())),
  })
  if (draft.patterns === undefined) throw illegalArgument('Required [index_patterns]')
  return { composedOf: [], ...withoutUndefined(draft) } as unknown as IndexTemplate
}

export function parseComponentTemplate(body: Uint8Array): ComponentTemplate {
  const reader = new RequestReader(body)
  const draft: Draft<ComponentTemplate> = {}
  reader.parseObject('component_template', {
    template: set(OBJECT, () => (draft.template = readContent(reader))),
    version: set(NUMBER, () => (draft.version = reader.long())),
    _meta: set(OBJECT, () => (draft.meta = reader.value() as JsonObject)),
    deprecated: set(FLAG, () => (draft.deprecated = reader.boolean())),
  })
  if (draft.template === undefined) throw illegalArgument('Required [template]')
  return withoutUndefined(draft) as unknown as ComponentTemplate
}

function readContent(reader: RequestReader): TemplateContent {
  const draft: Draft<TemplateContent> = {}
  reader.parseObject('template', {
    settings: set(OBJECT, () => {
      const given = reader.value()
      draft.settings = parseSettings(given)
      const unset = nullSettings(given)
      if (unset.length > 0) draft.unset = unset
    }),
    mappings: set(ANY, () => (draft.mappings = readMapping(reader.tokenName, reader.value()))),
    aliases: set(OBJECT, () => (draft.aliases = parseTemplateAliases(reader.value() as JsonObject))),
    lifecycle: set(OBJECT, () => (draft.lifecycle = readLifecycle(reader.value() as JsonObject))),
    data_stream_options: set(OBJECT_OR_NULL, () => (draft.dataStreamOptions = readStreamOptions(reader))),
  })
  return withoutUndefined(draft)
}

function readLifecycle(lifecycle: JsonObject): JsonObject {
  parseStreamLifecycle(lifecycle)
  return lifecycle
}

/** Templates still accept the type level, which newer ones omit. */
function readMapping(token: string, value: unknown): JsonObject {
  if (typeof value === 'string') throw notCompressedContent(value)
  if (!isObject(value)) throw illegalArgument(`Unexpected token: ${token}`)
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0] === '_doc' ? (value['_doc'] as JsonObject) : value
}

function readDataStream(reader: RequestReader): { hidden: boolean; allowCustomRouting: boolean } {
  const found = { hidden: false, allowCustomRouting: false }
  reader.parseObject('data_stream_template', {
    hidden: set(FLAG, () => (found.hidden = reader.boolean())),
    allow_custom_routing: set(FLAG, () => (found.allowCustomRouting = reader.boolean())),
  })
  return found
}

const set = (accepts: readonly JsonToken[], parse: () => void): MemberParser => ({ accepts, parse })

function readStrings(reader: RequestReader): string[] {
  const found: string[] = []
  reader.each(() => {
    if (reader.token === START_ARRAY) {
      throw new ApiError(400, 'illegal_state_exception', `expected value but got [${reader.tokenName}]`)
    }
    found.push(reader.text())
  })
  return found
}

const withoutUndefined = (draft: object): Record<string, never> =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as Record<string, never>
