/**
 * `sandpiper import`: creates the indices of an export with their settings, mappings, aliases and templates, and indexes
 * the documents under their original ids. An interrupted run continues after the last acknowledged batch. A batch that
 * is sent twice writes the same documents again.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { printedHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { applyDefinition, type Definition, parseDefinition } from './apply-definition.ts'
import { Checkpoint } from './checkpoint.ts'
import { members, type Span, textOf } from './hit-scanner.ts'
import { Progress } from './progress.ts'
import { parseAnswer, TransferClient } from './transfer-client.ts'
import { parseTransferOptions, type TransferOptions } from './transfer-options.ts'

const HELP = `sandpiper import: creates the indices of an export and puts its documents into them, under their ids

Usage
  sandpiper import --in FILE.ndjson[.gz] [flags]

Flags
  --index NAME           target of all documents; without it each document goes to the index or data stream that it came from
  --with PARTS           definitions to create before the documents: all (default), none, or some of settings,mappings,aliases,templates
  --url URL              any service that speaks Elasticsearch 8's API (default http://127.0.0.1:9200)
  --user NAME:PASSWORD   credentials for HTTP Basic authentication
  --api-key KEY          an API key, encoded or as ID:KEY
  --ca FILE              PEM file with the certificate authority of an https:// URL
  --cert, --key FILE     PEM files with a client certificate and its private key, for a service that asks for them
  --size N               documents per request (default 1000)
  --restart              start over; without it an interrupted run continues where it stopped
  --quiet                no progress

A definition whose name exists already is not changed, and the command reports that. With --index only settings and mappings are
applied, from the first index in the file.

Example
  sandpiper import --in books.ndjson.gz --index books-2 --url http://other:9200 --user elastic:secret
`

interface ImportState {
  readonly url: string
  readonly index: string | undefined
  /** Number of lines that are done: definitions and acknowledged documents. */
  readonly lines: number
  readonly indices: readonly string[]
}

/** A batch is sent when it has `--size` documents or this many bytes. */
const BATCH_BYTES = 8 * 1024 * 1024

export async function importDocuments(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const options = parseTransferOptions(args, 'in', HELP)
  const progress = new Progress('imported', options.isQuiet)
  const client = new TransferClient(options, (text) => progress.note(text))
  try {
    await new Import(client, options, progress).run()
  } finally {
    client.close()
  }
}

/** One run over the file. */
class Import {
  readonly #client: TransferClient
  readonly #options: TransferOptions
  readonly #progress: Progress
  readonly #checkpoint: Checkpoint<ImportState>
  /** Data streams accept new documents only, so their lines become `create` actions. */
  readonly #streams = new Set<string>()
  #indices = new Set<string>()
  #lines = 0
  #documents = 0
  #hasIndex = false
  #batch: string[] = []
  #batchBytes = 0

  constructor(client: TransferClient, options: TransferOptions, progress: Progress) {
    this.#client = client
    this.#options = options
    this.#progress = progress
    this.#checkpoint = new Checkpoint<ImportState>(`${options.file}.import`)
  }

  async run(): Promise<void> {
    if (this.#options.restart) this.#checkpoint.delete()
    const done = continued(this.#checkpoint.read(), this.#options)
    this.#indices = new Set(done.indices)
    let number = 0
    for await (const line of readLines(this.#options.file)) {
      number++
      if (line !== '') await this.#take(line, number, this.#lines < done.lines)
    }
    await this.#send()
    this.#progress.show(this.#documents, this.#documents, true)
    this.#checkpoint.delete()
    await verify(this.#client, [...this.#indices], this.#documents)
  }

  /** `number` is the place of the line in the file; `isDone` means that an earlier run has already sent it. */
  async #take(line: string, number: number, isDone: boolean): Promise<void> {
    this.#lines++
    const definition = parseDefinition(line)
    if (definition !== undefined) return this.#define(definition, isDone)
    this.#documents++
    if (isDone) return this.#progress.startAt(this.#documents)
    const lines = bulkLines(line, this.#options.index, this.#streams)
    if (lines === undefined) {
      const { file } = this.#options
      throw new SettingsError(`line ${number} of ${file} is not a line of an export: ${line.slice(0, 200)}`)
    }
    const { target, action } = lines
    this.#indices.add(target)
    this.#batch.push(action)
    this.#batchBytes += action.length
    if (this.#batch.length >= this.#options.size || this.#batchBytes >= BATCH_BYTES) await this.#send()
  }

  async #define(definition: Definition, isDone: boolean): Promise<void> {
    const { kind, name } = definition
    if (kind === 'data_stream' && this.#options.index === undefined) this.#streams.add(name)
    const isFurtherIndex = kind === 'index' && this.#options.index !== undefined && this.#hasIndex
    if (kind === 'index') this.#hasIndex = true
    if (isDone) return
    if (isFurtherIndex) {
      this.#progress.note(`the settings and mappings of ${name} are not used: all documents go to one index`)
      return
    }
    const note = await applyDefinition(this.#client, definition, this.#options)
    if (note !== undefined) this.#progress.note(note)
  }

  async #send(): Promise<void> {
    if (this.#batch.length === 0) return
    await sendBatch(this.#client, this.#batch.join(''))
    const { url, index } = this.#options
    this.#checkpoint.write({ url, index, lines: this.#lines, indices: [...this.#indices] })
    this.#batch = []
    this.#batchBytes = 0
    this.#progress.show(this.#documents, undefined)
  }
}

function continued(state: ImportState | undefined, { url, index, file }: TransferOptions): ImportState {
  if (state === undefined) return { url, index, lines: 0, indices: [] }
  if (state.url === url && state.index === index) return state
  throw new SettingsError(`${file}.import.checkpoint is of another import; --restart begins anew`)
}

async function* readLines(file: string): AsyncIterable<string> {
  const bytes = createReadStream(file)
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  // A failing source does not end the stream it is piped into.
  if (input !== bytes) bytes.on('error', (error) => input.destroy(error))
  try {
    yield* createInterface({ input })
  } catch (error) {
    throw new SettingsError(`cannot read ${file}: ${(error as Error).message}`)
  }
}

/** Returns undefined for a line that is not a document of an export. */
function bulkLines(line: string, index: string | undefined, streams: ReadonlySet<string>) {
  const json = Buffer.from(line)
  const parts = parseLine(json)
  const source = parts.get('_source')
  const id = parts.get('_id')
  const from = parts.get('_index')
  if (source === undefined || id === undefined || (index === undefined && from === undefined)) return undefined
  const target = index ?? (JSON.parse(textOf(json, from!)) as string)
  const operation = streams.has(target) ? 'create' : 'index'
  const routing = parts.get('_routing')
  const routed = routing === undefined ? '' : `,"routing":${textOf(json, routing)}`
  const head = `{"${operation}":{"_index":${JSON.stringify(target)},"_id":${textOf(json, id)}${routed}}}`
  return { target, action: `${head}\n${textOf(json, source)}\n` }
}

/** Returns no members for a line that is not a JSON object. */
function parseLine(json: Buffer): Map<string, Span> {
  try {
    JSON.parse(json.toString())
    return new Map(members(json, 0))
  } catch {
    return new Map()
  }
}

interface BulkItem {
  readonly _id: string
  readonly status: number
  readonly error?: { readonly type: string; readonly reason: string }
}

async function sendBatch(client: TransferClient, body: string): Promise<void> {
  const answer = await client.need('cannot write', 'POST', '/_bulk', body, 'application/x-ndjson')
  const { errors, items } = parseAnswer<{ errors: boolean; items: Record<string, BulkItem>[] }>('cannot write', answer)
  if (!errors) return
  // A data stream answers 409 for a document that an interrupted run has already written.
  const failed = items
    .flatMap((item) => Object.entries(item))
    .filter(([operation, { status, error }]) => error !== undefined && !(operation === 'create' && status === 409))
    .map(([, item]) => item)
  const [first] = failed
  if (first === undefined) return
  const { type, reason } = first.error!
  throw new SettingsError(`${failed.length} documents were rejected, the first is [${first._id}]: ${type}: ${reason}`)
}

/** Fails if the indices hold fewer documents than were sent. More documents may have been there before. */
async function verify(client: TransferClient, indices: readonly string[], sent: number): Promise<void> {
  if (indices.length === 0) return
  const names = indices.map(encodeURIComponent).join(',')
  await client.need('cannot refresh', 'POST', `/${names}/_refresh`)
  const counted = await client.need('cannot count', 'GET', `/${names}/_count`)
  const { count } = parseAnswer<{ count: number }>('cannot count', counted)
  if (count < sent) throw new SettingsError(`${sent} documents were sent, but there are only ${count}`)
}
