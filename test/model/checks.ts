/** Runs checks: asks the service, and compares its answers with those of the model. */
import { aggregate } from './aggregations.ts'
import { aggregationsDiffer, type Difference, Differs } from './compare.ts'
import { isObject, type Json, type JsonObject, listOf, member, print } from './json.ts'
import { matches } from './queries.ts'
import type { Act, Check } from './requests.ts'
import { expectedScores, scoreDiffers } from './scores.ts'
import { fieldsDiffer, hitsDiffer, type Ranked, ranked } from './search.ts'
import type { Service } from './service.ts'
import {
  afterWrites,
  aliasOf,
  type Item,
  itemsOf,
  NotModelled,
  routingOf,
  setUp,
  type World,
  type WorldRequest,
  withRuntime,
  writeRequest,
} from './world.ts'

export interface Scenario {
  readonly world: World
  readonly checks: readonly Check[]
}

/** More pages than any check needs. */
const PAGES_MAX = 500

export class Checker {
  readonly #service: Service
  /** Changed by acts. */
  #world: World
  /** The documents that the current check can find. */
  #items: readonly Item[] = []
  #target = ''

  private constructor(service: Service, world: World) {
    this.#service = service
    this.#world = world
  }

  static async open(service: Service, world: World): Promise<Checker> {
    const checker = new Checker(service, world)
    for (const { name } of world.indices) await service.send('DELETE', `/${name}`)
    for (const request of setUp(world)) await checker.#build(request)
    return checker
  }

  async #build({ method, path, body, isLines }: WorldRequest): Promise<void> {
    const reply = await this.#service.send(method, path, body, isLines)
    if (reply.status >= 300 || (isObject(reply.body) && reply.body.errors === true))
      throw new Error(`${method} ${path}: ${reply.status} ${print(reply.body).slice(0, 600)}`)
  }

  async close(): Promise<void> {
    for (const { name } of this.#world.indices) await this.#service.send('DELETE', `/${name}`)
  }

  async run(check: Check): Promise<Difference | undefined> {
    try {
      await this.#run(check)
      return undefined
    } catch (error) {
      if (error instanceof NotModelled) return undefined
      if (error instanceof Differs) return { kind: error.kind, text: error.message }
      throw error
    }
  }

  async #run(check: Check): Promise<void> {
    const [{ indices }, isAlias] = [this.#world, check.isAlias === true]
    this.#target = indices.map((index) => (isAlias ? aliasOf(index) : index.name)).join(',')
    this.#items = itemsOf(this.#world).filter((item) => !isAlias || matches(item, item.index.filter))
    switch (check.kind) {
      case 'do':
      case 'write':
      case 'by-query':
        return this.#act(check)
      case 'search':
        for (const _ of ['first', 'again']) await this.#search(check.body)
        return
      case 'pages':
        return this.#pages(check, ranked(this.#itemsOf(check.body), check.body))
      case 'slices':
        return this.#slices(check)
      case 'composite':
        return this.#composite(check.size, check.body)
      case 'scores':
        return this.#scores(check.body)
      case 'routing':
        return this.#routing(check.routing, check.body)
    }
  }

  /** Does what changes documents, or how they are stored. */
  async #act(act: Act): Promise<void> {
    switch (act.kind) {
      case 'do':
        await this.#ask('POST', `/${this.#target}/${act.path}`)
        return
      case 'write': {
        const index = this.#world.indices[act.index]
        if (index === undefined || act.writes.length === 0) return
        await this.#build(writeRequest(index, act.writes))
        this.#world = afterWrites(this.#world, index.name, act.writes)
        return
      }
      case 'by-query':
        return this.#byQuery(act.op, act.parameters, act.body)
    }
  }

  async #byQuery(op: 'update' | 'delete', parameters: string, body: JsonObject): Promise<void> {
    const isAlias = this.#target.includes('-alias')
    const found = itemsOf(this.#world).filter(
      (item) => (!isAlias || matches(item, item.index.filter)) && matches(item, body.query),
    )
    const path = `/${this.#target}/_${op}_by_query?refresh=true${parameters}`
    const answer = await this.#ask('POST', path, body)
    for (const [name, wanted] of [
      ['total', found.length],
      [`${op}d`, found.length],
      ['version_conflicts', 0],
    ] as const)
      if (answer[name] !== wanted)
        throw new Differs('by-query', `${name} is ${print(answer[name]!)} instead of ${wanted}`)
    if (op === 'update') return
    for (const { name } of this.#world.indices) {
      const gone = found.filter(({ index }) => index.name === name)
      const writes = gone.map(({ id }) => ({ op: 'delete' as const, id }))
      this.#world = afterWrites(this.#world, name, writes)
    }
  }

  /** The score of a query follows from the scores of its clauses. */
  async #scores(body: JsonObject): Promise<void> {
    const read = async (query: Json) => {
      const answer = await this.#ask('POST', `/${this.#target}/_search`, { query, size: 1000 })
      return listOf(member(answer, 'hits').hits)
    }
    const expected = await expectedScores(this.#items, body.query!, read)
    const answer = await this.#ask('POST', `/${this.#target}/_search`, { ...body, size: 1000, explain: true })
    const difference = scoreDiffers(listOf(member(answer, 'hits').hits), expected)
    if (difference !== undefined) throw new Differs('scores', difference)
  }

  /** A search with a routing sees whole shards, among them those of its documents. */
  async #routing(routing: string, body: JsonObject): Promise<void> {
    const found = new Map(
      ranked(this.#itemsOf(body), body).map((entry) => [`${entry.item.index.name}/${entry.item.id}`, entry]),
    )
    const answer = await this.#ask('POST', `/${this.#target}/_search?routing=${routing}`, { ...body, size: 1000 })
    for (const hit of listOf(member(answer, 'hits').hits)) {
      const name = isObject(hit) ? `${hit._index}/${hit._id}` : ''
      const own = found.get(name)
      if (own === undefined) throw new Differs('routing', `${name} does not match, or is there twice`)
      const wanted = own.item.index.isRouted ? routingOf(own.item.id) : undefined
      if (isObject(hit) && hit._routing !== wanted)
        throw new Differs('routing', `_routing of ${name} is ${print(hit._routing ?? null)} instead of ${wanted}`)
      found.delete(name)
    }
    for (const [name, { item }] of found)
      if (item.index.isRouted && routing.split(',').includes(routingOf(item.id)))
        throw new Differs('routing', `${name} is not found with the routing ${routing}`)
  }

  async #search(body: JsonObject): Promise<void> {
    const items = this.#itemsOf(body)
    const expected = ranked(items, body)
    const found = items.filter((item) => matches(item, body.query))
    const aggregations = aggregate(found, body.aggs, items)
    const answer = await this.#ask('POST', `/${this.#target}/_search`, body)
    const [from, size] = [Number(body.from ?? 0), Number(body.size ?? 10)]
    this.#checkPage(answer, expected, from, size, body)
    const shown = answer.aggregations ?? {}
    const difference = aggregationsDiffer(shown, aggregations, 'aggregations')
    if (difference !== undefined) throw new Differs('aggs', difference)
  }

  #checkPage(
    answer: JsonObject,
    expected: readonly Ranked[],
    from: number,
    size: number,
    body: JsonObject,
  ): readonly Json[] {
    const hits = listOf(member(answer, 'hits').hits)
    const total = member(member(answer, 'hits'), 'total').value
    const count =
      body.collapse === undefined ? expected.length : ranked(this.#itemsOf(body), withoutCollapse(body)).length
    if (total !== undefined && total !== count) throw new Differs('total', `hits.total is ${total} instead of ${count}`)
    const difference = hitsDiffer(hits, expected, from, body.sort) ?? fieldsDiffer(hits, expected, body.docvalue_fields)
    if (difference !== undefined) throw new Differs('hits', difference)
    const wanted = Math.max(0, Math.min(size, expected.length - from))
    if (hits.length !== wanted) throw new Differs('hits', `${hits.length} hits from ${from} on instead of ${wanted}`)
    return hits
  }

  async #pages(
    { way, size, body, between = [] }: Check & { kind: 'pages' },
    expected: readonly Ranked[],
  ): Promise<void> {
    const pit = way === 'pit' ? await this.#openPit() : undefined
    let page: JsonObject = { ...body, size }
    let scroll: Json | undefined
    for (let from = 0, pages = 0; ; from += size, pages++) {
      if (pages > PAGES_MAX) throw new Differs('hits', 'pages without end')
      let answer: JsonObject
      if (pit !== undefined) answer = await this.#ask('POST', '/_search', { ...page, pit: { id: pit } })
      else if (way === 'scroll')
        answer =
          scroll === undefined
            ? await this.#ask('POST', `/${this.#target}/_search?scroll=1m`, page)
            : await this.#ask('POST', '/_search/scroll', { scroll: '1m', scroll_id: scroll })
      else answer = await this.#ask('POST', `/${this.#target}/_search`, page)
      const hits = this.#checkPage(answer, expected, from, size, body)
      const last = hits.at(-1)
      if (!isObject(last)) break
      if (way === 'from') page = { ...body, size, from: from + size }
      else if (way === 'scroll') scroll = answer._scroll_id
      else page = { ...body, size, search_after: last.sort! }
      const act = between[pages]
      // The pages must not see what it does.
      if (act !== undefined) await this.#act(act)
    }
    if (pit !== undefined) await this.#ask('DELETE', '/_pit', { id: pit })
    if (scroll !== undefined) await this.#service.send('DELETE', '/_search/scroll', { scroll_id: scroll })
  }

  async #slices({ way, max, size, field, body, between = [] }: Check & { kind: 'slices' }): Promise<void> {
    const expected = ranked(this.#itemsOf(body), body)
    const pit = way === 'pit' ? await this.#openPit() : undefined
    const seen = new Set<string>()
    let totals = 0
    for (let id = 0; id < max; id++) {
      const own: Json[] = []
      let total: Json | undefined
      let scroll: Json | undefined
      let page: JsonObject = { ...body, size, slice: { ...(field === undefined ? {} : { field }), id, max } }
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        let answer: JsonObject
        if (pit !== undefined) answer = await this.#ask('POST', '/_search', { ...page, pit: { id: pit } })
        else if (scroll === undefined) answer = await this.#ask('POST', `/${this.#target}/_search?scroll=1m`, page)
        else answer = await this.#ask('POST', '/_search/scroll', { scroll: '1m', scroll_id: scroll })
        scroll = answer._scroll_id
        total ??= member(member(answer, 'hits'), 'total').value
        const hits = listOf(member(answer, 'hits').hits)
        own.push(...hits)
        const last = hits.at(-1)
        // Without a sort, the hits of a point in time have no values that a next page could begin behind.
        if (!isObject(last) || (pit !== undefined && body.sort === undefined)) break
        page = { ...page, search_after: last.sort! }
      }
      if (scroll !== undefined) await this.#service.send('DELETE', '/_search/scroll', { scroll_id: scroll })
      if (total !== own.length)
        throw new Differs('slices', `slice ${id} of ${max} has ${own.length} hits and counts ${total}`)
      const names = new Set(own.map((hit) => (isObject(hit) ? `${hit._index}/${hit._id}` : '')))
      const difference = hitsDiffer(
        own,
        expected.filter(({ item }) => names.has(`${item.index.name}/${item.id}`)),
        0,
        body.sort,
      )
      if (difference !== undefined) throw new Differs('slices', `slice ${id} of ${max}: ${difference}`)
      for (const name of names) {
        if (seen.has(name)) throw new Differs('slices', `${name} is on two slices of ${max}`)
        seen.add(name)
      }
      totals += own.length
      const act = between[id]
      if (act !== undefined) await this.#act(act)
    }
    if (totals !== expected.length)
      throw new Differs('slices', `${max} slices have ${totals} hits instead of ${expected.length}`)
    if (pit !== undefined) await this.#ask('DELETE', '/_pit', { id: pit })
  }

  async #composite(size: number, body: JsonObject): Promise<void> {
    await this.#search(body)
    const items = this.#itemsOf(body)
    const found = items.filter((item) => matches(item, body.query))
    const whole = listOf(member(aggregate(found, body.aggs, items), 'c').buckets)
    const definition = member(member(body, 'aggs'), 'c')
    const joined: Json[] = []
    let after: Json | undefined
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const composite = { ...member(definition, 'composite'), size, ...(after === undefined ? {} : { after }) }
      const aggs = { ...member(body, 'aggs'), c: { ...definition, composite } }
      const answer = await this.#ask('POST', `/${this.#target}/_search`, { ...body, aggs })
      const { buckets, after_key } = member(member(answer, 'aggregations'), 'c')
      joined.push(...listOf(buckets))
      const rest = whole.length - joined.length
      const difference = aggregationsDiffer(joined, whole.slice(0, joined.length), `pages of ${size}`)
      if (difference !== undefined) throw new Differs('composite', difference)
      if (listOf(buckets).length < size && rest > 0)
        throw new Differs(
          'composite',
          `page ${pages} of ${size} buckets has ${listOf(buckets).length}, and ${rest} are left`,
        )
      after = after_key
      if (after === undefined) break
    }
    if (joined.length !== whole.length)
      throw new Differs('composite', `${joined.length} buckets instead of ${whole.length}`)
  }

  #itemsOf(body: JsonObject): readonly Item[] {
    return withRuntime(this.#items, body.runtime_mappings)
  }

  async #openPit(): Promise<Json> {
    return (await this.#ask('POST', `/${this.#target}/_pit?keep_alive=1m`)).id!
  }

  async #ask(method: string, path: string, body?: Json): Promise<JsonObject> {
    const { status, body: answer } = await this.#service.send(method, path, body)
    const error = member(answer, 'error')
    const root = listOf(error.root_cause)[0]
    if (status >= 300)
      throw new Differs(`status ${status} ${shapeOf(root ?? error)}`, `${status} ${print(root ?? error).slice(0, 400)}`)
    const failures = member(answer, '_shards').failures
    if (failures !== undefined && listOf(failures).length > 0)
      throw new Differs(
        `failures ${shapeOf(member(listOf(failures)[0], 'reason'))}`,
        `shards failed: ${print(failures).slice(0, 400)}`,
      )
    return isObject(answer) ? answer : {}
  }
}

/** The reason of an error without what it names. */
function shapeOf(error: Json): string {
  const reason = isObject(error) ? `${error.type}: ${error.reason}` : ''
  return reason.replace(/\[[^\]]*\]|\d+/g, '_').slice(0, 120)
}

function withoutCollapse({ collapse: _, ...body }: JsonObject): JsonObject {
  return body
}

/** Runs a scenario on indices of its own and returns the difference of its last check. */
export async function runScenario(service: Service, { world, checks }: Scenario): Promise<Difference | undefined> {
  const checker = await Checker.open(service, world)
  let difference: Difference | undefined
  for (const check of checks) difference = await checker.run(check)
  await checker.close()
  return difference
}
