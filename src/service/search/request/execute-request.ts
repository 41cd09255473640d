/** Parses the body of `_scripts/painless/_execute`. */
import { ApiError, validationFailed, xContentParse } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { parseQuery } from '../../../engine/query/parse-query.ts'
import { ACCEPTS_OBJECT, ACCEPTS_STRING, RequestReader } from '../../../engine/request/request-reader.ts'
import { readScript } from '../../../engine/request/script.ts'
import type { Query } from '../../../engine/scoring/query.ts'
import type { Script } from '../../../engine/scripts/script.ts'

export interface ExecuteRequest {
  readonly script: Script
  readonly context: string
  readonly setup: ExecuteSetup | undefined
}

/** The environment of the script. */
export interface ExecuteSetup {
  readonly index: string | undefined
  /** JSON of a document. */
  readonly document: Uint8Array | undefined
  /** The query that computes `_score`. */
  readonly query: Query | undefined
}

/** Contexts in which a script can be executed, besides the one without a document. */
export const EXECUTE_CONTEXTS: ReadonlySet<string> = new Set([
  'filter',
  'score',
  ...['keyword', 'long', 'double', 'date', 'boolean', 'ip', 'geo_point', 'composite'].map((type) => `${type}_field`),
])

export function parseExecuteRequest(bytes: Uint8Array): ExecuteRequest {
  const reader = new RequestReader(bytes)
  reader.next()
  let script: Script | undefined
  let context = 'painless_test'
  let setup: ExecuteSetup | undefined
  const build = () => {
    if (context === 'painless_test' || EXECUTE_CONTEXTS.has(context)) return
    const cause = new ApiError(400, 'unsupported_operation_exception', `unsupported script context name [${context}]`)
    const reason = 'Failed to build [painless_execute_request] after last required field arrived'
    throw xContentParse(reason, { causedBy: cause })
  }
  reader.parseObject('painless_execute_request', {
    script: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        script = readScript(reader)
      },
    },
    context: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        context = reader.text()
      },
    },
    context_setup: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        setup = readSetup(reader)
        if (script !== undefined) build()
      },
    },
  })
  if (script === undefined) throw requiredMember('script')
  build()
  return { script, context, setup }
}

function readSetup(reader: RequestReader): ExecuteSetup {
  let index: string | undefined
  let document: Uint8Array | undefined
  let query: Query | undefined
  reader.parseObject('execute_script_context', {
    index: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        index = reader.text()
      },
    },
    document: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        document = encodeJson(reader.decimalValue())
      },
    },
    query: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        query = parseQuery(reader)
      },
    },
  })
  return { index, document, query }
}

/** Rejects a request that lacks something its context requires. */
export function checkExecuteRequest({ script, context, setup }: ExecuteRequest): void {
  const problems: string[] = []
  if (script.id !== undefined) problems.push('only inline scripts are supported')
  if (context !== 'painless_test') {
    if (setup === undefined) {
      throw new ApiError(500, 'null_pointer_exception', 'Cannot read field "index" because "this.contextSetup" is null')
    }
    if (setup.index === undefined) problems.push('index is a required parameter for current context')
    if (setup.document === undefined) problems.push('document is a required parameter for current context')
  }
  if (problems.length > 0) throw validationFailed(...problems)
}
