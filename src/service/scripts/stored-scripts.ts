/** `_scripts`: stored scripts and search templates. */
import { ApiError, illegalArgument, resourceNotFound } from '../../base/api-error.ts'
import { illegalCompilerOptions } from '../../base/errors/script-errors.ts'
import { END_OBJECT, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { searchTemplateStyle, Template } from '../../base/mustache/mustache.ts'
import { MustacheError } from '../../base/mustache/mustache-parser.ts'
import { isContextName } from '../../engine/painless/index.ts'
import {
  ACCEPTS_OBJECT,
  ACCEPTS_STRING,
  type MemberParser,
  RequestReader,
} from '../../engine/request/request-reader.ts'
import { checkScriptSize, compile } from '../../engine/scripts/compile-script.ts'
import { inlineScript } from '../../engine/scripts/script.ts'
import { withScripts } from '../../engine/scripts/script-environment.ts'
import type { StoredScript } from '../metadata/metadata.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { clusterScripts } from './script-environment.ts'

/** The option that marks a source given as an object. */
const JSON_TYPE = 'application/json;charset=utf-8'

export function parseStoredScript(body: Uint8Array): StoredScript {
  const reader = new RequestReader(body)
  reader.next()
  reader.next()
  if (reader.tokenName === 'END_OBJECT') throw reader.parsingError('unexpected token [END_OBJECT, expected [script]')
  if (reader.name !== 'script') throw reader.parsingError(`unexpected field [${reader.name}], expected [script]`)
  reader.next()
  if (!reader.is(START_OBJECT)) {
    throw reader.parsingError(`unexpected token [${reader.tokenName}], expected [{, <source>]`)
  }
  let lang: string | undefined
  let source: string | undefined
  let options: Record<string, string> = {}
  const members: Record<string, MemberParser> = {
    lang: { accepts: ACCEPTS_STRING, parse: () => (lang = reader.text()) },
    source: {
      accepts: [STRING, START_OBJECT],
      parse: () => {
        if (reader.is(START_OBJECT)) {
          source = Buffer.from(encodeJson(reader.value())).toString()
          options['content_type'] = JSON_TYPE
        } else {
          source = reader.text()
        }
      },
    },
    options: { accepts: ACCEPTS_OBJECT, parse: () => (options = { ...options, ...readOptions(reader) }) },
  }
  // Other members are ignored, as in Elasticsearch.
  while (reader.next() !== END_OBJECT) {
    const { name } = reader
    reader.next()
    const member = Object.hasOwn(members, name) ? members[name] : undefined
    if (member === undefined) reader.skipChildren()
    else if (member.accepts.includes(reader.token)) member.parse()
    else {
      throw reader.contentError(`[stored script source] ${name} doesn't support values of type: ${reader.tokenName}`)
    }
  }
  if (lang === undefined) throw illegalArgument('must specify lang for stored script')
  if (source === undefined) throw illegalArgument('must specify source for stored script')
  if (source === '' && lang !== 'mustache') throw illegalArgument('source cannot be empty')
  const unknown = Object.entries(options).filter(([name]) => name !== 'content_type')
  if (unknown.length > 0) throw illegalCompilerOptions(unknown)
  return { lang, source, ...(Object.keys(options).length > 0 ? { options } : {}) }
}

function readOptions(reader: RequestReader): Record<string, string> {
  const given = reader.value() as Record<string, unknown>
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
}

export class StoredScripts {
  readonly #store: MetadataStore

  constructor(store: MetadataStore) {
    this.#store = store
  }

  get(id: string): StoredScript | undefined {
    return this.#store.state.sections.storedScripts.get(id)
  }

  /**
   * `context` is the script context, if given; the script is then compiled for it. `bytes` is the size of the request's
   * body.
   */
  async put(id: string, script: StoredScript, context: string | undefined, bytes: number): Promise<void> {
    if (id.includes('#')) throw illegalArgument("Validation Failed: 1: id cannot contain '#' for stored script;")
    if (script.lang === 'mustache') compileTemplate(script.source, script.options?.['content_type'])
    else if (script.lang !== 'painless') {
      throw illegalArgument(`unable to put stored script with unsupported lang [${script.lang}]`)
    } else this.#check(id, script, context, bytes)
    await this.#store.update(() => [{ section: 'storedScripts', name: id, value: script }])
  }

  #check(id: string, { source }: StoredScript, context: string | undefined, bytes: number): void {
    const environment = clusterScripts(this.#store, '')
    checkScriptSize(environment.settings, { type: 'stored', name: id }, bytes)
    if (context === undefined) return
    const isKnown = isContextName(context)
    // Runtime fields only have scripts of their own.
    if (!isKnown || context.endsWith('_field')) {
      const cause = illegalArgument(
        isKnown ? `cannot store a script for context [${context}]` : `Unknown context [${context}]`,
      )
      throw illegalArgument(`failed to parse/compile stored script [${id}]`, cause)
    }
    withScripts(environment, () => compile(inlineScript(source), context))
  }

  async delete(id: string): Promise<void> {
    if (this.get(id) === undefined) {
      const reason = `stored script [${id}] does not exist and cannot be deleted`
      throw resourceNotFound(reason)
    }
    await this.#store.update(() => [{ section: 'storedScripts', name: id, value: undefined }])
  }
}

/** Throws Elasticsearch's error for a malformed template. */
export function compileTemplate(source: string, contentType?: string): Template {
  try {
    return new Template(source, searchTemplateStyle(contentType))
  } catch (error) {
    if (!(error instanceof MustacheError)) throw error
    throw new ApiError(400, 'script_exception', error.message, {
      details: { script_stack: [], script: source, lang: 'mustache' },
      causedBy: new ApiError(400, 'mustache_exception', error.message),
    })
  }
}
