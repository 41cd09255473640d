/** `_analyze`: finds the index and its analyzers and parses the body; the engine produces the tokens. */
import { type ApiError, illegalArgument, illegalRequestState, parseFailure } from '../../base/api-error.ts'
import { fieldNeedsIndex } from '../../base/errors/analysis-errors.ts'
import { FALSE, type JsonToken, START_ARRAY, START_OBJECT, STRING, TRUE } from '../../base/json/json-reader.ts'
import {
  type AnalyzeIndex,
  type AnalyzeRequest,
  analyzeRequest,
  type NameOrDefinition,
} from '../../engine/analysis/analyze-request.ts'
import { type MemberParser, RequestReader } from '../../engine/request/request-reader.ts'
import { hashOrder, javaText } from '../../engine/values/java-text.ts'
import { checkBlocks } from '../catalog/blocks.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { SINGLE_INDEX } from '../names/indices-options.ts'
import { flattenSettings, loadSettings } from '../settings/flat-settings.ts'

export class AnalyzeService {
  readonly #context: IndexContext

  constructor(context: IndexContext) {
    this.#context = context
  }

  analyze(expression: string | undefined, request: AnalyzeRequest): unknown {
    if (expression === undefined) {
      if (request.field !== undefined) throw fieldNeedsIndex()
      return analyzeRequest(request)
    }
    const index = resolverOf(this.#context).singleIndex(expression, SINGLE_INDEX)
    checkBlocks([index], 'read')
    return analyzeRequest(request, this.#analyzers(index))
  }

  #analyzers(index: IndexMetadata): AnalyzeIndex {
    const registry = this.#context.mappings.analysis(index)
    const mapping = this.#context.mappings.of(index)
    return {
      registry,
      field: (name) => {
        const type = mapping.field(name)
        if (type === undefined) return undefined
        if (type.shape === 'text') {
          const analyzer = registry.analyzer(type.analyzerName ?? 'default')
          return type.schema === undefined ? analyzer : analyzer?.withGap(type.schema.positionGap)
        }
        if (type.traits.hasWords !== true || type.isRuntime === true) return 'none'
        const [definition] = Object.values(mapping.fieldMappingJson(type.name, false) ?? {})
        const normalizer = (definition as JsonObject | undefined)?.['normalizer']
        return typeof normalizer === 'string' ? registry.normalizer(normalizer) : 'keyword'
      },
    }
  }
}

type Draft = { -readonly [K in keyof AnalyzeRequest]: AnalyzeRequest[K] }

const TEXT: readonly JsonToken[] = [STRING]
const TEXTS: readonly JsonToken[] = [STRING, START_ARRAY]
const PART: readonly JsonToken[] = [STRING, START_OBJECT]

export function parseAnalyzeRequest(body: Uint8Array): AnalyzeRequest {
  if (body.length === 0) throw parseFailure('request body or source parameter is required')
  const reader = new RequestReader(body)
  const draft: Draft = { text: [] }
  reader.parseObject('analyze_request', {
    text: member(TEXTS, () => (draft.text = readTexts(reader))),
    analyzer: member(TEXT, () => (draft.analyzer = reader.text())),
    field: member(TEXT, () => (draft.field = reader.text())),
    tokenizer: member(PART, () => (draft.tokenizer = readPart(reader))),
    filter: member([START_ARRAY, START_OBJECT], () => (draft.filter = readParts(reader))),
    char_filter: member([START_ARRAY, START_OBJECT], () => (draft.charFilter = readParts(reader))),
    normalizer: member(TEXT, () => (draft.normalizer = reader.text())),
    explain: member([TRUE, FALSE, STRING], () => (draft.explain = reader.boolean())),
    attributes: member(TEXTS, () => (draft.attributes = readTexts(reader))),
  })
  return draft
}

const member = (accepts: readonly JsonToken[], parse: () => void): MemberParser => ({ accepts, parse })

function readTexts(reader: RequestReader): string[] {
  const texts: string[] = []
  reader.each(() => {
    if (reader.token === START_ARRAY) throw illegalRequestState(`expected value but got [${reader.tokenName}]`)
    texts.push(reader.text())
  })
  return texts
}

function readPart(reader: RequestReader): NameOrDefinition {
  if (reader.token !== START_OBJECT) return reader.text()
  const definition = reader.value() as Record<string, unknown>
  const shown = Object.fromEntries(hashOrder(Object.keys(definition)).map((key) => [key, definition[key]]))
  try {
    loadSettings(shown, flattenSettings)
  } catch (error) {
    throw illegalArgument(`Failed to parse [${javaText(shown)}]`, error as ApiError)
  }
  return definition
}

function readParts(reader: RequestReader): NameOrDefinition[] {
  const parts: NameOrDefinition[] = []
  reader.each(() => {
    if (reader.token === START_ARRAY) throw illegalRequestState(`expected value but got [${reader.tokenName}]`)
    if (!PART.includes(reader.token)) {
      throw reader.contentError(`Expected [VALUE_STRING] or [START_OBJECT], got ${reader.tokenName}`)
    }
    parts.push(readPart(reader))
  })
  return parts
}
