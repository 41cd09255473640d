/** One run: random steps on a service whose disk becomes full and free again. */
import { setTimeout as pause } from 'node:timers/promises'
import { Service } from './service.mjs'
import { Written } from './written.mjs'

const HEALTHY_MS = 10_000
const INDEX = 'd'
const WORDS = 'tern gull plover knot dunlin curlew godwit ruff stint snipe'.split(' ')
/** How often a step is chosen. */
const STEPS = [
  ['fill', 5],
  ['bulk', 14],
  ['single', 4],
  ['remove', 2],
  ['merge', 2],
  ['refresh', 4],
  ['flush', 2],
  ['snapshot', 2],
  ['create', 2],
  ['search', 4],
  ['kill', 3],
  ['restart', 2],
  ['killDuringBulk', 2],
  ['free', 4],
]

export class DiskRun {
  #random
  #steps
  #disk
  #say
  #service
  #written = new Written()
  #problems = []
  #number = 0
  #isFilled = false
  #healthyMs = []
  #healthyWithinMs
  counts = new Map()

  constructor({ seed, steps, disk, patience, say }) {
    this.#random = mulberry(seed)
    this.#steps = steps
    this.#disk = disk
    this.#say = say
    this.#service = new Service(disk.folder, patience)
    this.#healthyWithinMs = HEALTHY_MS * patience
  }

  async run() {
    try {
      await this.#service.start()
      await this.#prepare()
      for (let i = 0; i < this.#steps && this.#problems.length === 0; i++) {
        const step = this.#pick()
        const freeBytes = this.#disk.freeBytes
        await this[step]()
        this.#count('steps')
        this.#say(`${i} ${step}, ${freeBytes} bytes free before`)
        if (this.#service.isExpectedToRun && !this.#service.isRunning) this.#problem('the service ended by itself')
      }
      if (this.#problems.length === 0) await this.#checkEnd()
    } catch (error) {
      this.#problem(error.stack)
    }
    await this.#service.end('SIGKILL')
    if (this.#problems.length > 0) this.#problem(`log: ${this.#service.log}`)
    return this.#problems
  }

  summary() {
    const { least } = this.#written.bounds
    const slowest = Math.max(0, ...this.#healthyMs)
    return `${least} documents, ${this.counts.get('refused') ?? 0} refusals, healthy after at most ${slowest} ms of space`
  }

  async #prepare() {
    const mappings = { properties: { n: { type: 'integer' }, k: { type: 'keyword' }, t: { type: 'text' } } }
    await this.#service.send('PUT', `/${INDEX}`, { settings: { number_of_shards: 2 }, mappings })
    await this.#service.send('PUT', '/_snapshot/repo', { type: 'fs', settings: { location: 'repo' } })
    this.#written.acknowledgeIndex(INDEX)
  }

  // --- steps ---

  async fill() {
    this.#disk.fill(this.#below(4) === 0 ? this.#below(400_000) : this.#below(20_000))
    this.#isFilled = true
  }

  async free() {
    this.#disk.free()
    if (!this.#isFilled) return
    this.#isFilled = false
    await this.#untilHealthy()
  }

  async bulk() {
    await this.#bulk(1 + this.#below(300))
  }

  async #bulk(count) {
    const documents = new Map()
    for (let i = 0; i < count; i++) documents.set(this.#id(), this.#document())
    const lines = [...documents].map(([id, document]) => `{"index":{"_id":"${id}"}}\n${JSON.stringify(document)}\n`)
    const { status, json } = await this.#service.send('POST', `/${INDEX}/_bulk`, lines.join(''))
    if (status === 200) {
      for (const { index } of json.items) {
        if (index.status < 300) this.#written.acknowledge(index._id, documents.get(index._id).n)
        else this.#refused('bulk item', index.status, index)
      }
      return
    }
    for (const [id, { n }] of documents) if (status <= 0) this.#written.doubt(id, n)
    this.#refused('bulk', status, json)
  }

  async single() {
    const [id, document] = [this.#id(), this.#document()]
    const { status, json } = await this.#service.send('PUT', `/${INDEX}/_doc/${id}`, document)
    if (status < 300 && status > 0) this.#written.acknowledge(id, document.n)
    else this.#refused('single', status, json)
    if (status <= 0) this.#written.doubt(id, document.n)
  }

  async remove() {
    const id = this.#id()
    const { status, json } = await this.#service.send('DELETE', `/${INDEX}/_doc/${id}`)
    if (status === 200 || status === 404) this.#written.acknowledge(id, undefined)
    else this.#refused('delete', status, json)
    if (status <= 0) this.#written.doubt(id, undefined)
  }

  async create() {
    const name = `i${this.#number++}`
    const { status, json } = await this.#service.send('PUT', `/${name}`, { settings: { number_of_shards: 1 } })
    if (status === 200) this.#written.acknowledgeIndex(name)
    else this.#refused('create', status, json)
  }

  async merge() {
    await this.#maintain('POST', `/${INDEX}/_forcemerge?max_num_segments=1`)
  }

  async refresh() {
    await this.#maintain('POST', `/${INDEX}/_refresh`)
  }

  async flush() {
    await this.#maintain('POST', `/${INDEX}/_flush`)
  }

  async #maintain(method, path) {
    const { status, json } = await this.#service.send(method, path)
    if (status !== 200) this.#refused(path, status, json)
  }

  async snapshot() {
    const path = `/_snapshot/repo/s${this.#number++}?wait_for_completion=true`
    const { status, json } = await this.#service.send('PUT', path, { indices: INDEX })
    if (status !== 200) this.#refused('snapshot', status, json)
    else if (json.snapshot?.state === 'SUCCESS') this.#count('snapshots')
    else if (!this.#isFilled) this.#problem(`a snapshot on a disk with room is ${JSON.stringify(json).slice(0, 600)}`)
  }

  /** A search finds what the last successful refresh made visible; it never fails as long as the shards are there. */
  async search() {
    const { status: ready } = await this.#service.send('GET', '/_sandpiper/ready')
    const { status, json } = await this.#service.send('POST', `/${INDEX}/_search`, { track_total_hits: true })
    const failed = json._shards?.failed ?? 1
    if (status !== 200 && status !== 503)
      this.#problem(`a search answers ${status}: ${JSON.stringify(json).slice(0, 400)}`)
    else if (failed > 0 && ready === 200) {
      const { json: health } = await this.#service.send('GET', '/_cluster/health')
      if (health.status !== 'red')
        this.#problem(
          `the service is ready and ${health.status}, but a search fails: ${JSON.stringify(json).slice(0, 400)}`,
        )
    }
  }

  async kill() {
    await this.#service.end('SIGKILL')
    await this.#started()
  }

  async restart() {
    await this.#service.end('SIGTERM')
    await this.#started()
  }

  async killDuringBulk() {
    const bulk = this.#bulk(300)
    await pause(this.#below(20))
    await this.#service.end('SIGKILL')
    await bulk
    await this.#started()
  }

  async #started() {
    await this.#service.start()
    this.#count('starts')
    if (!this.#isFilled) await this.#untilHealthy()
  }

  // --- checks ---

  /** What the service says when it refuses a request. On a disk with room it refuses none. */
  #refused(what, status, json) {
    this.#count('refused')
    const text = JSON.stringify(json)
    // The process was killed.
    if (status === 0 && !this.#service.isExpectedToRun) return
    if (status === -1) this.#problem(`${what} was not answered in time`)
    else if (!this.#isFilled) this.#problem(`${what} was refused on a disk with room: ${status} ${text.slice(0, 600)}`)
    // Items of a bulk request are those of Elasticsearch; the log names the folder.
    else if (status === 429 && what !== 'bulk item' && !(text.includes(this.#disk.folder) && /free_bytes/.test(text)))
      this.#problem(`the refusal of ${what} does not name the folder and the free bytes: ${text.slice(0, 600)}`)
    else if (what === 'snapshot' && status === 500 && text.includes('ENOSPC')) this.#count('failed snapshots')
    else if (status !== 429 && status !== 503 && status !== 200)
      this.#problem(`${what} was refused with ${status}: ${text.slice(0, 600)}`)
  }

  /** Ready, green and writable in time after there is space, without a restart. */
  async #untilHealthy() {
    const startedMs = performance.now()
    let state = ''
    while (performance.now() - startedMs < this.#healthyWithinMs) {
      const { status: ready } = await this.#service.send('GET', '/_sandpiper/ready')
      const { json: health } = await this.#service.send('GET', '/_cluster/health')
      const { status: refreshed } = await this.#service.send('POST', `/${INDEX}/_refresh`)
      const { status: written } = await this.#service.send('PUT', `/${INDEX}/_doc/probe`, { n: 0 })
      state = `ready ${ready}, health ${health.status}, refresh ${refreshed}, write ${written}`
      // Replicas have no place on one node.
      if (ready === 200 && health.status !== 'red' && refreshed === 200 && written < 300 && written > 0) {
        this.#healthyMs.push(Math.round(performance.now() - startedMs))
        await this.#service.send('DELETE', `/${INDEX}/_doc/probe`)
        await this.#service.send('POST', `/${INDEX}/_refresh`)
        await this.#checkDocuments('with space')
        return
      }
      await pause(100)
    }
    this.#problem(`not healthy ${this.#healthyWithinMs} ms after there was space: ${state}`)
  }

  async #checkDocuments(when) {
    const { ids } = this.#written
    const found = new Map()
    for (let at = 0; at < ids.length; at += 2_000) {
      const part = ids.slice(at, at + 2_000)
      const { status, json } = await this.#service.send('POST', `/${INDEX}/_mget`, { ids: part })
      if (status !== 200)
        return this.#problem(`${when} documents cannot be read: ${status} ${JSON.stringify(json).slice(0, 400)}`)
      for (const doc of json.docs) if (doc.found) found.set(doc._id, doc._source.n)
    }
    const wrong = this.#written.compare(found)
    if (wrong.length > 0) this.#problem(`${when} ${wrong.length} documents are wrong: ${wrong.slice(0, 3).join('; ')}`)
    const { json } = await this.#service.send('POST', `/${INDEX}/_search`, { size: 0, track_total_hits: true })
    const { least, most } = this.#written.bounds
    const total = json.hits?.total?.value
    if (!(total >= least && total <= most))
      this.#problem(`${when} a search finds ${total} documents instead of ${least}`)
    for (const name of this.#written.indices) {
      const { status } = await this.#service.send('GET', `/${name}`)
      if (status !== 200) this.#problem(`${when} the index ${name} answers ${status}`)
    }
  }

  async #checkEnd() {
    this.#disk.free()
    this.#isFilled = false
    await this.#untilHealthy()
    await this.restart()
    await this.#checkDocuments('after the last restart')
  }

  // --- helpers ---

  #problem(text) {
    this.#problems.push(text)
  }

  #count(what) {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  #below(limit) {
    return Math.floor(this.#random() * limit)
  }

  #pick() {
    let at = this.#below(STEPS.reduce((sum, [, weight]) => sum + weight, 0))
    for (const [name, weight] of STEPS) {
      if (at < weight) return name
      at -= weight
    }
    throw new Error('unreachable')
  }

  #id() {
    return `x${this.#below(3_000)}`
  }

  #document() {
    const n = this.#number++
    const text = Array.from({ length: 5 + this.#below(60) }, () => WORDS[this.#below(WORDS.length)] + this.#below(500))
    return { n, k: WORDS[n % WORDS.length], t: text.join(' ') }
  }
}

function mulberry(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
