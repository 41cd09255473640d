/** Expands grok patterns: `%{NAME:field:type}` becomes a regular expression with numbered captures. */

export interface GrokCapture {
  /** The field name or reference as written. */
  readonly field: string
  readonly type: 'int' | 'float' | undefined
}

export interface ExpandedPattern {
  /** Every capture is a group named `cN`, where N is its index in `captures`. */
  readonly source: string
  readonly captures: readonly GrokCapture[]
}

class GrokPatternError extends Error {}

export class UndefinedPatternError extends GrokPatternError {
  readonly pattern: string

  constructor(reference: string, name: string) {
    super(`pattern ${reference} not defined`)
    this.pattern = name
  }
}

/** Looks up a pattern by name. */
export type PatternLookup = (name: string) => string | undefined

/** Text between the last part and the closing brace is ignored, as in Logstash. */
const REFERENCE = /%\{([A-z0-9]+)(?::([@[\]A-z0-9_:.-]+))?(?:=((?:[^{}\\]|\\.|\{[^{}]*\})+))?[^}]*\}/
const REPLACEMENTS_MAX = 10_000

export function expandPattern(pattern: string, lookup: PatternLookup, namedOnly: boolean): ExpandedPattern {
  const captures: GrokCapture[] = []
  const defined = new Map<string, string>()
  let source = pattern
  for (let count = 0; ; count++) {
    const match = REFERENCE.exec(source)
    if (match === null) break
    if (count === REPLACEMENTS_MAX) throw new GrokPatternError(`Deep recursion pattern compilation of ${pattern}`)
    const [whole, name, subname, definition] = match as unknown as [string, string, string?, string?]
    const [field, type] = subname === undefined ? [] : subname.split(':')
    if (definition !== undefined) defined.set(name, definition)
    const inner = defined.get(name) ?? lookup(name)
    if (inner === undefined) throw new UndefinedPatternError(whole, name)
    const target = field ?? (namedOnly ? undefined : name)
    const group = target === undefined ? '?:' : capture(captures, target, type)
    source = `${source.slice(0, match.index)}(${group}${inner})${source.slice(match.index + whole.length)}`
  }
  const named = nameInlineGroups(source, captures)
  return {
    source: renameReferences(
      named,
      captures.map(({ field }) => field),
    ),
    captures,
  }
}

function capture(captures: GrokCapture[], field: string, type: string | undefined): string {
  const number = captures.push({ field, type: type === 'int' || type === 'float' ? type : undefined }) - 1
  return `?<c${number}>`
}

/** An inline group `(?<[a][b]>…)` captures too. Its name may be any field reference. */
function nameInlineGroups(source: string, captures: GrokCapture[]): string {
  return source.replace(/(\\.)|\(\?<(?![=!]|c\d+>)([^>]+)>/gs, (whole, escaped: string | undefined, name: string) => {
    if (escaped !== undefined) return whole
    const [, field, type] = /^(.*?)(?::(int|float))?$/.exec(name)! as unknown as [string, string, string?]
    return `(${capture(captures, field, type)}`
  })
}

/** A back reference `\k<field>` refers to the groups of the field, the last of them first. `fields` has their names in the order of their numbers. */
export function renameReferences(source: string, fields: readonly string[]): string {
  return source.replace(/\\(?:k<([^>]+)>|.)/gs, (whole, name: string | undefined) => {
    const groups = fields.flatMap((field, number) => (field === name ? [`\\k<c${number}>`] : []))
    return groups.length === 0 ? whole : `(?>${groups.reverse().join('|')})`
  })
}
