/**
 * Which alternative of a decision the following tokens select, as ANTLR's ALL(*) algorithm finds it: first without looking at the
 * callers of the rule, and with them if two alternatives cannot be told apart.
 */
import type { Rule, State } from './automaton.ts'

/**
 * Where a called rule continues, in all the ways in which the call was reached. Calls at the same token that continue at the same
 * state are one object, so that their number does not grow with the number of ways. Undefined means any caller.
 */
export interface Calls {
  readonly back: State
  readonly parents: Set<Calls | undefined>
  readonly id: number
  /** Equal for calls with the same ways; 0 until it is computed. */
  shape: number
}

/** A place in the grammar that the tokens read so far can lead to. */
interface Place {
  readonly state: State
  readonly alternative: number
  readonly calls: Calls | undefined
  /** The rule of the decision has ended on the way. */
  readonly left: boolean
  /** The rule has ended in a caller that any operator may continue. */
  readonly outermost: boolean
}

/** The tokens fit no alternative. */
export class NoAlternative {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/** The search takes too many steps. */
export class TooLong {}

const STEPS_MAX = 150_000

export class Prediction {
  readonly #tokenAt: (index: number) => string
  readonly #shapes = new Map<string, number>()
  /** Where decisions start if the callers are not looked at. */
  readonly #known = new Map<number, Place[]>()
  #steps = 0
  #calls = 0

  constructor(tokenAt: (index: number) => string) {
    this.#tokenAt = tokenAt
  }

  call(back: State, parent: Calls | undefined): Calls {
    return { back, parents: new Set([parent]), id: ++this.#calls, shape: 0 }
  }

  /** The number of the alternative, from 0. */
  choose(decision: State, from: number, callers: Calls | undefined, precedence: number, isBinary: boolean): number {
    return (
      this.#search(decision, from, undefined, false, precedence, isBinary) ??
      this.#search(decision, from, callers, true, precedence, isBinary)!
    )
  }

  /** Undefined if the callers have to be known. */
  #search(
    decision: State,
    from: number,
    callers: Calls | undefined,
    full: boolean,
    precedence: number,
    isBinary: boolean,
  ): number | undefined {
    let places = this.#starts(decision, callers, full, precedence, isBinary)
    for (let index = from; ; index++) {
      const token = this.#tokenAt(index)
      const reached = this.#advance(places, token, full)
      if (reached.length === 0) {
        const ended = places.filter(({ left, state }) => left || state.ends !== undefined)
        if (ended.length === 0) throw new NoAlternative(index)
        return Math.min(...ended.map(({ alternative }) => alternative))
      }
      const only = single(reached)
      if (only !== undefined) return only
      if (full) {
        const decided = this.#viable(reached)
        if (decided !== undefined) return decided
      } else if (this.#isConflict(reached)) return undefined
      places = reached
      if (token === 'EOF') index--
    }
  }

  #starts(decision: State, callers: Calls | undefined, full: boolean, precedence: number, isBinary: boolean): Place[] {
    const key = decision.id * 16 + precedence
    const known = full ? undefined : this.#known.get(key)
    if (known !== undefined) return known
    const found = this.#computedStarts(decision, callers, full, precedence, isBinary)
    if (!full) this.#known.set(key, found)
    return found
  }

  #computedStarts(
    decision: State,
    callers: Calls | undefined,
    full: boolean,
    precedence: number,
    isBinary: boolean,
  ): Place[] {
    const closure = this.#closure(full, precedence, false)
    decision.edges.forEach(({ to }, alternative) => {
      this.#close({ state: to, alternative, calls: callers, left: false, outermost: false }, closure, 0)
    })
    const { found } = closure
    if (!isBinary || full) return found
    const key = ({ state, calls }: Place) => `${state.id} ${this.#shape(calls, false)}`
    const first = new Set(found.filter((place) => place.alternative === 0).map(key))
    return found.filter((place) => place.alternative === 0 || place.outermost || !first.has(key(place)))
  }

  #advance(places: readonly Place[], token: string, full: boolean): Place[] {
    const isEnd = token === 'EOF'
    const next: Place[] = []
    const ended: Place[] = []
    for (const place of places) {
      if (place.state.ends !== undefined) {
        if (full || isEnd) ended.push(place)
      } else if (place.state.tokens!.has(token)) next.push({ ...place, state: place.state.next! })
    }
    if (ended.length === 0 && !isEnd && single(next) !== undefined) return next
    const closure = this.#closure(full, undefined, isEnd)
    for (const place of next) this.#close(place, closure, 0)
    const reached = isEnd ? closure.found.filter(({ state }) => state.ends !== undefined) : closure.found
    return ended.length > 0 && (!full || reached.length === 0) ? [...reached, ...ended] : reached
  }

  #closure(full: boolean, precedence: number | undefined, isEnd: boolean): Closure {
    return { found: [], seen: new Set(), calls: new Map(), full, precedence, isEnd }
  }

  /** Adds the places that are reached without a token. `depth` counts the calls since the decision. */
  #close(place: Place, closure: Closure, depth: number): void {
    const { state, alternative, calls, left, outermost } = place
    const { seen, found, full, precedence } = closure
    const flags = (left ? 4 : 0) + (outermost ? 2 : 0) + (depth === 0 ? 1 : 0)
    const key = (((calls?.id ?? 0) * 1024 + state.id) * 16 + alternative) * 8 + flags
    if (seen.has(key)) return
    seen.add(key)
    if (++this.#steps > STEPS_MAX) throw new TooLong()
    if (state.ends !== undefined) {
      if (calls !== undefined) {
        for (const parent of calls.parents)
          this.#close({ state: calls.back, alternative, calls: parent, left, outermost }, closure, depth - 1)
      } else if (full || state.ends.returns.length === 0) found.push(place)
      else this.#leave(state.ends, place, closure, depth)
      return
    }
    if (state.tokens !== undefined) {
      found.push(place)
      // The end of the script can be taken twice.
      if (closure.isEnd && state.tokens.has('EOF'))
        this.#close({ state: state.next!, alternative, calls, left, outermost }, closure, depth)
      return
    }
    // A loop within a call from the same loop: going on in the caller leads to the same places, with fewer calls.
    for (let i = calls?.back === state ? 1 : 0; i < state.edges.length; i++) {
      const edge = state.edges[i]!
      if (edge.back !== undefined) this.#enter(edge.to, edge.back, place, closure, depth)
      else {
        const isBound = edge.precedence !== undefined && depth === 0 && precedence !== undefined
        if (isBound && edge.precedence! < precedence) continue
        this.#close({ state: edge.to, alternative, calls, left, outermost }, closure, depth)
      }
    }
  }

  #enter(to: State, back: State, place: Place, closure: Closure, depth: number): void {
    const { alternative, calls, left, outermost } = place
    const key = ((back.id * 1024 + to.id) * 16 + alternative) * 4 + (left ? 2 : 0) + (outermost ? 1 : 0)
    let entered = closure.calls.get(key)
    if (entered === undefined) closure.calls.set(key, (entered = this.call(back, calls)))
    else entered.parents.add(calls)
    this.#close({ state: to, alternative, calls: entered, left, outermost }, closure, depth + 1)
  }

  #leave(rule: Rule, place: Place, closure: Closure, depth: number): void {
    for (const { to, precedence } of rule.returns) {
      const outermost = place.outermost || (rule.isBinary && precedence === 0)
      this.#close({ ...place, state: to, calls: undefined, left: true, outermost }, closure, depth - 1)
    }
  }

  /** A number that is equal for calls with the same ways. Without known callers, "any caller" includes all others. */
  #shape(calls: Calls | undefined, full: boolean): number {
    if (calls === undefined) return 0
    if (calls.shape > 0) return calls.shape
    const parents = [...new Set([...calls.parents].map((parent) => this.#shape(parent, full)))].sort((a, b) => a - b)
    const key = `${calls.back.id}:${!full && parents[0] === 0 ? 0 : parents.join()}`
    let shape = this.#shapes.get(key)
    if (shape === undefined) this.#shapes.set(key, (shape = this.#shapes.size + 1))
    calls.shape = shape
    return shape
  }

  /** For each state and each set of callers, the alternatives that lead there. */
  #subsets(places: readonly Place[], full: boolean): Iterable<Set<number>> {
    const callers = new Map<number, Set<number>>()
    for (const { state, alternative, calls } of places) {
      const key = state.id * 16 + alternative
      let shapes = callers.get(key)
      if (shapes === undefined) callers.set(key, (shapes = new Set()))
      shapes.add(this.#shape(calls, full))
    }
    const found = new Map<string, Set<number>>()
    for (const [key, shapes] of callers) {
      const group = `${key >> 4} ${!full && shapes.has(0) ? 0 : [...shapes].sort().join()}`
      const known = found.get(group)
      if (known === undefined) found.set(group, new Set([key & 15]))
      else known.add(key & 15)
    }
    return found.values()
  }

  #isConflict(places: readonly Place[]): boolean {
    if (places.every(({ state }) => state.ends !== undefined)) return true
    const byState = new Map<State, Set<number>>()
    for (const { state, alternative } of places) {
      const known = byState.get(state)
      if (known === undefined) byState.set(state, new Set([alternative]))
      else known.add(alternative)
    }
    if ([...byState.values()].some((alternatives) => alternatives.size === 1)) return false
    return [...this.#subsets(places, false)].some((alternatives) => alternatives.size > 1)
  }

  /** The alternative if the smallest of each group is the same. */
  #viable(places: readonly Place[]): number | undefined {
    const smallest = new Set<number>()
    for (const alternatives of this.#subsets(places, true)) smallest.add(Math.min(...alternatives))
    return smallest.size === 1 ? [...smallest][0] : undefined
  }
}

/** The places that are reached without a token, while they are collected. */
interface Closure {
  readonly found: Place[]
  readonly seen: Set<number>
  readonly calls: Map<number, Calls>
  readonly full: boolean
  /** The precedence that limits operators; undefined after the first token. */
  readonly precedence: number | undefined
  readonly isEnd: boolean
}

/** The alternative of all places; undefined if they differ. */
function single(places: readonly Place[]): number | undefined {
  const first = places[0]?.alternative
  return places.every(({ alternative }) => alternative === first) ? first : undefined
}
