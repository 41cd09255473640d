/**
 * The nodes of a date format. One tree both parses and prints; `node-parser.ts` and `node-printer.ts` traverse it.
 */

/**
 * When a sign may precede a number.
 * - `normal`: minus only
 * - `never`, `not-negative`: none
 * - `exceeds-pad`: plus if there are more digits than the minimum
 */
export type SignStyle = 'normal' | 'never' | 'not-negative' | 'exceeds-pad'

export type TextStyle = 'full' | 'short' | 'narrow'

/** Neither fixed nor followed by digits. */
export const OPEN_WIDTH = 0
/** Exactly `max` digits, because another number follows without a separator. */
export const FIXED_WIDTH = -1

export interface ValueNode {
  kind: 'value'
  field: number
  min: number
  max: number
  sign: SignStyle
  /** Digits of directly following numbers, which belong to those; FIXED_WIDTH or OPEN_WIDTH otherwise. */
  following: number
  /** For two-digit years: the first year of their century. */
  base: number | undefined
}

export interface OffsetNode {
  kind: 'offset'
  minutes: 'none' | 'optional' | 'required'
  seconds: 'none' | 'optional' | 'required'
  colon: boolean
  /** The text for offset zero: `Z`, `+00:00`, or nothing. */
  zero: string
}

export type FormatNode =
  | ValueNode
  | OffsetNode
  | { kind: 'literal'; text: string }
  | { kind: 'fraction'; field: number; min: number; max: number; point: boolean }
  | { kind: 'text'; field: number; style: TextStyle; standalone: boolean; number: ValueNode }
  | { kind: 'zone-id' }
  | { kind: 'zone-or-offset' }
  | { kind: 'zone-name'; style: TextStyle; generic: boolean }
  | { kind: 'localized-offset'; style: TextStyle }
  | { kind: 'epoch-sign' }
  | { kind: 'optional'; nodes: FormatNode[] }
  | { kind: 'group'; nodes: FormatNode[] }
  | { kind: 'pad'; node: FormatNode; width: number }
  | { kind: 'ignore-case' }

/** Collects nodes and determines how adjacent numbers share their digits. */
export class NodeSequence {
  readonly nodes: FormatNode[] = []
  /** The previous number, if nothing has followed it yet. */
  #openValue = -1

  add(node: FormatNode): this {
    if (node.kind === 'value') this.#addValue(node)
    else if (node.kind === 'fraction' && !node.point && node.min === node.max && this.#openValue >= 0) {
      this.#shareDigits(node.max)
      this.nodes.push(node)
    } else {
      this.nodes.push(node)
      this.#openValue = -1
    }
    return this
  }

  /** A fixed-width number takes its digits from the end of the open one: `yyyyMMdd` parses years of any length. */
  #shareDigits(count: number): void {
    const open = this.nodes[this.#openValue] as ValueNode
    this.nodes[this.#openValue] = { ...open, following: Math.max(open.following, 0) + count }
  }

  #addValue(added: ValueNode): void {
    const open = this.#openValue
    if (open < 0) {
      this.#openValue = this.nodes.push(added) - 1
      return
    }
    const before = this.nodes[open] as ValueNode
    if (added.min === added.max && added.sign === 'not-negative') {
      this.#shareDigits(added.max)
      this.nodes.push({ ...added, following: FIXED_WIDTH })
    } else {
      this.nodes[open] = { ...before, following: FIXED_WIDTH }
      this.#openValue = this.nodes.push(added) - 1
    }
  }
}

/** A number of exactly `width` digits. */
export function digits(field: number, width: number): ValueNode {
  return { kind: 'value', field, min: width, max: width, sign: 'not-negative', following: OPEN_WIDTH, base: undefined }
}

export function value(field: number, min: number, max: number, sign: SignStyle): ValueNode {
  return { kind: 'value', field, min, max, sign, following: OPEN_WIDTH, base: undefined }
}

/** A number of any length. */
export function anyDigits(field: number): ValueNode {
  return value(field, 1, 19, 'normal')
}

/** A sequence of nodes; a string is literal text. */
export function sequence(...parts: (FormatNode | string)[]): FormatNode[] {
  const nodes = new NodeSequence()
  for (const part of parts) nodes.add(typeof part === 'string' ? { kind: 'literal', text: part } : part)
  return nodes.nodes
}

export function optional(...parts: (FormatNode | string)[]): FormatNode {
  return { kind: 'optional', nodes: sequence(...parts) }
}

/** A complete format inside another: numbers at its edges do not share digits with those outside. */
export function group(...parts: (FormatNode | string)[]): FormatNode {
  return { kind: 'group', nodes: sequence(...parts) }
}

/** Whether the nodes contain a number or fraction of this field. */
export function mentions(nodes: readonly FormatNode[], field: number): boolean {
  return nodes.some((node) => {
    if (node.kind === 'optional' || node.kind === 'group') return mentions(node.nodes, field)
    if (node.kind === 'pad') return mentions([node.node], field)
    return 'field' in node && node.field === field
  })
}
