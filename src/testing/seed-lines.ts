/** Converts the lines of an export to requests. Lines of a bulk request are left unchanged. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

/**
 * The text of `source`: the contents of a file, decompressed if needed, or `source` itself if it has several lines or
 * starts with a brace.
 */
export async function readSeed(source: string | URL): Promise<string> {
  if (typeof source === 'string' && (source.includes('\n') || source.trimStart().startsWith('{'))) return source
  const bytes = await readFile(source)
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return (isGzip ? gunzipSync(bytes) : bytes).toString('utf8')
}

export interface Seed {
  /** Requests that create the templates, indices and data streams of an export. */
  readonly definitions: readonly { readonly path: string; readonly body: unknown }[]
  readonly bulkBody: string
}

export function parseSeed(text: string): Seed {
  const lines = text
    .split('\n')
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '')
  const definitions = lines.filter(isDefinition).map((line) => parse<ExportedDefinition>(line))
  const streams = new Set(definitions.filter(({ _definition: kind }) => kind === 'data_stream').map(({ name }) => name))
  return {
    definitions: definitions.map(({ _definition: kind, name, body, ...index }) => ({
      path: `/${DEFINITION_PATHS[kind] ?? ''}${encodeURIComponent(name)}`,
      body: kind === 'index' ? index : body,
    })),
    bulkBody: lines
      .filter((line) => !isDefinition(line))
      .map((line) => `${toBulkLines(line, streams)}\n`)
      .join(''),
  }
}

interface NumberedLine {
  readonly line: string
  readonly number: number
}

function parse<T>({ line, number }: NumberedLine): T {
  try {
    return JSON.parse(line) as T
  } catch (error) {
    throw new Error(`line ${number} of the seed is not JSON: ${(error as Error).message}`)
  }
}

interface ExportedDefinition {
  readonly _definition: string
  readonly name: string
  readonly body?: unknown
}

const isDefinition = ({ line }: NumberedLine) => line.startsWith('{"_definition":')

const DEFINITION_PATHS: Readonly<Record<string, string>> = {
  component_template: '_component_template/',
  index_template: '_index_template/',
  template: '_template/',
  data_stream: '_data_stream/',
}

interface ExportedLine {
  readonly _index: string
  readonly _id: string
  readonly _routing?: string
  readonly _source: unknown
}

function toBulkLines(numbered: NumberedLine, streams: ReadonlySet<string>): string {
  const { line } = numbered
  const parsed = parse<Partial<ExportedLine>>(numbered)
  if (parsed._index === undefined || parsed._source === undefined) return line
  const { _index, _id, _routing } = parsed
  const target = { _index, _id, ...(_routing === undefined ? {} : { routing: _routing }) }
  const action = streams.has(_index) ? { create: target } : { index: target }
  return `${JSON.stringify(action)}\n${sourceOf(line) ?? JSON.stringify(parsed._source)}`
}

/**
 * The unparsed source of a line, because numbers beyond 2^53 would not survive parsing. Exports write the source last.
 */
function sourceOf(line: string): string | undefined {
  const at = line.indexOf('"_source":')
  return at >= 0 && line.trimEnd().endsWith('}}')
    ? line
        .slice(at + '"_source":'.length)
        .trimEnd()
        .slice(0, -1)
    : undefined
}
