/** `html_strip`: removes tags, comments and scripts from a text and decodes character references. */
import type { CharFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { HTML_ENTITIES } from './html-entities.ts'

/** Inline elements. Around all other elements the text is broken. */
const INLINE = new Set(
  (
    'a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small span strike strong ' +
    'sub sup textarea tt u var'
  ).split(' '),
)

const NAME_CHARS = '[\\p{L}_:][\\p{L}\\p{Nd}\\p{M}_:.-]*'
const ATTRIBUTE = `[^\\s"'<>/=]+(?:\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s"'<>]+))?`
const START_TAG = new RegExp(`<\\s*(${NAME_CHARS})(?:\\s+${ATTRIBUTE})*\\s*/?>`, 'uy')
const END_TAG = new RegExp(`<\\s*/\\s*(${NAME_CHARS})\\s*>`, 'uy')
const COMMENT = /<!--[\s\S]*?(?:-->|$)/y
const CDATA = /<!\[CDATA\[[\s\S]*?\]\]>/y
const DECLARATION = /<![a-zA-Z][^>]*>|<\?[\s\S]*?\?>|<\?[^>]*>/y
const HIDDEN = /<(script|style)\b[^>]*>[\s\S]*?(?:(<\/\1\s*>)|$)/iy
const UNCLOSED = /<\/?[a-zA-Z][^\s<>]*$/y
const NUMBER = /&#(?:[xX]([0-9a-fA-F]{1,6})|(\d{1,7}))(?:;|$)/y
const NAME = /&([a-zA-Z][a-zA-Z0-9]*)(?:;|$)/y

export function htmlStripCharFilter(settings: ComponentSettings): CharFilter {
  const escaped = new Set((settings.list('escaped_tags') ?? []).map((tag) => tag.toLowerCase()))
  return (input) => {
    const { text } = input
    const output = input.rewrite()
    let copied = 0
    const replace = (start: number, length: number, replacement: string) => {
      output.append(text.slice(copied, start))
      output.replace(length, replacement)
      copied = start + length
    }
    for (let i = 0; i < text.length; ) {
      const char = text[i]
      const found = char === '<' ? markup(text, i, escaped) : char === '&' ? reference(text, i) : undefined
      if (found === undefined) i++
      else {
        if (found.replacement !== undefined) replace(i, found.length, found.replacement)
        i += found.length
      }
    }
    output.append(text.slice(copied))
    return output.finish()
  }
}

/** Markup at a position. Without a replacement it stays unchanged. */
interface Found {
  length: number
  replacement: string | undefined
}

function markup(text: string, at: number, escaped: ReadonlySet<string>): Found | undefined {
  const hidden = matchAt(HIDDEN, text, at)
  if (hidden !== undefined && !escaped.has(hidden[1]!.toLowerCase())) {
    return { length: hidden[0].length, replacement: hidden[2] === undefined ? '' : '\n' }
  }
  const comment = matchAt(COMMENT, text, at)
  if (comment !== undefined) return { length: comment[0].length, replacement: '' }
  const cdata = matchAt(CDATA, text, at)
  if (cdata !== undefined) return { length: cdata[0].length, replacement: cdata[0].slice(9, -3) }
  const declaration = matchAt(DECLARATION, text, at)
  if (declaration !== undefined) return { length: declaration[0].length, replacement: '' }
  const tag = matchAt(START_TAG, text, at) ?? matchAt(END_TAG, text, at)
  if (tag === undefined) {
    const unclosed = matchAt(UNCLOSED, text, at)
    return unclosed === undefined ? undefined : { length: unclosed[0].length, replacement: '' }
  }
  const name = tag[1]!.toLowerCase()
  if (escaped.has(name)) return { length: tag[0].length, replacement: undefined }
  return { length: tag[0].length, replacement: INLINE.has(name) ? '' : '\n' }
}

function reference(text: string, at: number): Found | undefined {
  const number = matchAt(NUMBER, text, at)
  if (number !== undefined) {
    const codePoint = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined
    return { length: number[0].length, replacement: codePoint === 0xa0 ? ' ' : String.fromCodePoint(codePoint) }
  }
  const name = matchAt(NAME, text, at)
  const decoded = name === undefined ? undefined : HTML_ENTITIES.get(name[1]!)
  return decoded === undefined ? undefined : { length: name![0].length, replacement: decoded }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
