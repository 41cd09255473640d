/** Rewrites the bodies of Elasticsearch 7 clients: removes document types, and renames options. */
import { illegalArgument } from '../../base/api-error.ts'

type Json = Record<string, unknown>

export interface RewrittenBody {
  readonly body: Buffer
  readonly warnings: readonly string[]
}

const LINE_END = 0x0a

const typesIn = (what: string) => `[types removal] Specifying types in ${what} requests is deprecated.`

/** Removes `_type` from the actions of a bulk request. */
export function bulkBody(body: Buffer): RewrittenBody {
  if (!body.includes('"_type"')) return { body, warnings: [] }
  let typed = false
  const lines: Buffer[] = []
  let isAction = true
  for (const line of linesOf(body)) {
    const action: Json | undefined = isAction && line.length > 1 ? parsed(line) : undefined
    if (action === undefined) {
      lines.push(line)
      isAction = true
      continue
    }
    const [kind, meta]: [string?, unknown?] = Object.entries(action)[0] ?? []
    isAction = kind === 'delete'
    if (!isObject(meta) || !('_type' in meta)) lines.push(line)
    else {
      typed = true
      lines.push(Buffer.from(`${JSON.stringify({ [kind!]: without(meta, '_type') })}\n`))
    }
  }
  return { body: Buffer.concat(lines), warnings: typed ? [typesIn('bulk')] : [] }
}

/** Removes `type` and `types` from the headers of a multi search. */
export function multiSearchBody(body: Buffer): RewrittenBody {
  let typed = false
  const lines = linesOf(body).map((line, i) => {
    const header = i % 2 === 0 && line.includes('"type') ? parsed(line) : undefined
    if (header === undefined || !('type' in header || 'types' in header)) return line
    typed = true
    return Buffer.from(`${JSON.stringify(without(header, 'type', 'types'))}\n`)
  })
  return { body: Buffer.concat(lines), warnings: typed ? [typesIn('multi search template')] : [] }
}

/** Removes `_type` from the documents of `_mget` and `_mtermvectors`. */
export function documentsBody(body: Buffer, what: string): RewrittenBody {
  const json = body.includes('"_type"') ? parsed(body) : undefined
  const docs = json?.['docs']
  if (!Array.isArray(docs) || !docs.some((doc) => isObject(doc) && '_type' in doc)) return { body, warnings: [] }
  const untyped = docs.map((doc) => (isObject(doc) ? without(doc, '_type') : doc))
  return { body: encoded({ ...json, docs: untyped }), warnings: [typesIn(what)] }
}

/** The definition of an index, a template or a rollover whose `mappings` are under a type. */
export function definitionBody(body: Buffer, includeTypeName: boolean): Buffer {
  const json = includeTypeName ? parsed(body) : undefined
  const mappings = json?.['mappings']
  if (!isObject(mappings)) return body
  return encoded({ ...json, mappings: withoutType(mappings) })
}

/** A mapping under a type. */
export function mappingBody(body: Buffer, includeTypeName: boolean): Buffer {
  const json = parsed(body)
  if (json === undefined) return body
  const inner = withoutType(json)
  if (inner === json) return body
  if (!includeTypeName) throw typesNotAllowed('put', 'the include_type_name parameter is set to true.')
  return encoded(inner)
}

/** A legacy template with a single pattern under its old name. */
export function templateBody(body: Buffer): RewrittenBody {
  const json = body.includes('"template"') ? parsed(body) : undefined
  if (json === undefined || typeof json['template'] !== 'string') return { body, warnings: [] }
  const renamed = { index_patterns: [json['template']], ...without(json, 'template') }
  return { body: encoded(renamed), warnings: ['Deprecated field [template] used, replaced by [index_patterns]'] }
}

export const typesNotAllowed = (kind: string, unless: string) =>
  illegalArgument(`Types cannot be provided in ${kind} mapping requests, unless ${unless}`)

/** The root members of a mapping. Any other single member is a type. */
const ROOT_MEMBERS = new Set([
  'properties',
  'dynamic',
  'dynamic_templates',
  'date_detection',
  'numeric_detection',
  'dynamic_date_formats',
  'runtime',
  'subobjects',
  '_source',
  '_routing',
  '_meta',
  '_field_names',
  '_size',
  '_data_stream_timestamp',
])

function withoutType(mappings: Json): Json {
  const [name, ...others] = Object.keys(mappings)
  if (name === undefined || others.length > 0 || ROOT_MEMBERS.has(name)) return mappings
  const inner = mappings[name]
  return isObject(inner) ? inner : mappings
}

function linesOf(body: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(LINE_END, at)
    const next = end < 0 ? body.length : end + 1
    lines.push(body.subarray(at, next))
    at = next
  }
  return lines
}

/** The parsed object; undefined for other text, for which the handler of the request reports the error. */
function parsed(text: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value))

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function without(object: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}
