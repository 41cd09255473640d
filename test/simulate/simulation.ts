/**
 * One run of the simulation. A seed determines everything: the requests of clients, the order of calls in flight, the
 * failing calls, kills and power failures. The same seed repeats the run.
 */

import { SeededRandom } from '../../src/base/seeded-random.ts'
import { DocumentHistory } from './document-history.ts'
import {
  SimulatedClient as Client,
  INDEX,
  type Register,
  type SimulatedClient,
  type Surroundings,
  searchAll,
} from './simulated-client.ts'
import { type Fault, type FaultPlan, SimulatedDisk } from './simulated-disk.ts'
import { type Answer, SimulatedNode } from './simulated-node.ts'
import { SimulatedTimers } from './simulated-timers.ts'

export interface SimulationOptions {
  readonly seed: number
  /** Called for every event. */
  readonly onEvent?: (event: string) => void
  /** Fails exactly this call instead of those that the seed would choose. */
  readonly faultAt?: { readonly call: number; readonly fault: Fault }
}

export interface SimulationResult {
  /** The number of disk calls. */
  readonly calls: number
  readonly faults: readonly string[]
  readonly crashes: number
  readonly requests: number
  /** The number of timers that fired. */
  readonly timers: number
  /** A hash of all events, to compare runs of the same seed. */
  readonly trace: number
}

const CLIENTS = 4
const DOCUMENTS = ['a', 'b', 'c', 'd']
const STEPS_MAX = 200_000
/** How often a step is a timer that fires. */
const TIMER_RATE = 0.01
/** Work that does not wait for the simulation needs some event loop turns. */
const IDLE_TURNS_MAX = 1000

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  return await new Simulation(options).run()
}

class Simulation {
  readonly #random: SeededRandom
  readonly #disk: SimulatedDisk
  readonly #options: SimulationOptions
  readonly #documents = new Map(DOCUMENTS.map((id) => [id, new DocumentHistory(id)]))
  readonly #registers: Register[] = []
  #node: SimulatedNode | undefined
  /** Clients that wait for their turn. */
  #turns: (() => void)[] = []
  #moment = 0
  #value = 0
  #process = 0
  #crashes = 0
  #requests = 0
  #trace = 0
  #nowMs = 1_700_000_000_000
  readonly #timers = new SimulatedTimers(() => this.#clock())
  #timersFired = 0

  constructor(options: SimulationOptions) {
    this.#options = options
    this.#random = new SeededRandom(options.seed)
    this.#disk = new SimulatedDisk(this.#random)
    this.#disk.onCall = options.onEvent
  }

  async run(): Promise<SimulationResult> {
    this.#timers.install()
    try {
      return await this.#run()
    } finally {
      this.#timers.uninstall()
    }
  }

  async #run(): Promise<SimulationResult> {
    const random = this.#random
    const plan = this.#faultPlan()
    const isSingleFault = this.#options.faultAt !== undefined
    if (isSingleFault) await this.#startWithFaults(plan, 0)
    else await this.#start()
    if (isSingleFault) this.#disk.faultPlan = plan
    const settings = {
      'index.refresh_interval': random.pick(['-1', '1s']),
      'index.number_of_shards': random.chance(0.3) ? '2' : '1',
    }
    await this.#drive(this.#createIndex(settings))
    const lives = isSingleFault ? 2 : 1 + random.below(3)
    for (let life = 0; life < lives; life++) {
      this.#disk.faultPlan = plan
      await this.#live(random.chance(0.7) || isSingleFault)
      if (!isSingleFault) this.#disk.faultPlan = () => undefined
      if (random.chance(0.25)) await this.#stopInOrder()
      this.#disk.faultPlan = () => undefined
      const isKilled = this.#crash()
      // After a power failure the newest acknowledgements may not be recorded yet, and damage to those is treated as a
      // torn tail.
      const isDamaged = !isSingleFault && isKilled && random.chance(0.2) ? this.#disk.flipBit() : undefined
      if (isDamaged !== undefined) {
        await this.#checkDamaged(isDamaged)
        break
      }
      if (isSingleFault || random.chance(0.3)) await this.#startWithFaults(plan, isSingleFault ? 0 : 0.5)
      else await this.#start()
      await this.#checkAfterStart()
    }
    for (const history of this.#documents.values()) history.check()
    const { calls, faults, usedWhenClosed } = this.#disk
    if (usedWhenClosed !== undefined) throw new Error(`${usedWhenClosed} is used after it was closed`)
    const timers = this.#timersFired
    return { calls, faults, crashes: this.#crashes, requests: this.#requests, timers, trace: this.#trace }
  }

  // --- one process ---

  /** Runs the clients until they are done or the process ends. */
  async #live(untilDone: boolean): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, (_, i) => new Client(this.#around(), i))
    for (const client of clients) this.#adopt(client)
    const working = Promise.all(clients.map((client) => client.run(8 + this.#random.below(10))))
    const steps = untilDone ? Number.POSITIVE_INFINITY : 20 + this.#random.below(400)
    await this.#drive(working, steps)
  }

  /** A client of a new process continues with the template of its predecessor. */
  #adopt(client: SimulatedClient): void {
    const [own] = client.registers
    const known = this.#registers.find(({ path }) => path === own!.path)
    if (known === undefined) this.#registers.push(own!)
    else client.registers[0] = known
    const add = client.registers.push.bind(client.registers)
    client.registers.push = (...registers: Register[]) => {
      this.#registers.push(...registers)
      return add(...registers)
    }
    const made = this.#registers.filter(({ path }) => path.startsWith('/own')).length
    client.firstIndex = made
  }

  async #stopInOrder(): Promise<void> {
    await this.#drive(this.#node!.node.close())
  }

  /** Kills the process or simulates a power failure. */
  #crash(): boolean {
    this.#crashes++
    this.#process++
    this.#node = undefined
    this.#turns = []
    this.#timers.kill()
    const isKilled = this.#random.chance(0.5)
    if (isKilled) this.#disk.kill()
    else this.#disk.powerCut()
    this.#note(isKilled ? 'kill' : 'power cut')
    return isKilled
  }

  async #start(): Promise<void> {
    await this.#drive(
      SimulatedNode.open(this.#disk, () => this.#clock()).then((node) => {
        this.#node = node
      }),
    )
  }

  /** Starts the node on a faulty disk. A failing start must not make anything worse, and is repeated. */
  async #startWithFaults(plan: FaultPlan, crashRate: number): Promise<void> {
    this.#disk.faultPlan = plan
    const isOpen = await this.#start().then(
      () => this.#node!.failedShards.length === 0,
      () => false,
    )
    this.#disk.faultPlan = () => undefined
    if (isOpen && !this.#random.chance(crashRate)) return
    this.#crash()
    await this.#start()
  }

  async #createIndex(settings: object): Promise<void> {
    const send = (method: string, path: string, body?: object) => this.#send(method, path, body)
    for (;;) {
      const { status } = await send('PUT', `/${INDEX}`, { settings })
      if (status === 200 || status === 400) break
    }
    // A write that arrives after the deletion of its index must not create it again.
    for (;;) {
      const { status } = await send('PUT', '/_cluster/settings', {
        persistent: { 'action.auto_create_index': 'false' },
      })
      if (status === 200) return
    }
  }

  // --- checks ---

  /** With an intact disk everything opens and equals the state that the clients know. */
  async #checkAfterStart(): Promise<void> {
    const failed = this.#node!.failedShards
    if (failed.length > 0) throw new Error(`shards do not open on a sound disk: ${failed.join('; ')}`)
    await this.#drive(this.#checkDocuments(false))
    await this.#drive(this.#checkRegisters(false))
    for (const history of this.#documents.values()) history.check()
  }

  /** With a damaged file responses may be errors, but never wrong. */
  async #checkDamaged(path: string): Promise<void> {
    try {
      await this.#start()
    } catch (error) {
      const isNamed = /^(Corrupt|Missing|Damaged)/.test((error as Error).name)
      if (!isNamed) throw new Error(`damage to ${path} is answered with ${(error as Error).stack}`)
      return
    }
    await this.#drive(this.#checkDocuments(true))
    await this.#drive(this.#checkRegisters(true))
  }

  async #checkDocuments(isDamaged: boolean): Promise<void> {
    const around = this.#around()
    // The process may have ended while a client had closed the index.
    const opened = await around.send('POST', `/${INDEX}/_open`)
    if (opened.status !== 200 && !isDamaged) throw new Error(`the index does not open: ${JSON.stringify(opened.body)}`)
    const gets: { id: string; value: number; seqNo: number; version: number }[] = []
    let isWhole = true
    for (const [id, history] of this.#documents) {
      const startedAt = this.#now()
      const { status, body } = await around.send('GET', `/${INDEX}/_doc/${id}`)
      const isAnswer = status === 200 || (status === 404 && body.found === false)
      if (!isAnswer && !isDamaged) throw new Error(`get ${id} is answered with ${status} ${JSON.stringify(body)}`)
      isWhole &&= isAnswer
      if (!isAnswer) continue
      const found = { value: body._source?.value, seqNo: body._seq_no, version: body._version }
      history.read({ ...found, startedAt, endedAt: this.#now(), isSearch: false })
      if (body.found) gets.push({ id, ...found })
    }
    const refreshed = await around.send('POST', `/${INDEX}/_refresh`)
    const hits = refreshed.status === 200 ? await searchAll(around) : undefined
    if (hits === undefined || !isWhole) {
      if (!isDamaged) throw new Error('a search is refused on a sound disk')
      return
    }
    const sorted = (list: typeof gets) => JSON.stringify(list.sort((a, b) => (a.id < b.id ? -1 : 1)))
    if (sorted(hits) !== sorted(gets)) throw new Error(`search and get disagree: ${sorted(hits)} and ${sorted(gets)}`)
  }

  async #checkRegisters(isDamaged: boolean): Promise<void> {
    for (const register of this.#registers) {
      const { path, state, maybe } = register
      const { status, body } = await this.#send('GET', path)
      if (status !== 200 && status !== 404 && !isDamaged) {
        throw new Error(`get ${path} is answered with ${status} ${JSON.stringify(body)}`)
      }
      const isTemplate = path.startsWith('/_component_template')
      const found = status !== 200 ? undefined : isTemplate ? body.component_templates[0].component_template.version : 1
      const isExpected = found === state || maybe.includes(found)
      if (!isExpected && !(isDamaged && status >= 500)) {
        throw new Error(`${path} is ${found}, not ${[state, ...maybe].join(' or ')}`)
      }
      register.state = found
      register.maybe = []
    }
  }

  // --- scheduling ---

  /** Runs calls and clients one at a time until the work is done or the steps are used up. */
  async #drive(work: Promise<unknown>, steps = STEPS_MAX): Promise<void> {
    let isDone = false
    let failure: { readonly error: unknown } | undefined
    work.then(
      () => {
        isDone = true
      },
      (error) => {
        failure = { error }
        isDone = true
      },
    )
    let idle = 0
    for (let step = 0; step < steps; step++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isDone) break
      const choices = this.#turns.length + (this.#disk.isBusy ? 2 : 0)
      if (choices === 0) {
        if (++idle < IDLE_TURNS_MAX) continue
        // Everything waits for a timer. Without one a wake-up was lost.
        if (!this.#timers.isWaiting) throw new Error('nothing goes on, and a request is not answered')
        this.#fireTimer()
        idle = 0
        continue
      }
      idle = 0
      if (this.#timers.isWaiting && this.#random.chance(TIMER_RATE)) {
        this.#fireTimer()
        continue
      }
      const choice = this.#random.below(choices)
      this.#note(`step ${choice} of ${choices}`)
      if (choice < this.#turns.length) this.#turns.splice(choice, 1)[0]!()
      else this.#disk.step()
      if (step === STEPS_MAX - 1) throw new Error('the work does not end')
    }
    if (failure !== undefined) throw failure.error
  }

  #fireTimer(): void {
    this.#note('timer')
    this.#timersFired++
    const dueMs = this.#timers.fire()
    this.#nowMs = Math.max(this.#nowMs, dueMs ?? 0)
  }

  #around(): Surroundings {
    const process = this.#process
    return {
      random: this.#random,
      documents: this.#documents,
      now: () => this.#now(),
      newValue: () => ++this.#value,
      turn: () =>
        new Promise((resolve) => {
          if (process === this.#process) this.#turns.push(resolve)
        }),
      send: async (method, path, body) => {
        const answer = await this.#send(method, path, body)
        // The process that sent the response is gone, so the response is lost.
        if (process !== this.#process) await new Promise(() => undefined)
        return answer
      },
    }
  }

  async #send(method: string, path: string, body?: object | string): Promise<Answer> {
    this.#requests++
    this.#note(`${method} ${path}`)
    const answer = await this.#node!.request(method, path, body)
    this.#note(`${answer.status} for ${method} ${path}`)
    return answer
  }

  #faultPlan(): FaultPlan {
    const { faultAt } = this.#options
    if (faultAt !== undefined) return (call) => (call === faultAt.call ? faultAt.fault : undefined)
    const random = new SeededRandom(this.#random.below(2 ** 32))
    const kind = random.below(5)
    if (kind === 0) return () => undefined
    if (kind < 4) {
      const rate = random.pick([0.002, 0.01, 0.05])
      return () => (random.chance(rate) ? random.pick<Fault>(['EIO', 'ENOSPC', 'EMFILE', 'short']) : undefined)
    }
    // A disk that is full for a while rejects every write and nothing else.
    const from = random.below(600)
    const to = from + random.below(300)
    return (call, calledKind) => (call >= from && call < to && calledKind === 'grow' ? 'short' : undefined)
  }

  /** The time advances with events, so that time-dependent behaviour is repeatable. */
  #clock(): number {
    this.#nowMs += 0.1
    return this.#nowMs
  }

  #now(): number {
    return ++this.#moment
  }

  #note(event: string): void {
    this.#options.onEvent?.(event)
    this.#moment++
    for (let i = 0; i < event.length; i++) this.#trace = (Math.imul(this.#trace, 31) + event.charCodeAt(i)) | 0
  }
}
