/** `char_group`: splits at single characters or character classes. Cheaper than a pattern. */
import { runtimeFailure } from '../../../base/api-error.ts'
import { CHARACTER_CLASSES } from '../character-classes.ts'
import type { Tokenizer } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { characterTokenizer } from './character-tokenizer.ts'
import { characterTokenLength } from './max-token-length.ts'
import { DEFAULT_MAX_TOKEN_LENGTH } from './standard.ts'

export function charGroupTokenizer(settings: ComponentSettings): Tokenizer {
  const chars = new Set<number>()
  const kinds: ((codePoint: number) => boolean)[] = []
  for (const entry of settings.list('tokenize_on_chars') ?? []) {
    const kind = CHARACTER_CLASSES[entry]
    if (entry === '') throw invalid('Zero-length character in tokenize_on_chars')
    if (kind !== undefined) kinds.push(kind)
    else chars.add(singleCharacter(entry))
  }
  return characterTokenizer({
    isTokenChar: (codePoint) => !chars.has(codePoint) && !kinds.some((kind) => kind(codePoint)),
    maxTokenLength: characterTokenLength(settings, 'max_token_length', DEFAULT_MAX_TOKEN_LENGTH),
  })
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', t: '\t', n: '\n', r: '\r', b: '\b', f: '\f' }

const invalid = (reason: string) => runtimeFailure(reason)

function singleCharacter(entry: string): number {
  if (entry.length === 1) return entry.charCodeAt(0)
  if (entry[0] === '\\') {
    if (entry[1] === 'u' && entry.length > 2) {
      const code = Number.parseInt(entry.slice(2), 16)
      if (!Number.isNaN(code)) return code
    }
    const char = ESCAPES[entry[1]!]
    if (char !== undefined && entry.length === 2) return char.charCodeAt(0)
    throw invalid(`Invalid escaped char ${entry[1]} in [${entry}]`)
  }
  throw invalid(`Invalid escaped char in [${entry}]`)
}
