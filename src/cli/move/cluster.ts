/** One end of a move: a service with Elasticsearch's API, and what its distribution does differently. */
import { SettingsError } from '../arguments/settings-error.ts'
import { elements, find, members, type Span, textOf } from '../transfer/hit-scanner.ts'
import {
  parseAnswer,
  type TransferAccess,
  type TransferAnswer,
  TransferClient,
  TransferError,
} from '../transfer/transfer-client.ts'

/** A document of a page. Texts are JSON. */
export interface MovedDocument {
  readonly id: string
  readonly routing: string | undefined
  readonly version: number
  /** The bytes on one line; undefined if the index does not store documents. */
  readonly source: Buffer | undefined
}

export interface Page {
  readonly documents: readonly MovedDocument[]
  /** Where the next page starts; undefined after the last one. */
  readonly after: string | undefined
  readonly pit: string
}

export interface PageRequest {
  readonly pit: string
  readonly keepAlive: string
  readonly size: number
  readonly slice: number
  readonly slices: number
  readonly after: string | undefined
  /** A query as JSON text; all documents without one. */
  readonly query?: string | undefined
}

interface RootAnswer {
  readonly cluster_uuid?: string
  readonly version?: { readonly number?: string; readonly distribution?: string }
}

export class Cluster {
  readonly client: TransferClient
  readonly url: string
  readonly isOpenSearch: boolean
  readonly version: string
  readonly uuid: string

  private constructor(client: TransferClient, url: string, root: RootAnswer) {
    this.client = client
    this.url = url
    this.isOpenSearch = root.version?.distribution === 'opensearch'
    this.version = root.version?.number ?? 'of unknown version'
    this.uuid = root.cluster_uuid ?? url
  }

  static async connect(access: TransferAccess, report: (text: string) => void): Promise<Cluster> {
    const client = new TransferClient(access, report)
    const what = `cannot use ${access.flag} ${withoutCredentials(access.url)}`
    const answer = await client.send('GET', '/')
    // A service that is built without this API answers that the method is not allowed.
    if (answer.status >= 300 && answer.status !== 405) throw new TransferError(what, answer)
    const root = answer.status < 300 ? parseAnswer<RootAnswer>(what, answer.body) : {}
    const cluster = new Cluster(client, withoutCredentials(access.url), root)
    cluster.#checkVersion(access.flag!)
    return cluster
  }

  get distribution(): string {
    return `${this.isOpenSearch ? 'OpenSearch' : "Elasticsearch's API"} ${this.version}`
  }

  /** Opens a point in time that shows every write so far. */
  async openPit(index: string, keepAlive: string): Promise<string> {
    const name = encodeURIComponent(index)
    const what = `cannot open a point in time of ${index}`
    await this.client.need(`cannot refresh ${index}`, 'POST', `/${name}/_refresh`)
    const path = `/${name}/${this.isOpenSearch ? '_search/point_in_time' : '_pit'}`
    const answer = await this.client.need(what, 'POST', `${path}?keep_alive=${encodeURIComponent(keepAlive)}`)
    const { id, pit_id } = parseAnswer<{ id?: string; pit_id?: string }>(what, answer)
    return (id ?? pit_id)!
  }

  /** A point in time that is gone needs no closing. */
  async closePit(pit: string): Promise<void> {
    if (this.isOpenSearch) await this.client.send('DELETE', '/_search/point_in_time', JSON.stringify({ pit_id: [pit] }))
    else await this.client.send('DELETE', '/_pit', JSON.stringify({ id: pit }))
  }

  /**
   * One page of a slice. Undefined if the point in time has expired.
   *
   * OpenSearch before 3.3 has no `_shard_doc`. There pages are in the order of `_seq_no`, which documents of different
   * shards share: the next page starts with the last number again, and some documents come twice, which does no harm to a
   * copy.
   */
  async page(request: PageRequest): Promise<Page | undefined> {
    const { pit, keepAlive, size, slice, slices, after, query } = request
    const body = [
      `"size":${size},"version":true,"track_total_hits":false`,
      `"sort":[{"${this.isOpenSearch ? '_seq_no' : '_shard_doc'}":"asc"}]`,
      `"pit":${JSON.stringify({ id: pit, keep_alive: keepAlive })}`,
      ...(query === undefined ? [] : [`"query":${query}`]),
      ...(slices > 1 ? [`"slice":{"id":${slice},"max":${slices}}`] : []),
      ...(after === undefined ? [] : [`"search_after":${after}`]),
    ]
    const answer = await this.client.send('POST', '/_search', `{${body.join(',')}}`)
    if (answer.status === 404) return undefined
    if (answer.status >= 300) throw new TransferError('cannot read a page', answer)
    checkComplete(answer)
    return this.#readPage(answer.body, request)
  }

  #readPage(page: Buffer, { pit, size, after }: PageRequest): Page {
    const documents: MovedDocument[] = []
    let last: string | undefined
    for (const hit of elements(page, find(page, ['hits', 'hits'])!.start)) {
      const parts = new Map<string, Span>(members(page, hit.start))
      documents.push(readDocument(page, parts))
      last = textOf(page, parts.get('sort')!)
    }
    const isLast = documents.length < size
    const next = last === undefined || isLast ? undefined : this.isOpenSearch ? `[${JSON.parse(last)[0] - 1}]` : last
    if (next !== undefined && next === after) {
      throw new SettingsError('a page holds documents of one _seq_no only; use a larger --size')
    }
    const newPit = find(page, ['pit_id'])
    return { documents, after: next, pit: newPit === undefined ? pit : (JSON.parse(textOf(page, newPit)) as string) }
  }

  #checkVersion(flag: string): void {
    const [major = 0, minor = 0] = this.version.split('.').map(Number)
    if (!this.isOpenSearch || major > 2 || (major === 2 && minor >= 15)) return
    throw new SettingsError(`${flag} is OpenSearch ${this.version}; a move needs 2.15 or later`)
  }
}

/** A document from the members of a hit, a get or a change. */
export function readDocument(json: Buffer, parts: ReadonlyMap<string, Span>): MovedDocument {
  const source = parts.get('_source')
  const routing = parts.get('_routing')
  return {
    id: textOf(json, parts.get('_id')!),
    routing: routing === undefined ? undefined : textOf(json, routing),
    version: Number(textOf(json, parts.get('_version')!)),
    source: source === undefined ? undefined : onOneLine(json.subarray(source.start, source.end)),
  }
}

/** Line breaks in JSON are white space; a bulk request must not have them within a document. */
function onOneLine(source: Buffer): Buffer {
  if (!source.includes(0x0a) && !source.includes(0x0d)) return source
  return Buffer.from(source.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)))
}

/** A page without the documents of a lost shard must not count as complete. */
function checkComplete({ body }: TransferAnswer): void {
  const failed = find(body, ['_shards', 'failed'])
  const timedOut = find(body, ['timed_out'])
  if (failed !== undefined && textOf(body, failed) !== '0') {
    throw new SettingsError(`a page was read without some shards: ${textOf(body, find(body, ['_shards'])!)}`)
  }
  if (timedOut !== undefined && textOf(body, timedOut) === 'true') throw new SettingsError('a page timed out')
}

function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  parsed.username = ''
  parsed.password = ''
  return parsed.href.replace(/\/$/, '')
}
