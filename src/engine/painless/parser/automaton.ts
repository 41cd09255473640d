/** The grammar as an automaton: one graph of states per rule, joined by calls. */
import { type Element, GRAMMAR } from './grammar.ts'

export interface State {
  readonly id: number
  /** The tokens that lead to `next`; undefined for states that are left without a token. */
  tokens?: ReadonlySet<string>
  next?: State
  readonly edges: Edge[]
  /** The rule that ends here. */
  ends?: Rule
}

export interface Edge {
  to: State
  /** The edge calls a rule and continues here. */
  back?: State
  /** What the called expression may bind, or the precedence of an operator. */
  precedence?: number
}

export interface Rule {
  readonly start: State
  readonly stop: State
  readonly body: Node
  /** Binary operators, which are parsed by precedence. */
  readonly isBinary: boolean
  /** Where the callers continue. */
  readonly returns: { to: State; precedence: number }[]
}

/** An element with its states, which the walk over the grammar follows. */
export type Node =
  | { kind: 'token'; state: State }
  | { kind: 'call'; rule: string; back: State; precedence: number }
  | { kind: 'sequence'; items: readonly Node[] }
  | { kind: 'choice'; state: State; alternatives: readonly Node[]; first: FirstSets }
  | { kind: 'optional' | 'star' | 'plus'; state: State; item: Node; first: FirstSets; isBinary: boolean }
  | { kind: 'eager'; item: Node; token: string }

/** The first tokens of each alternative of a decision if no two share one; computed on first use. */
export interface FirstSets {
  sets?: readonly ReadonlySet<string>[] | null
}

let count = 0
const state = (): State => ({ id: count++, edges: [] })
const rules = new Map<string, Rule>()

export function rule(name: string): Rule {
  if (rules.size === 0) build()
  return rules.get(name)!
}

function build(): void {
  const made = Object.entries(GRAMMAR).map(([name, element]) => {
    const stop = state()
    const empty: Node = { kind: 'sequence', items: [] }
    const own = { start: state(), stop, returns: [], body: empty as Node, isBinary: name === 'binary' }
    stop.ends = own
    rules.set(name, own)
    return { own, element }
  })
  for (const { own, element } of made) own.body = add(element, own.start, own.stop)
}

function token(tokens: readonly string[], from: State, to: State): Node {
  const at = state()
  at.tokens = new Set(tokens)
  at.next = to
  from.edges.push({ to: at })
  return { kind: 'token', state: at }
}

function call(name: string, from: State, to: State, precedence: number): Node {
  const called = rules.get(name)!
  called.returns.push({ to, precedence })
  from.edges.push({ to: called.start, back: to, precedence })
  return { kind: 'call', rule: name, back: to, precedence }
}

function add(element: Element, from: State, to: State): Node {
  if (typeof element === 'string')
    return element.startsWith('#') ? call(element.slice(1), from, to, 0) : token([element], from, to)
  switch (element.kind) {
    case 'set':
      return token(element.tokens, from, to)
    case 'sequence': {
      let at = from
      const items = element.items.map((item, i) => {
        const end = i === element.items.length - 1 ? to : state()
        const node = add(item, at, end)
        at = end
        return node
      })
      return { kind: 'sequence', items }
    }
    case 'operator': {
      const after = state()
      const start = state()
      from.edges.push({ to: start, precedence: element.precedence })
      // All operators but ?: associate to the left: what stands on the right binds more tightly.
      const right = element.precedence === 1 ? 1 : element.precedence + 1
      const name = (element.right as string).slice(1)
      return {
        kind: 'sequence',
        items: [token(element.tokens, start, after), call(name, after, to, name === 'binary' ? right : 0)],
      }
    }
    case 'choice': {
      const own = entered(from)
      const alternatives = element.alternatives.map((alternative) => branch(alternative, own, to))
      return { kind: 'choice', state: own, alternatives, first: {} }
    }
    case 'eager': {
      const own = entered(from)
      const item = branch(element.item, own, to)
      own.edges.push({ to })
      return { kind: 'eager', item, token: element.first }
    }
    case 'optional': {
      const own = entered(from)
      const item = branch(element.item, own, to)
      own.edges.push({ to })
      return { kind: 'optional', state: own, item, first: {}, isBinary: false }
    }
    default: {
      const own = state()
      const item = branch(element.item, own, own)
      own.edges.push({ to })
      const isBinary = typeof element.item === 'object' && element.item.kind === 'choice'
      if (element.kind === 'star') from.edges.push({ to: own })
      // The first round of `plus` needs no decision.
      else from.edges.push({ to: own.edges[0]!.to })
      return { kind: element.kind, state: own, item, first: {}, isBinary }
    }
  }
}

function entered(from: State): State {
  const own = state()
  from.edges.push({ to: own })
  return own
}

function branch(element: Element, from: State, to: State): Node {
  const start = entered(from)
  return add(element, start, to)
}

/**
 * The first tokens of each alternative; null if two share one or an alternative depends on the precedence. Such decisions look
 * ahead further.
 */
export function firstSets(decision: State, known: FirstSets): readonly ReadonlySet<string>[] | null {
  if (known.sets !== undefined) return known.sets
  const all = new Set<string>()
  let total = 0
  const sets = decision.edges.map((edge) => {
    const found = new Set<string>()
    const plain = firstTokens(edge.to, found, new Set(), 0)
    total += plain ? found.size : Number.NaN
    for (const one of found) all.add(one)
    return found
  })
  known.sets = total === all.size ? sets : null
  return known.sets
}

/** Collects the tokens that can come next, in whatever place the rule was called. Returns false at an operator. */
function firstTokens(at: State, found: Set<string>, seen: Set<State>, depth: number): boolean {
  if (seen.has(at)) return true
  seen.add(at)
  for (const one of at.tokens ?? []) found.add(one)
  let plain = true
  for (const { to, back, precedence } of at.edges) {
    if (back === undefined && precedence !== undefined) plain = false
    else plain = firstTokens(to, found, seen, depth + 1) && plain
  }
  // No rule but the whole script can be empty, so a call is never passed without a token.
  if (at.ends !== undefined) for (const { to } of at.ends.returns) plain = firstTokens(to, found, seen, depth) && plain
  return plain
}
