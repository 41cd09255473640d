/**
 * `sandpiper export`: writes the documents of an index, one per line, from one point in time.
 *
 * After every page the file is synced, and a checkpoint records its length and the next page. An interrupted run
 * truncates the file to the checkpoint and continues in the same point in time, which also survives a restart of
 * Sandpiper. Each page of a compressed file is a separate gzip member, so that the file can be truncated there.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { SettingsError } from '../arguments/settings-error.ts'
import { Checkpoint } from './checkpoint.ts'
import { elements, find, members, type Span, textOf } from './hit-scanner.ts'
import { Progress } from './progress.ts'
import { TransferClient, TransferError } from './transfer-client.ts'
import { parseTransferOptions, type TransferOptions } from './transfer-options.ts'

const HELP = `sandpiper export: the documents of an index, a line each, from one point in time

Usage
  sandpiper export --index NAME[,NAME] --out FILE.ndjson[.gz] [flags]

Flags
  --url URL              any service that speaks Elasticsearch 8's API (default http://127.0.0.1:9200)
  --user NAME:PASSWORD   to log in with
  --query JSON           only what a query clause matches: '{"term":{"user":"ann"}}'
  --size N               documents a request (default 1000)
  --keep-alive TIME      how long the point in time is kept between requests (default 10m)
  --restart              begin anew; without it a run that was interrupted goes on where it was
  --quiet                no progress

Each line is {"_index", "_id", "_routing", "_source"}, the source byte for byte. At the end the number of documents is checked.

Example
  sandpiper export --index books --out books.ndjson.gz
`

interface ExportState {
  /** The parameters of the export. A run with other parameters does not continue this one. */
  readonly request: string
  readonly pit: string
  /** Sort values of the last exported document, as JSON. */
  readonly after: string | undefined
  readonly documents: number
  readonly fileBytes: number
  readonly total: number
}

export async function exportDocuments(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(HELP)
  const options = parseTransferOptions(args, 'out', HELP)
  if (options.index === undefined) throw new SettingsError(`--index names what to export\n\n${HELP}`)
  const client = new TransferClient(options.url, options.user)
  const checkpoint = new Checkpoint<ExportState>(options.file)
  if (options.restart) checkpoint.delete()
  const started = continued(checkpoint.read(), options) ?? (await begin(client, options))
  const isNew = started.after === undefined
  const descriptor = openSync(options.file, isNew ? 'w' : 'r+')
  try {
    ftruncateSync(descriptor, started.fileBytes)
    const finished = await writePages(client, options, started, descriptor, (state) => checkpoint.write(state))
    await client.send('DELETE', '/_pit', JSON.stringify({ id: finished.pit }))
    checkpoint.delete()
    if (finished.documents !== finished.total) {
      throw new SettingsError(`${finished.documents} documents were written, but there are ${finished.total}`)
    }
  } finally {
    closeSync(descriptor)
  }
}

const requestOf = ({ url, index, query }: TransferOptions) => JSON.stringify({ url, index, query })

function continued(state: ExportState | undefined, options: TransferOptions): ExportState | undefined {
  if (state === undefined) return undefined
  if (state.request === requestOf(options)) return state
  throw new SettingsError(`${options.file}.checkpoint is of another export; --restart begins anew`)
}

async function begin(client: TransferClient, options: TransferOptions): Promise<ExportState> {
  const { index, keepAlive, query } = options
  const path = `/${encodeURIComponent(index!)}/_pit?keep_alive=${encodeURIComponent(keepAlive)}`
  const opened = await client.need('cannot open a point in time', 'POST', path)
  const pit = (JSON.parse(opened.toString()) as { id: string }).id
  const count = `{"size":0,"track_total_hits":true,"pit":${JSON.stringify({ id: pit })}${queryMember(query)}}`
  const counted = await client.need('cannot count', 'POST', '/_search', count)
  const total = Number(textOf(counted, find(counted, ['hits', 'total', 'value'])!))
  return { request: requestOf(options), pit, after: undefined, documents: 0, fileBytes: 0, total }
}

const queryMember = (query: string | undefined) => (query === undefined ? '' : `,"query":${query}`)

async function writePages(
  client: TransferClient,
  options: TransferOptions,
  started: ExportState,
  descriptor: number,
  save: (state: ExportState) => void,
): Promise<ExportState> {
  const progress = new Progress('exported', options.isQuiet)
  let state = started
  for (;;) {
    progress.show(state.documents, state.total)
    const { lines, count, last, pit } = readPage(await fetchPage(client, options, state))
    if (count === 0) break
    const bytes = options.file.endsWith('.gz') ? gzipSync(lines, { level: 5 }) : lines
    writeSync(descriptor, bytes, 0, bytes.length, state.fileBytes)
    fsyncSync(descriptor)
    const documents = state.documents + count
    state = { ...state, pit: pit ?? state.pit, after: last, documents, fileBytes: state.fileBytes + bytes.length }
    save(state)
  }
  progress.show(state.documents, state.total, true)
  return state
}

async function fetchPage(client: TransferClient, options: TransferOptions, state: ExportState): Promise<Buffer> {
  const { size, keepAlive, query } = options
  const pit = JSON.stringify({ id: state.pit, keep_alive: keepAlive })
  const after = state.after === undefined ? '' : `,"search_after":${state.after}`
  const sort = '"sort":[{"_shard_doc":"asc"}],"track_total_hits":false'
  const body = `{"size":${size},${sort},"pit":${pit}${after}${queryMember(query)}}`
  const answer = await client.send('POST', '/_search', body)
  if (answer.status === 404) {
    throw new SettingsError('the point in time of this export is gone, so it cannot go on; --restart begins anew')
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

function readPage(page: Buffer): PageOfLines {
  const pieces: Buffer[] = []
  let count = 0
  let last: string | undefined
  for (const hit of elements(page, find(page, ['hits', 'hits'])!.start)) {
    const parts = new Map<string, Span>(members(page, hit.start))
    const kept = ['_index', '_id', '_routing', '_source'].flatMap((name) => {
      const span = parts.get(name)
      return span === undefined ? [] : [Buffer.from(`,"${name}":`), page.subarray(span.start, span.end)]
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

const LINE_END = Buffer.from('}\n')
