/**
 * Templates: text with `%{field}`, `%{+yyyy.MM.dd}` and `%{{java.time}}`.
 *
 * A template is parsed once; expanding it is a loop over its parts. Configurations have few templates, and every event
 * passes through them.
 */
import { formatJavaTime } from '../time/java-time-format.ts'
import { formatJoda, type PatternPart, parseJodaPattern } from '../time/joda-pattern.ts'
import type { Event } from './event.ts'
import { type FieldReference, fieldReference, InvalidFieldReferenceError } from './field-reference.ts'
import { textForm } from './text-form.ts'

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly reference: FieldReference; readonly text: string }
  | { readonly kind: 'joda'; readonly pattern: readonly PatternPart[] }
  | { readonly kind: 'epoch' }
  | { readonly kind: 'java'; readonly pattern: string }
  | { readonly kind: 'now' }

const KNOWN_MAX = 10_000
const known = new Map<string, readonly Part[]>()

/** Whether the text contains anything to expand. */
export function isTemplate(text: string): boolean {
  const start = text.indexOf('%{')
  return start >= 0 && text.indexOf('}', start) >= 0
}

export function expandTemplate(template: string, event: Event): string {
  let parts = known.get(template)
  if (parts === undefined) {
    parts = parseTemplate(template)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(template, parts)
  }
  let text = ''
  for (let i = 0; i < parts.length; i++) text += expandPart(parts[i]!, event)
  return text
}

function expandPart(part: Part, event: Event): string {
  if (part.kind === 'text') return part.text
  if (part.kind === 'field') {
    const value = event.get(part.reference)
    return value === undefined || value === null ? part.text : textForm(value)
  }
  if (part.kind === 'now') return new Date().toISOString()
  const timestamp = event.timestamp
  if (timestamp === undefined) return ''
  if (part.kind === 'epoch') return String(Math.floor(timestamp.ms / 1000))
  return part.kind === 'joda' ? formatJoda(part.pattern, timestamp.ms) : formatJavaTime(part.pattern, timestamp)
}

function parseTemplate(template: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (;;) {
    const start = template.indexOf('%{', at)
    if (start < 0) break
    const close = template.indexOf('}', start)
    if (close < 0) break
    if (start > at) parts.push({ kind: 'text', text: template.slice(at, start) })
    // `%{{…}` with a single closing brace is a field reference, to a field that hardly exists.
    const isJava = template[start + 2] === '{' && template[close + 1] === '}'
    at = close + (isJava ? 2 : 1)
    const whole = template.slice(start, at)
    parts.push(isJava ? javaPart(whole.slice(3, -2)) : referencePart(whole))
  }
  if (at < template.length) parts.push({ kind: 'text', text: template.slice(at) })
  return parts
}

function javaPart(pattern: string): Part {
  return pattern === 'TIME_NOW' ? { kind: 'now' } : { kind: 'java', pattern }
}

function referencePart(whole: string): Part {
  const inner = whole.slice(2, -1)
  if (inner === '+%s') return { kind: 'epoch' }
  if (inner.startsWith('+')) return { kind: 'joda', pattern: parseJodaPattern(inner.slice(1)) }
  try {
    return { kind: 'field', reference: fieldReference(inner), text: whole }
  } catch (error) {
    if (error instanceof InvalidFieldReferenceError) return { kind: 'text', text: whole }
    throw error
  }
}
