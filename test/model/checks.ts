/** Runs checks: asks the service, and compares its answers with those of the model. */
import { aggregate } from './aggregations.ts'
import { isList, isObject, type Json, type JsonObject, listOf, member, print } from './json.ts'
import { matches } from './queries.ts'
import type { Check } from './requests.ts'
import { fieldsDiffer, hitsDiffer, type Ranked, ranked } from './search.ts'
import type { Service } from './service.ts'
import { type Item, itemsOf, NotModelled, setUp, type World, withRuntime } from './world.ts'

/** A difference: its class, which shrinking keeps, and what differs. */
export interface Difference {
  readonly kind: string
  readonly text: string
}

export interface Scenario {
  readonly world: World
  readonly checks: readonly Check[]
}

class Differs extends Error {
  readonly kind: string
  constructor(kind: string, text: string) {
    super(text)
    this.kind = kind
  }
}

/** More pages than any check needs. */
const PAGES_MAX = 500

export class Checker {
  readonly #service: Service
  readonly #world: World
  readonly #items: readonly Item[]
  readonly #target: string

  private constructor(service: Service, world: World) {
    this.#service = service
    this.#world = world
    this.#items = itemsOf(world)
    this.#target = world.indices.map(({ name }) => name).join(',')
  }

  static async open(service: Service, world: World): Promise<Checker> {
    for (const { name } of world.indices) await service.send('DELETE', `/${name}`)
    for (const { method, path, body, isLines } of setUp(world)) {
      const reply = await service.send(method, path, body, isLines)
      if (reply.status >= 300 || (isObject(reply.body) && reply.body.errors === true))
        throw new Error(`${method} ${path}: ${reply.status} ${print(reply.body).slice(0, 600)}`)
    }
    return new Checker(service, world)
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
    switch (check.kind) {
      case 'do':
        await this.#ask('POST', `/${this.#target}/${check.path}`)
        return
      case 'search':
        for (const _ of ['first', 'again']) await this.#search(check.body)
        return
      case 'pages':
        return this.#pages(check.way, check.size, check.body, ranked(this.#itemsOf(check.body), check.body))
      case 'slices':
        return this.#slices(check.way, check.max, check.size, check.body)
      case 'composite':
        return this.#composite(check.size, check.body)
    }
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

  async #pages(way: string, size: number, body: JsonObject, expected: readonly Ranked[]): Promise<void> {
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
    }
    if (pit !== undefined) await this.#ask('DELETE', '/_pit', { id: pit })
    if (scroll !== undefined) await this.#service.send('DELETE', '/_search/scroll', { scroll_id: scroll })
  }

  async #slices(way: string, max: number, size: number, body: JsonObject): Promise<void> {
    const expected = ranked(this.#itemsOf(body), body)
    const pit = way === 'pit' ? await this.#openPit() : undefined
    const seen = new Set<string>()
    let totals = 0
    for (let id = 0; id < max; id++) {
      const own: Json[] = []
      let total: Json | undefined
      let scroll: Json | undefined
      let page: JsonObject = { ...body, size, slice: { id, max } }
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

/** The first difference of two values, with numbers equal that differ in the last digits of a sum. */
function aggregationsDiffer(shown: Json, expected: Json, at: string): string | undefined {
  if (isList(shown) && isList(expected)) {
    for (let i = 0; i < Math.max(shown.length, expected.length); i++) {
      if (i >= shown.length) return `${at}[${i}] is missing: ${print(expected[i]!).slice(0, 200)}`
      if (i >= expected.length) return `${at}[${i}] is one too many: ${print(shown[i]!).slice(0, 200)}`
      const difference = aggregationsDiffer(shown[i]!, expected[i]!, `${at}[${i}]`)
      if (difference !== undefined) return difference
    }
    return undefined
  }
  if (isObject(shown) && isObject(expected)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(shown)])) {
      const [left, right] = [shown[name], expected[name]]
      if (left === undefined || right === undefined)
        return `${at}.${name} is ${left === undefined ? 'missing' : 'one too many'}: ${print((left ?? right)!).slice(0, 200)}`
      const difference = aggregationsDiffer(left, right, `${at}.${name}`)
      if (difference !== undefined) return difference
    }
    return undefined
  }
  return isSame(shown, expected) ? undefined : `${at} is ${print(shown)} instead of ${print(expected)}`
}

function isSame(a: Json, b: Json): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
  if ((typeof a === 'bigint' || typeof b === 'bigint') && typeof a !== 'string' && typeof b !== 'string')
    return Number(a) === Number(b)
  return a === b
}

/** Runs a scenario on indices of its own and returns the difference of its last check. */
export async function runScenario(service: Service, { world, checks }: Scenario): Promise<Difference | undefined> {
  const checker = await Checker.open(service, world)
  let difference: Difference | undefined
  for (const check of checks) difference = await checker.run(check)
  await checker.close()
  return difference
}
