/**
 * Splits a term where the character type changes: at delimiters, between lower and upper case, between letters and
 * digits. Shared by `word_delimiter` and `word_delimiter_graph`.
 */

import { runtimeFailure } from '../../../base/api-error.ts'
import { decodeEscapes } from '../escapes.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { type WordSet, wordsOf } from '../stop-words/stop-word-settings.ts'

// Types are bits, so that a character with several types (a caseless letter) matches both sides without a break.
const LOWER = 1
const UPPER = 2
const DIGIT = 4
const DELIMITER = 8
const ALPHA = LOWER | UPPER
const ALPHANUM = ALPHA | DIGIT

export interface WordPart {
  start: number
  end: number
  kind: number
  /** The part is the whole term except for surrounding delimiters. */
  single: boolean
}

export interface WordDelimiterOptions {
  generateWords: boolean
  generateNumbers: boolean
  catenateWords: boolean
  catenateNumbers: boolean
  catenateAll: boolean
  preserveOriginal: boolean
  ignoreKeywords: boolean
  adjustOffsets: boolean
  protectedWords: WordSet
  split: (term: string) => WordPart[]
}

export function wordDelimiterOptions(
  settings: ComponentSettings,
  environment: AnalysisEnvironment,
): WordDelimiterOptions {
  const rules: SplitRules = {
    onCaseChange: settings.boolean('split_on_case_change', true),
    onNumerics: settings.boolean('split_on_numerics', true),
    possessive: settings.boolean('stem_english_possessive', true),
    kindOf: kinds(settings, environment),
  }
  return {
    generateWords: settings.boolean('generate_word_parts', true),
    generateNumbers: settings.boolean('generate_number_parts', true),
    catenateWords: settings.boolean('catenate_words', false),
    catenateNumbers: settings.boolean('catenate_numbers', false),
    catenateAll: settings.boolean('catenate_all', false),
    preserveOriginal: settings.boolean('preserve_original', false),
    ignoreKeywords: settings.boolean('ignore_keywords', false),
    adjustOffsets: settings.boolean('adjust_offsets', true),
    protectedWords: wordsOf(settings, environment, 'protected_words', false, [], false),
    split: (term) => splitWord(term, rules),
  }
}

/** Whether a term has no place to split, or must not be split. */
export function staysWhole(term: string, parts: readonly WordPart[], options: WordDelimiterOptions): boolean {
  const [first] = parts
  return (parts.length === 1 && first!.start === 0 && first!.end === term.length) || options.protectedWords.has(term)
}

/** Whether the options emit a part of this kind on its own. */
export function generates(kind: number, options: WordDelimiterOptions): boolean {
  return (options.generateWords && (kind & ALPHA) !== 0) || (options.generateNumbers && (kind & DIGIT) !== 0)
}

/** Whether the options join adjacent parts of this kind. */
export function concatenates(kind: number, options: WordDelimiterOptions): boolean {
  return (options.catenateWords && (kind & ALPHA) !== 0) || (options.catenateNumbers && (kind & DIGIT) !== 0)
}

interface SplitRules {
  onCaseChange: boolean
  onNumerics: boolean
  possessive: boolean
  kindOf: (char: string) => number
}

function splitWord(term: string, rules: SplitRules): WordPart[] {
  const { kindOf } = rules
  const isDelimiter = (at: number) => (kindOf(term[at]!) & DELIMITER) !== 0
  const endsWithPossessive = (at: number, bound: number) =>
    rules.possessive &&
    at > 2 &&
    term[at - 2] === "'" &&
    (term[at - 1] === 's' || term[at - 1] === 'S') &&
    (kindOf(term[at - 3]!) & ALPHA) !== 0 &&
    (at === bound || isDelimiter(at))

  let first = 0
  while (first < term.length && isDelimiter(first)) first++
  let bound = term.length
  while (bound > first && isDelimiter(bound - 1)) bound--
  const finalPossessive = endsWithPossessive(bound, bound)

  const parts: WordPart[] = []
  let at = first
  while (at < bound) {
    while (at < bound && isDelimiter(at)) at++
    if (at >= bound) break
    const start = at
    let last = kindOf(term[at]!)
    at++
    while (at < bound) {
      const kind = kindOf(term[at]!)
      if (breaksBetween(last, kind, rules)) break
      last = kind
      at++
    }
    const kind = kindOf(term[start]!)
    const part = { start, end: at, kind: kind === LOWER || kind === UPPER ? ALPHA : kind, single: false }
    part.single = start === first && at === (finalPossessive ? bound - 2 : bound)
    parts.push(part)
    if (at < bound - 1 && endsWithPossessive(at + 2, bound)) at += 2
  }
  return parts
}

function breaksBetween(last: number, kind: number, rules: SplitRules): boolean {
  if ((last & kind) !== 0) return false
  const lastAlpha = (last & ALPHA) !== 0
  const alpha = (kind & ALPHA) !== 0
  if (!rules.onCaseChange && lastAlpha && alpha) return false
  // An upper-case letter starts a word but does not end one: "Wi".
  if ((last & UPPER) !== 0 && alpha) return false
  if (!rules.onNumerics && ((lastAlpha && (kind & DIGIT) !== 0) || ((last & DIGIT) !== 0 && alpha))) return false
  return true
}

function defaultKind(char: string): number {
  if (/\p{Lu}/u.test(char)) return UPPER
  if (/\p{Ll}/u.test(char)) return LOWER
  if (/[\p{Lt}\p{Lm}\p{Lo}\p{M}]/u.test(char)) return ALPHA
  if (/\p{N}/u.test(char)) return DIGIT
  return char >= '\ud800' && char <= '\udfff' ? ALPHANUM : DELIMITER
}

const NAMED_KINDS: Readonly<Record<string, number>> = {
  LOWER,
  UPPER,
  ALPHA,
  DIGIT,
  ALPHANUM,
  SUBWORD_DELIM: DELIMITER,
}

/** `type_table` assigns another type to single characters: `$ => DIGIT`. */
function kinds(settings: ComponentSettings, environment: AnalysisEnvironment): (char: string) => number {
  const path = settings.string('type_table_path')
  const rules = path === undefined ? settings.list('type_table') : environment.readLines('type_table_path', path)
  const table = new Map<string, number>()
  for (const rule of rules ?? []) {
    const match = /^(.*?)\s*=>\s*(.*?)\s*$/s.exec(rule.trim())
    if (match === null) throw invalidRule(`Invalid Mapping Rule : [${rule}]`)
    const char = decodeEscapes(match[1]!)
    const kind = NAMED_KINDS[match[2]!]
    if (kind === undefined) throw invalidRule(`Invalid Mapping Rule : [${rule}]. Illegal type.`)
    if (char.length !== 1) throw invalidRule(`Invalid Mapping Rule : [${rule}]. Only a single character is allowed.`)
    table.set(char, kind)
  }
  const known = new Map<string, number>(table)
  return (char) => {
    let kind = known.get(char)
    if (kind === undefined) {
      kind = defaultKind(char)
      known.set(char, kind)
    }
    return kind
  }
}

const invalidRule = (reason: string) => runtimeFailure(reason)
