/** Converts the lines of an export to the lines of a bulk request. Lines of a bulk request are left unchanged. */
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

export function toBulkBody(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => `${toBulkLines(line)}\n`).join('')
}

interface ExportedLine {
  readonly _index: string
  readonly _id: string
  readonly _routing?: string
  readonly _source: unknown
}

function toBulkLines(line: string): string {
  const parsed = JSON.parse(line) as Partial<ExportedLine>
  if (parsed._index === undefined || parsed._source === undefined) return line
  const { _index, _id, _routing } = parsed
  const action = { index: { _index, _id, ...(_routing === undefined ? {} : { routing: _routing }) } }
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
