/**
 * `sandpiper export`: writes the definitions of indices and their documents, one per line, from one point in time.
 *
 * After every page the file is synced, and a checkpoint records its length and the next page. An interrupted run
 * truncates the file to the checkpoint and continues in the same point in time, which also survives a restart of
 * Sandpiper. Each page of a compressed file is a separate gzip member, so that the file can be truncated there.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { printedHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { usageError } from '../arguments/usage-error.ts'
import { Checkpoint } from './checkpoint.ts'
import { collectDefinitions } from './definitions.ts'
import { elements, find, members, type Span, textOf } from './hit-scanner.ts'
import { Progress } from './progress.ts'
import { parseAnswer, TransferClient, TransferError } from './transfer-client.ts'
import { parseTransferOptions, type TransferOptions } from './transfer-options.ts'

const HELP = `sandpiper export: writes the documents of indices with their definitions, one per line, from one point in time

Usage
  sandpiper export --index NAME[,NAME…] --out FILE.ndjson[.gz] [flags]

Flags
  --index NAMES          indices, aliases, data streams and patterns, separated by commas; may be repeated
  --with PARTS           definitions to export besides documents: all (default), none, or some of settings,mappings,aliases,templates
  --url URL              any service that speaks Elasticsearch 8's API (default http://127.0.0.1:9200)
  --user NAME:PASSWORD   credentials for HTTP Basic authentication
  --api-key KEY          an API key, encoded or as ID:KEY
  --ca FILE              PEM file with the certificate authority of an https:// URL
  --cert, --key FILE     PEM files with a client certificate and its private key, for a service that asks for them
  --query JSON           only documents that match a query clause: '{"term":{"user":"ann"}}'
  --size N               documents per request (default 1000)
  --keep-alive TIME      how long the point in time is kept between requests (default 10m)
  --restart              start over; without it an interrupted run continues where it stopped
  --quiet                no progress

Definitions come first, one line each: templates that match the names, then indices and data streams. The line of a document is
{"_index", "_id", "_routing", "_source"}, the source byte for byte. At the end the number of documents is checked.

Examples
  sandpiper export --index books --out books.ndjson.gz
  sandpiper export --index 'logs-*,users' --with mappings,settings --out backup.ndjson.gz
`

interface ExportState {
  /** The parameters of the export. A run with other parameters does not continue this one. */
  readonly request: string
  readonly pit: string
  /** Data streams by backing index, as pairs. */
  readonly streams: readonly (readonly [backingIndex: string, stream: string])[]
  /** Sort values of the last exported document, as JSON. */
  readonly after: string | undefined
  readonly documents: number
  readonly fileBytes: number
  readonly total: number
}

export async function exportDocuments(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const options = parseTransferOptions(args, 'out', HELP)
  if (options.index === undefined) throw usageError(HELP, '--index names what to export')
  const progress = new Progress('exported', options.isQuiet)
  const client = new TransferClient(options, (text) => progress.note(text))
  const checkpoint = new Checkpoint<ExportState>(options.file)
  if (options.restart) checkpoint.delete()
  const previous = continued(checkpoint.read(), options)
  const descriptor = openOutput(options.file, previous === undefined ? 'w' : 'r+')
  try {
    const started = previous ?? (await begin(client, options, descriptor))
    ftruncateSync(descriptor, started.fileBytes)
    const save = (state: ExportState) => checkpoint.write(state)
    const finished = await writePages(client, options, started, descriptor, save, progress)
    await client.send('DELETE', '/_pit', JSON.stringify({ id: finished.pit }))
    checkpoint.delete()
    if (finished.total === 0) progress.note(`no index or document matches ${options.index}: the file has no documents`)
    if (finished.documents !== finished.total) {
      throw new SettingsError(`${finished.documents} documents were written, but there are ${finished.total}`)
    }
  } finally {
    closeSync(descriptor)
    client.close()
  }
}

function openOutput(file: string, flags: string): number {
  try {
    return openSync(file, flags)
  } catch (error) {
    throw new SettingsError(`cannot write ${file}: ${(error as Error).message}`)
  }
}

const requestOf = ({ url, index, query, parts }: TransferOptions) =>
  JSON.stringify({ url, index, query, parts: [...parts] })

function continued(state: ExportState | undefined, options: TransferOptions): ExportState | undefined {
  if (state === undefined) return undefined
  if (state.request === requestOf(options)) return state
  throw new SettingsError(`${options.file}.checkpoint is of another export; --restart begins anew`)
}

/** Opens the point in time, counts its documents and writes the definitions to the file. */
async function begin(client: TransferClient, options: TransferOptions, descriptor: number): Promise<ExportState> {
  const { index, keepAlive, query } = options
  const { lines, streamOfBackingIndex } = await collectDefinitions(client, index!, options.parts)
  const path = `/${encodeURIComponent(index!)}/_pit?keep_alive=${encodeURIComponent(keepAlive)}`
  const opened = await client.need('cannot open a point in time', 'POST', path)
  const pit = parseAnswer<{ id: string }>('cannot open a point in time', opened).id
  const count = `{"size":0,"track_total_hits":true,"pit":${JSON.stringify({ id: pit })}${queryMember(query)}}`
  const counted = await client.need('cannot count', 'POST', '/_search', count)
  const total = Number(textOf(counted, find(counted, ['hits', 'total', 'value'])!))
  const bytes = compressed(options, Buffer.from(lines.map((line) => `${line}\n`).join('')))
  append(descriptor, bytes, 0, options.file)
  const streams = [...streamOfBackingIndex]
  return { request: requestOf(options), pit, streams, after: undefined, documents: 0, fileBytes: bytes.length, total }
}

const queryMember = (query: string | undefined) => (query === undefined ? '' : `,"query":${query}`)

async function writePages(
  client: TransferClient,
  options: TransferOptions,
  started: ExportState,
  descriptor: number,
  save: (state: ExportState) => void,
  progress: Progress,
): Promise<ExportState> {
  const streams = new Map(started.streams)
  progress.startAt(started.documents)
  let state = started
  for (;;) {
    progress.show(state.documents, state.total)
    const { lines, count, last, pit } = readPage(await fetchPage(client, options, state), streams)
    if (count === 0) break
    const bytes = compressed(options, lines)
    append(descriptor, bytes, state.fileBytes, options.file)
    const documents = state.documents + count
    state = { ...state, pit: pit ?? state.pit, after: last, documents, fileBytes: state.fileBytes + bytes.length }
    save(state)
  }
  progress.show(state.documents, state.total, true)
  return state
}

/** Writes and syncs all of `bytes`, also when the system takes them in several pieces. */
function append(descriptor: number, bytes: Buffer, position: number, file: string): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, position + at)
    fsyncSync(descriptor)
  } catch (error) {
    throw new SettingsError(`cannot write ${file}: ${(error as Error).message}; the next run continues from here`)
  }
}

const compressed = ({ file }: TransferOptions, lines: Buffer) =>
  file.endsWith('.gz') ? gzipSync(lines, { level: 5 }) : lines

async function fetchPage(client: TransferClient, options: TransferOptions, state: ExportState): Promise<Buffer> {
  const { size, keepAlive, query } = options
  const pit = JSON.stringify({ id: state.pit, keep_alive: keepAlive })
  const after = state.after === undefined ? '' : `,"search_after":${state.after}`
  const sort = '"sort":[{"_shard_doc":"asc"}],"track_total_hits":false'
  const body = `{"size":${size},${sort},"pit":${pit}${after}${queryMember(query)}}`
  const answer = await client.send('POST', '/_search', body)
  if (answer.status === 404) {
    throw new SettingsError(
      'the point in time of this export has expired, so it cannot continue; --restart starts over',
    )
  }
  if (answer.status >= 300) throw new TransferError('cannot read a page', answer)
  return answer.body
}

interface PageOfLines {
  readonly lines: Buffer
  readonly count: number
  /** Sort values of the last hit. */
  readonly last: string | undefined
  readonly pit: string | undefined
}

function readPage(page: Buffer, streams: ReadonlyMap<string, string>): PageOfLines {
  const pieces: Buffer[] = []
  let count = 0
  let last: string | undefined
  for (const hit of elements(page, find(page, ['hits', 'hits'])!.start)) {
    const parts = new Map<string, Span>(members(page, hit.start))
    const kept = ['_index', '_id', '_routing', '_source'].flatMap((name) => {
      const span = parts.get(name)
      if (span === undefined) return []
      const value = name === '_index' ? indexName(page, span, streams) : page.subarray(span.start, span.end)
      return [Buffer.from(`,"${name}":`), value]
    })
    // Replaces the leading comma with the opening brace.
    kept[0] = Buffer.from(`{${kept[0]!.toString().slice(1)}`)
    pieces.push(...kept, LINE_END)
    last = textOf(page, parts.get('sort')!)
    count++
  }
  const pit = find(page, ['pit_id'])
  return { lines: Buffer.concat(pieces), count, last, pit: pit && (JSON.parse(textOf(page, pit)) as string) }
}

/** The JSON text of a hit's index, or of the data stream the index belongs to. */
function indexName(page: Buffer, span: Span, streams: ReadonlyMap<string, string>): Buffer {
  const text = page.subarray(span.start, span.end)
  if (streams.size === 0) return text
  const stream = streams.get(JSON.parse(text.toString()) as string)
  return stream === undefined ? text : Buffer.from(JSON.stringify(stream))
}

const LINE_END = Buffer.from('}\n')
