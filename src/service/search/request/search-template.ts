/** Search templates: a request names or contains a template with parameters, and gets the rendered search. */
import { ApiError, parseFailure, validationFailed } from '../../../base/api-error.ts'
import { storedScriptMissing } from '../../../base/errors/script-errors.ts'
import { JsonReader, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { type Template, type TemplateParameters, TemplateTooLarge } from '../../../base/mustache/mustache.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_OBJECT,
  ACCEPTS_STRING,
  RequestReader,
} from '../../../engine/request/request-reader.ts'
import { compileTemplate, type StoredScripts } from '../../scripts/stored-scripts.ts'

export interface TemplateRequest {
  /** The id of a stored template, unless the request contains its own. */
  readonly id: string | undefined
  readonly source: string | undefined
  readonly params: TemplateParameters
  readonly explain: boolean
  readonly profile: boolean
}

/** An `id` in the path takes precedence over one in the body. */
export function parseTemplateRequest(body: Uint8Array, pathId?: string): TemplateRequest {
  if (body.length === 0) {
    if (pathId === undefined) throw parseFailure('request body or source parameter is required')
    return { id: pathId, source: undefined, params: {}, explain: false, profile: false }
  }
  const reader = new RequestReader(body)
  let id: string | undefined
  let source: string | undefined
  let params: TemplateParameters = {}
  let explain = false
  let profile = false
  reader.next()
  reader.parseObject('search_template', {
    id: { accepts: ACCEPTS_STRING, parse: () => (id = reader.text()) },
    source: {
      accepts: [STRING, START_OBJECT],
      parse: () => {
        source = reader.is(START_OBJECT) ? Buffer.from(encodeJson(reader.value())).toString() : reader.text()
      },
    },
    params: { accepts: ACCEPTS_OBJECT, parse: () => (params = reader.value() as TemplateParameters) },
    explain: { accepts: ACCEPTS_BOOLEAN, parse: () => (explain = reader.boolean()) },
    profile: { accepts: ACCEPTS_BOOLEAN, parse: () => (profile = reader.boolean()) },
  })
  if (pathId === undefined && id === undefined && source === undefined) throw validationFailed('template is missing')
  return { id: pathId ?? id, source: pathId === undefined ? source : undefined, params, explain, profile }
}

/** The rendered search body, with the options that the request sets besides it. */
export function searchOf(scripts: StoredScripts, template: TemplateRequest): Uint8Array {
  const bytes = Buffer.from(renderTemplate(scripts, template))
  if (!template.explain && !template.profile) return bytes
  const reader = new JsonReader().reset(bytes)
  // A body that is not an object is reported by the parser of the search.
  if (reader.next() !== START_OBJECT) return bytes
  const body = reader.value() as Record<string, unknown>
  if (template.explain) body['explain'] = true
  if (template.profile) body['profile'] = true
  return encodeJson(body)
}

/** The rendered search as text, which may not be JSON. */
export function renderTemplate(scripts: StoredScripts, { id, source, params }: TemplateRequest): string {
  if (source !== undefined) return render(compileTemplate(source), params)
  const stored = scripts.get(id!)
  if (stored === undefined) {
    throw storedScriptMissing(id)
  }
  return render(compileTemplate(stored.source, stored.options?.['content_type']), params)
}

function render(template: Template, params: TemplateParameters): string {
  try {
    return template.render(params)
  } catch (error) {
    if (!(error instanceof TemplateTooLarge)) throw error
    throw new ApiError(400, 'general_script_exception', 'Mustache script result size limit exceeded', {
      causedBy: new ApiError(400, 'size_limit_exceeded_exception', error.message),
    })
  }
}
