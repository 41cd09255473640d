/** `cjk_bigram` and `cjk_width`: languages written without spaces are searched by pairs of characters. */
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { newToken, type StreamToken, withTokens } from '../token.ts'
import { mapTerms } from './map-terms.ts'

const TYPE_OF_SCRIPT: Readonly<Record<string, string>> = {
  han: '<IDEOGRAPHIC>',
  hiragana: '<HIRAGANA>',
  katakana: '<KATAKANA>',
  hangul: '<HANGUL>',
}

interface Character {
  text: string
  start: number
  end: number
}

export function cjkBigramFilter(settings: ComponentSettings): TokenFilter {
  const ignored = new Set(settings.list('ignored_scripts') ?? [])
  const types = new Set(
    Object.keys(TYPE_OF_SCRIPT)
      .filter((script) => !ignored.has(script))
      .map((s) => TYPE_OF_SCRIPT[s]!),
  )
  const unigrams = settings.boolean('output_unigrams', false)
  const filter: TokenFilter = (stream) => {
    const out: StreamToken[] = []
    let run: Character[] = []
    const flush = () => {
      pairs(run, unigrams, out)
      run = []
    }
    for (const token of stream.tokens) {
      if (!types.has(token.type)) {
        flush()
        out.push(token)
        continue
      }
      // Only adjacent characters of the text form a pair.
      if (run.length > 0 && run.at(-1)!.end !== token.startOffset) flush()
      run.push(...charactersOf(token))
    }
    flush()
    return withTokens(stream, out)
  }
  return Object.assign(filter, { disablesGraph: unigrams })
}

function charactersOf(token: StreamToken): Character[] {
  // After a filter that changed the length, only the offsets of the whole are known.
  const exact = token.term.length === token.endOffset - token.startOffset
  let at = token.startOffset
  return [...token.term].map((text) => {
    const start = exact ? at : token.startOffset
    at += text.length
    return { text, start, end: exact ? at : token.endOffset }
  })
}

function pairs(run: readonly Character[], unigrams: boolean, out: StreamToken[]): void {
  run.forEach((character, i) => {
    const next = run[i + 1]
    const single = run.length === 1 || unigrams
    if (single) out.push(newToken(character.text, character.start, character.end, '<SINGLE>'))
    if (next === undefined) return
    const pair = newToken(character.text + next.text, character.start, next.end, '<DOUBLE>')
    if (single) {
      pair.positionIncrement = 0
      pair.positionLength = 2
    }
    out.push(pair)
  })
}

const HALF_WIDTH_START = 0xff65
/** The full-width forms of U+FF65 to U+FF9F, in order. */
const FULL_WIDTH =
  '・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a'
const VOICED = new Map(
  [...'カキクケコサシスセソタチツテトハヒフヘホ'].map((kana) => [kana, String.fromCharCode(kana.charCodeAt(0) + 1)]),
)
VOICED.set('ウ', 'ヴ').set('ヽ', 'ヾ')
const SEMI_VOICED = new Map([...'ハヒフヘホ'].map((kana) => [kana, String.fromCharCode(kana.charCodeAt(0) + 2)]))

/** Full-width Latin becomes ASCII, half-width katakana becomes full-width. */
export function cjkWidthFilter(): TokenFilter {
  return mapTerms((term) => {
    let out = ''
    for (const char of term) {
      const code = char.charCodeAt(0)
      if (code >= 0xff01 && code <= 0xff5e) out += String.fromCharCode(code - 0xfee0)
      else if (code >= HALF_WIDTH_START && code <= 0xff9f) {
        const marks = code === 0xff9e ? VOICED : code === 0xff9f ? SEMI_VOICED : undefined
        const combined = marks?.get(out.at(-1) ?? '')
        if (combined !== undefined) out = out.slice(0, -1) + combined
        else out += FULL_WIDTH[code - HALF_WIDTH_START]!
      } else out += char
    }
    return out
  })
}
