/**
 * Field references: `name`, `[name]`, `[a][b][0]`, `[@metadata][x]`.
 *
 * Parsed references are cached, because configurations use a handful of them for millions of events.
 */
export interface FieldReference {
  /** The reference as written. */
  readonly text: string
  readonly path: readonly string[]
  /** The first name, or undefined for the root of the metadata. */
  readonly inMetadata: boolean
}

export class InvalidFieldReferenceError extends Error {
  constructor(text: string) {
    super(`Invalid FieldReference: \`${text}\``)
    this.name = 'InvalidFieldReferenceError'
  }
}

/** `config.field_reference.escape_style`: how brackets are written inside a name. */
export type EscapeStyle = 'none' | 'percent' | 'ampersand'

const METADATA = '@metadata'
const KNOWN_MAX = 10_000
const known = new Map<string, FieldReference>()
let chosenStyle: EscapeStyle | undefined

/**
 * Chooses the escape style of this thread, once, before configurations are parsed. It applies to all pipelines, as in
 * Logstash. A second choice is rejected, because parsed references cannot change their style.
 */
export function chooseEscapeStyle(style: EscapeStyle): void {
  if (chosenStyle !== undefined && chosenStyle !== style) {
    throw new Error(`the escape style of field references is ${chosenStyle} already and cannot become ${style}`)
  }
  chosenStyle = style
  known.clear()
}

/** A reference to a field below `target`, or to a top-level field if `target` is undefined. */
export function referenceWithin(target: string | undefined, name: string): string {
  const bracketed = (text: string) => (text.startsWith('[') ? text : `[${text}]`)
  return target === undefined ? name : bracketed(target) + bracketed(name)
}

export function currentEscapeStyle(): EscapeStyle {
  return chosenStyle ?? 'none'
}

/** Throws `InvalidFieldReferenceError` for malformed text such as `[a` or `a[b]`. */
export function fieldReference(text: string): FieldReference {
  const seen = known.get(text)
  if (seen !== undefined) return seen
  const reference = parse(text)
  // References built from event data (templates in names) must not exhaust memory.
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, reference)
  return reference
}

/** A reference to a top-level field whose name may contain any character. */
export function topLevelReference(name: string): FieldReference {
  return makeReference(name, [name])
}

function parse(text: string): FieldReference {
  if (!text.includes('[') && !text.includes(']')) {
    if (text === '') throw new InvalidFieldReferenceError(text)
    return makeReference(text, [withBrackets(text)])
  }
  // A reference in an additional pair of brackets is the reference itself.
  const inner = /^\[(\[.*\])\]$/s.exec(text)?.[1] ?? text
  const path: string[] = []
  let at = 0
  while (at < inner.length) {
    if (inner[at] !== '[') throw new InvalidFieldReferenceError(text)
    const end = inner.indexOf(']', at)
    const name = inner.slice(at + 1, end)
    if (end < 0 || name === '' || name.includes('[')) throw new InvalidFieldReferenceError(text)
    path.push(withBrackets(name))
    at = end + 1
  }
  return makeReference(text, path)
}

function makeReference(text: string, path: string[]): FieldReference {
  const inMetadata = path[0] === METADATA
  return { text, path: inMetadata ? path.slice(1) : path, inMetadata }
}

function withBrackets(name: string): string {
  if (chosenStyle === 'percent') return name.replace(/%5B/gi, '[').replace(/%5D/gi, ']')
  if (chosenStyle === 'ampersand') return name.replaceAll('&#91;', '[').replaceAll('&#93;', ']')
  return name
}
