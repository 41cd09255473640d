/**
 * Parses a text along the nodes of a format. Every function returns the position after the parsed part, or the
 * complement (`~`) of the position where it failed, which is part of the error message.
 */

import { readOffset } from '../zone/offset-text.ts'
import { readLocalizedOffset, readZone, readZoneName } from '../zone/zone-text.ts'
import { EPOCH_NEGATIVE, fractionDigits, NANO } from './date-fields.ts'
import { fieldNames } from './date-names.ts'
import { FIXED_WIDTH, type FormatNode, type TextStyle, type ValueNode } from './format-node.ts'
import type { ParsedFields } from './parsed-fields.ts'
import { digitAt, readLiteral, ZERO } from './text-scan.ts'

const PLUS = 0x2b
const MINUS = 0x2d

/** Digits that always fit a 64-bit integer. */
const LONG_DIGITS = 18
const LONG_MAX = 9_223_372_036_854_775_807n

export function parseNodes(
  nodes: readonly FormatNode[],
  text: string,
  start: number,
  out: ParsedFields,
  locale: string,
): number {
  let at = start
  for (let i = 0; i < nodes.length; i++) {
    at = parseNode(nodes[i]!, text, at, out, locale)
    if (at < 0) return at
  }
  return at
}

function parseNode(node: FormatNode, text: string, at: number, out: ParsedFields, locale: string): number {
  switch (node.kind) {
    case 'value':
      return readValue(node, text, at, out)
    case 'literal':
      return readLiteral(node.text, text, at, out.ignoreCase)
    case 'fraction':
      return readFraction(node, text, at, out)
    case 'optional': {
      const present = out.present
      const zone = out.zone
      const end = parseNodes(node.nodes, text, at, out, locale)
      if (end >= 0) return end
      out.present = present
      out.zone = zone
      return at
    }
    case 'group':
      return parseNodes(node.nodes, text, at, out, locale)
    case 'offset':
      return readOffset(node, text, at, out)
    case 'zone-id':
    case 'zone-or-offset':
      return readZone(text, at, out)
    case 'zone-name':
      return readZoneName(text, at, out)
    case 'localized-offset':
      return readLocalizedOffset(node.style, text, at, out)
    case 'text':
      return readText(node, text, at, out, locale)
    case 'epoch-sign':
      if (text.charCodeAt(at) === MINUS) {
        out.put(EPOCH_NEGATIVE, 1)
        return at + 1
      }
      return at
    case 'pad':
      return readPadded(node.node, node.width, text, at, out, locale)
    case 'ignore-case':
      out.ignoreCase = true
      return at
  }
}

function readValue(node: ValueNode, text: string, start: number, out: ParsedFields): number {
  const length = text.length
  if (start === length) return ~start
  let at = start
  const sign = text.charCodeAt(at)
  if (sign === PLUS) {
    if (node.sign !== 'exceeds-pad') return ~at
    at++
  } else if (sign === MINUS) {
    if (node.sign !== 'exceeds-pad' && node.sign !== 'normal') return ~at
    at++
  }
  if (at + node.min > length) return ~at

  const following = node.following === FIXED_WIDTH ? 0 : node.following
  let end = countDigits(text, at, Math.min(at + node.max + following, length))
  if (end - at < node.min) return ~at
  // The digits of following numbers belong to those, even if this number could take them.
  if (following > 0) end = at + Math.max(node.min, end - at - following)

  let total = 0
  if (end - at <= LONG_DIGITS) {
    for (let i = at; i < end; i++) total = total * 10 + text.charCodeAt(i) - ZERO
  } else {
    let exact = BigInt(text.slice(at, end))
    if (exact > LONG_MAX) {
      exact /= 10n
      end--
    }
    total = Number(exact)
  }

  if (sign === MINUS) {
    if (total === 0) return ~(at - 1)
    total = -total
  } else if (node.sign === 'exceeds-pad') {
    if (sign === PLUS && end - at <= node.min) return ~(at - 1)
    if (sign !== PLUS && end - at > node.min) return ~at
  }
  if (node.base !== undefined && end - at === node.min && total >= 0) total = yearFrom(node.base, node.min, total)
  return out.set(node.field, total) ? end : ~at
}

function countDigits(text: string, start: number, limit: number): number {
  let at = start
  while (at < limit && digitAt(text, at) >= 0) at++
  return at
}

/** The year that ends in these digits, at or after the base. */
function yearFrom(base: number, digitCount: number, lastDigits: number): number {
  const range = 10 ** digitCount
  const candidate = base - (base % range) + lastDigits
  return candidate < base ? candidate + range : candidate
}

function readFraction(
  node: { field: number; min: number; max: number; point: boolean },
  text: string,
  start: number,
  out: ParsedFields,
): number {
  const absent = node.min > 0 ? ~start : start
  if (start === text.length) return absent
  let at = start
  if (node.point) {
    if (text[at] !== '.') return absent
    at++
  }
  if (at + node.min > text.length) return ~at
  const end = countDigits(text, at, Math.min(at + node.max, text.length))
  if (end - at < node.min) return ~at
  let total = 0
  for (let i = at; i < end; i++) total = total * 10 + text.charCodeAt(i) - ZERO
  const digits = node.field === NANO ? 9 : fractionDigits(node.field)
  return out.set(node.field, total * 10 ** (digits - (end - at))) ? end : ~at
}

function readText(
  node: { field: number; style: TextStyle; standalone: boolean; number: ValueNode },
  text: string,
  at: number,
  out: ParsedFields,
  locale: string,
): number {
  const { names, accepted, first, ambiguous } = fieldNames(node.field, node.style, node.standalone, locale)
  if (ambiguous) return readValue(node.number, text, at, out)
  let best = -1
  for (let i = 0; i < accepted.length; i++) {
    const name = accepted[i]!
    if (best >= 0 && name.length <= accepted[best]!.length) continue
    if (readLiteral(name, text, at, out.ignoreCase) >= 0) best = i
  }
  if (best < 0) return ~at
  return out.set(node.field, (best % names.length) + first) ? at + accepted[best]!.length : ~at
}

/** Parses `node` within exactly `width` characters, skipping leading spaces. */
function readPadded(
  node: FormatNode,
  width: number,
  text: string,
  start: number,
  out: ParsedFields,
  locale: string,
): number {
  if (start >= text.length) return ~start
  const end = start + width
  if (end > text.length) return ~start
  let at = start
  while (at < end && text[at] === ' ') at++
  const result = parseNode(node, text.slice(0, end), at, out, locale)
  return result !== end ? ~at : result
}
