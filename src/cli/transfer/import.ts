/**
 * `sandpiper import`: indexes the lines of an export under their original ids. An interrupted run continues after the
 * last acknowledged batch. A batch that is sent twice writes the same documents again.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { SettingsError } from '../arguments/settings-error.ts'
import { Checkpoint } from './checkpoint.ts'
import { members, type Span, textOf } from './hit-scanner.ts'
import { Progress } from './progress.ts'
import { TransferClient } from './transfer-client.ts'
import { parseTransferOptions, type TransferOptions } from './transfer-options.ts'

const HELP = `sandpiper import: puts the lines of an export into an index, under their ids

Usage
  sandpiper import --in FILE.ndjson[.gz] [flags]

Flags
  --index NAME           where to; without it each document goes to the index it came from
  --url URL              any service that speaks Elasticsearch 8's API (default http://127.0.0.1:9200)
  --user NAME:PASSWORD   to log in with
  --size N               documents a request (default 1000)
  --restart              begin anew; without it a run that was interrupted goes on where it was
  --quiet                no progress

Example
  sandpiper import --in books.ndjson.gz --index books-2 --url http://other:9200 --user elastic:secret
`

interface ImportState {
  readonly url: string
  readonly index: string | undefined
  /** Number of lines whose documents were acknowledged. */
  readonly lines: number
  readonly indices: readonly string[]
}

/** A batch is sent when it has `--size` documents or this many bytes. */
const BATCH_BYTES = 8 * 1024 * 1024

export async function importDocuments(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(HELP)
  const options = parseTransferOptions(args, 'in', HELP)
  const client = new TransferClient(options.url, options.user)
  const checkpoint = new Checkpoint<ImportState>(`${options.file}.import`)
  if (options.restart) checkpoint.delete()
  const done = continued(checkpoint.read(), options)
  const indices = new Set(done.indices)
  const progress = new Progress('imported', options.isQuiet)
  let lines = 0
  let batch: string[] = []
  let batchBytes = 0
  const send = async () => {
    if (batch.length === 0) return
    await sendBatch(client, batch.join(''))
    checkpoint.write({ url: options.url, index: options.index, lines, indices: [...indices] })
    batch = []
    batchBytes = 0
    progress.show(lines, undefined)
  }
  for await (const line of readLines(options.file)) {
    if (line === '') continue
    if (lines++ < done.lines) continue
    const action = bulkLines(line, options.index, indices)
    batch.push(action)
    batchBytes += action.length
    if (batch.length >= options.size || batchBytes >= BATCH_BYTES) await send()
  }
  await send()
  progress.show(lines, lines, true)
  checkpoint.delete()
  await verify(client, [...indices], lines)
}

function continued(state: ImportState | undefined, { url, index, file }: TransferOptions): ImportState {
  if (state === undefined) return { url, index, lines: 0, indices: [] }
  if (state.url === url && state.index === index) return state
  throw new SettingsError(`${file}.import.checkpoint is of another import; --restart begins anew`)
}

function readLines(file: string): AsyncIterable<string> {
  const bytes = createReadStream(file)
  return createInterface({ input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes })
}

function bulkLines(line: string, index: string | undefined, indices: Set<string>): string {
  const json = Buffer.from(line)
  const parts = new Map<string, Span>(members(json, 0))
  const source = parts.get('_source')
  const id = parts.get('_id')
  if (source === undefined || id === undefined)
    throw new SettingsError(`not a line of an export: ${line.slice(0, 200)}`)
  const target = index ?? (JSON.parse(textOf(json, parts.get('_index')!)) as string)
  indices.add(target)
  const routing = parts.get('_routing')
  const routed = routing === undefined ? '' : `,"routing":${textOf(json, routing)}`
  return `{"index":{"_index":${JSON.stringify(target)},"_id":${textOf(json, id)}${routed}}}\n${textOf(json, source)}\n`
}

async function sendBatch(client: TransferClient, body: string): Promise<void> {
  const answer = await client.need('cannot write', 'POST', '/_bulk', body, 'application/x-ndjson')
  const { errors, items } = JSON.parse(answer.toString()) as {
    errors: boolean
    items: Record<string, { _id: string; error?: { type: string; reason: string } }>[]
  }
  if (!errors) return
  const failed = items.map((item) => Object.values(item)[0]!).filter(({ error }) => error !== undefined)
  const [first] = failed
  throw new SettingsError(
    `${failed.length} documents were refused, the first is [${first!._id}]: ${first!.error!.type}: ${first!.error!.reason}`,
  )
}

/** Fails if the indices hold fewer documents than were sent. More documents may have been there before. */
async function verify(client: TransferClient, indices: readonly string[], sent: number): Promise<void> {
  if (indices.length === 0) return
  const names = indices.map(encodeURIComponent).join(',')
  await client.need('cannot refresh', 'POST', `/${names}/_refresh`)
  const counted = await client.need('cannot count', 'GET', `/${names}/_count`)
  const { count } = JSON.parse(counted.toString()) as { count: number }
  if (count < sent) throw new SettingsError(`${sent} documents were sent, but there are only ${count}`)
}
