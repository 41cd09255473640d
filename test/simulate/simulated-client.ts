/**
 * A client that sends one request after the other and records the responses. Several clients work on the same
 * documents. Metadata is tested with objects that belong to one client: its own indices and templates.
 */

import type { SeededRandom } from '../../src/base/seeded-random.ts'
import type { DocumentHistory, Write } from './document-history.ts'
import type { Answer } from './simulated-node.ts'

export const INDEX = 'docs'

/** The environment that clients share. */
export interface Surroundings {
  readonly random: SeededRandom
  readonly documents: ReadonlyMap<string, DocumentHistory>
  /** The simulated time, which grows with every event. */
  now(): number
  newValue(): number
  /** Resolves when the client may continue. Never resolves after the process has ended. */
  turn(): Promise<void>
  /** Sends a request. Never resolves if the process ends before the response. */
  send(method: string, path: string, body?: object | string): Promise<Answer>
}

/** A metadata object that one client changes: its last known state and its possible state. */
export class Register {
  readonly path: string
  /** Undefined if the object does not exist. */
  state: number | undefined
  /** Changes that the next start may find: one that is in flight, and failed ones that may be on the disk. */
  maybe: (number | undefined)[] = []

  constructor(path: string) {
    this.path = path
  }

  /** Changes the object by a request, whose answer decides the state. */
  async change(state: number | undefined, request: () => Promise<Answer>): Promise<void> {
    this.maybe.push(state)
    const { status, body } = await request()
    if (status === 200) {
      this.state = state
      this.maybe = []
    } else if (!UNDECIDED_METADATA.test(JSON.stringify(body))) this.maybe.pop()
  }
}

/** The answer to a change of metadata that failed and may still be on the disk. */
const UNDECIDED_METADATA = /the next start may find the change or not/

/** The shard could not take a rejected operation out of its log, so the operation may be found after a restart. */
const UNDECIDED = /cannot take rejected operations out of its log/

/** The error of a simulated fault. */
const FAULT = /simulated, /

/** Another client has closed the index. */
const CLOSED = /index_closed_exception/

export class SimulatedClient {
  readonly registers: Register[] = []
  readonly #around: Surroundings
  readonly #number: number
  /** The value that the client last read of each document. */
  readonly #seen = new Map<string, number>()
  /** The first free number of an index name. Indices of earlier processes keep their names. */
  firstIndex = 0
  #lastIndex = 0

  constructor(around: Surroundings, number: number) {
    this.#around = around
    this.#number = number
    this.registers.push(new Register(`/_component_template/t${number}`))
  }

  async run(requests: number): Promise<void> {
    for (let i = 0; i < requests; i++) {
      await this.#around.turn()
      await this.#request()
    }
  }

  async #request(): Promise<void> {
    const { random } = this.#around
    const dice = random.below(100)
    if (dice < 22) await this.#write('index')
    else if (dice < 29) await this.#write('create')
    else if (dice < 36) await this.#write('update')
    else if (dice < 45) await this.#write('delete')
    else if (dice < 53) await this.#write('compare')
    else if (dice < 68) await this.#get(random.pick([...this.#around.documents.keys()]))
    else if (dice < 76) await this.#bulk()
    else if (dice < 82) await this.#search()
    else if (dice < 88) await this.#around.send('POST', `/${INDEX}/_refresh`)
    else if (dice < 92) await this.#around.send('POST', `/${INDEX}/_flush?force=${random.chance(0.5)}`)
    else if (dice < 94) await this.#around.send('POST', `/${INDEX}/_forcemerge?max_num_segments=1`)
    else if (dice < 96) await this.#template()
    else if (dice < 97) await this.#closeAndOpen()
    else await this.#index()
  }

  async #write(kind: Write['kind']): Promise<void> {
    const { random, documents, send } = this.#around
    const history = documents.get(random.pick([...documents.keys()]))!
    const ifSeqNo = kind === 'compare' ? this.#seen.get(history.id) : undefined
    if (kind === 'compare' && ifSeqNo === undefined) return await this.#get(history.id)
    const value = this.#around.newValue()
    const query = random.chance(0.2) ? '?refresh=true' : ''
    const write = history.begin(kind, value, this.#around.now(), ifSeqNo)
    const path = `/${INDEX}/_doc/${history.id}`
    if (kind === 'delete') this.#note(write, history.id, await send('DELETE', path + query))
    else if (kind === 'create')
      this.#note(write, history.id, await send('PUT', `/${INDEX}/_create/${history.id}`, { value }))
    else if (kind === 'update') {
      this.#note(write, history.id, await send('POST', `/${INDEX}/_update/${history.id}`, { doc: { value } }))
    } else if (kind === 'compare') {
      const term = this.#terms.get(history.id)!
      this.#note(
        write,
        history.id,
        await send('PUT', `${path}?if_seq_no=${ifSeqNo}&if_primary_term=${term}`, { value }),
      )
    } else
      this.#note(write, history.id, await send('PUT', path + query, { value, text: 'x'.repeat(random.below(200)) }))
  }

  async #bulk(): Promise<void> {
    const { random, documents, send } = this.#around
    const writes: Write[] = []
    const ids: string[] = []
    let body = ''
    for (let i = 1 + random.below(5); i > 0; i--) {
      const history = documents.get(random.pick([...documents.keys()]))!
      const kind = random.pick(['index', 'index', 'create', 'delete'] as const)
      const value = this.#around.newValue()
      writes.push(history.begin(kind, value, this.#around.now()))
      ids.push(history.id)
      body += `{"${kind}":{"_id":"${history.id}"}}\n`
      if (kind !== 'delete') body += `{"value":${value}}\n`
    }
    const { status, body: answer } = await send('POST', `/${INDEX}/_bulk`, body)
    for (const [i, write] of writes.entries()) {
      const item = status === 200 ? (Object.values(answer.items[i])[0] as Answer['body']) : undefined
      this.#note(write, ids[i]!, item === undefined ? { status, body: answer } : { status: item.status, body: item })
    }
  }

  readonly #terms = new Map<string, number>()

  #note(write: Write, id: string, { status, body }: Answer): void {
    write.endedAt = this.#around.now()
    if (status < 300 || (status === 404 && body.result === 'not_found')) {
      write.outcome = 'done'
      write.seqNo = body._seq_no
      write.version = body._version
      this.#seen.set(id, body._seq_no)
      this.#terms.set(id, body._primary_term)
      return
    }
    const error = JSON.stringify(body.error)
    write.error = `${status} ${error}`
    if (status === 400 && !CLOSED.test(error)) throw new Error(`a sound request was refused: ${error}`)
    if (status === 500 && !FAULT.test(error)) throw new Error(`an internal error is answered: ${error}`)
    write.outcome = UNDECIDED.test(error) ? 'unknown' : 'none'
  }

  async #get(id: string): Promise<void> {
    const startedAt = this.#around.now()
    const { status, body } = await this.#around.send('GET', `/${INDEX}/_doc/${id}`)
    if (status !== 200 && (status !== 404 || body.found !== false)) return
    this.#around.documents.get(id)!.read({
      startedAt,
      endedAt: this.#around.now(),
      value: body._source?.value,
      seqNo: body._seq_no,
      version: body._version,
      isSearch: false,
    })
    if (!body.found) return
    this.#seen.set(id, body._seq_no)
    this.#terms.set(id, body._primary_term)
  }

  async #search(): Promise<void> {
    const startedAt = this.#around.now()
    const hits = await searchAll(this.#around)
    if (hits === undefined) return
    const endedAt = this.#around.now()
    for (const hit of hits) this.#around.documents.get(hit.id)!.read({ ...hit, startedAt, endedAt, isSearch: true })
  }

  async #template(): Promise<void> {
    const register = this.registers[0]!
    const version = this.#around.newValue()
    await register.change(version, () => this.#around.send('PUT', register.path, { template: {}, version }))
  }

  /** Closes and opens the index of all clients, whose requests are refused meanwhile. */
  async #closeAndOpen(): Promise<void> {
    const { send, turn } = this.#around
    await send('POST', `/${INDEX}/_close`)
    await turn()
    await send('POST', `/${INDEX}/_open`)
  }

  /** Writes to an index that is deleted at the same time. The writes succeed or are refused. */
  async #writeTo(path: string): Promise<void> {
    const { send } = this.#around
    const answers = await Promise.all([
      send('PUT', `${path}/_doc/1`, { value: 1 }),
      send('POST', `${path}/_bulk`, '{"index":{"_id":"2"}}\n{"value":1}\n'),
    ])
    for (const { status, body } of answers) {
      const text = JSON.stringify(body)
      const isInternal = status === 500 || body.items?.[0].index.status === 500
      if (isInternal && !FAULT.test(text)) throw new Error(`an internal error is answered: ${text}`)
    }
  }

  /** Creates an index of this client, or deletes it. */
  async #index(): Promise<void> {
    const { send } = this.#around
    const last = this.registers.at(-1)!
    if (last.path.startsWith('/own') && last.state !== undefined) {
      const writes = this.#writeTo(last.path)
      await last.change(undefined, () => send('DELETE', last.path))
      await writes
      return
    }
    const made = new Register(`/own-${this.#number}-${this.firstIndex}-${++this.#lastIndex}`)
    this.registers.push(made)
    await made.change(1, () => send('PUT', made.path, { settings: { 'index.refresh_interval': '-1' } }))
  }
}

/** All documents that a search finds; undefined if the search is rejected. */
export async function searchAll({ send }: Pick<Surroundings, 'send'>) {
  const { status, body } = await send('POST', `/${INDEX}/_search`, {
    size: 100,
    seq_no_primary_term: true,
    version: true,
  })
  if (status !== 200 || body._shards.failed > 0) return undefined
  const hits: Answer['body'][] = body.hits.hits
  const ids = new Set(hits.map(({ _id }) => _id))
  if (ids.size !== hits.length) throw new Error('a search shows a document twice')
  return hits.map(({ _id, _source, _seq_no, _version }) => ({
    id: _id as string,
    value: _source.value as number,
    seqNo: _seq_no as number,
    version: _version as number,
  }))
}
