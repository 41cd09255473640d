/** Zero-width assertions with the semantics of `java.util.regex`, and those of Ruby that differ. */
import { shorthand } from './char-properties.ts'
import { ASSERTIONS } from './program.ts'

const MARK = /^\p{Mn}$/u
const LETTER_OR_DIGIT = /^[\p{L}\p{Nd}]$/u

const WORD = shorthand('w', false)
const number = (name: (typeof ASSERTIONS)[number]) => ASSERTIONS.indexOf(name)
const INPUT_BEGIN = number('input-begin')
const INPUT_END = number('input-end')
const LINE_BEGIN = number('line-begin')
const LINE_END = number('line-end')
const LAST_LINE_END = number('last-line-end')
const UNIX_LINE_BEGIN = number('unix-line-begin')
const UNIX_LINE_END = number('unix-line-end')
const UNIX_LAST_LINE_END = number('unix-last-line-end')
const WORD_BOUNDARY = number('word-boundary')
const NO_WORD_BOUNDARY = number('no-word-boundary')
const UNICODE_WORD_BOUNDARY = number('unicode-word-boundary')
const NO_UNICODE_WORD_BOUNDARY = number('no-unicode-word-boundary')
const SEARCH_BEGIN = number('search-begin')
const RUBY_LINE_BEGIN = number('ruby-line-begin')
const RUBY_WORD_BOUNDARY = number('ruby-word-boundary')
const NO_RUBY_WORD_BOUNDARY = number('no-ruby-word-boundary')

/** The word characters of Ruby's `\b`. */
const RUBY_WORD = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]$/u

/** `assertion` is an index into ASSERTIONS. `searchBegin` is where the search began. */
export function assertionHolds(assertion: number, text: string, at: number, searchBegin: number): boolean {
  switch (assertion) {
    case INPUT_BEGIN:
      return at === 0
    case INPUT_END:
      return at === text.length
    case LINE_BEGIN:
      // Does not match at the end of the text, even after a line terminator.
      return at < text.length && (at === 0 || (endsLine(text, at - 1) && !isInsideBreak(text, at)))
    case LINE_END:
      return at === text.length || (endsLine(text, at) && !isInsideBreak(text, at))
    case LAST_LINE_END:
      return (
        at === text.length ||
        (at === text.length - 1 && endsLine(text, at) && !isInsideBreak(text, at)) ||
        (at === text.length - 2 && text.charCodeAt(at) === 0x0d && text.charCodeAt(at + 1) === 0x0a)
      )
    case UNIX_LINE_BEGIN:
      return at < text.length && (at === 0 || text.charCodeAt(at - 1) === 0x0a)
    case UNIX_LINE_END:
      return at === text.length || text.charCodeAt(at) === 0x0a
    case UNIX_LAST_LINE_END:
      return at === text.length || (at === text.length - 1 && text.charCodeAt(at) === 0x0a)
    case WORD_BOUNDARY:
      return isBoundary(text, at, false)
    case NO_WORD_BOUNDARY:
      return !isBoundary(text, at, false)
    case UNICODE_WORD_BOUNDARY:
      return isBoundary(text, at, true)
    case NO_UNICODE_WORD_BOUNDARY:
      return !isBoundary(text, at, true)
    case SEARCH_BEGIN:
      return at === searchBegin
    case RUBY_LINE_BEGIN:
      return at === 0 || (at < text.length && text.charCodeAt(at - 1) === 0x0a)
    case RUBY_WORD_BOUNDARY:
      return isRubyWordBefore(text, at) !== isRubyWordAt(text, at)
    case NO_RUBY_WORD_BOUNDARY:
      return isRubyWordBefore(text, at) === isRubyWordAt(text, at)
    default:
      return false
  }
}

function isRubyWordAt(text: string, at: number): boolean {
  if (at >= text.length) return false
  const codePoint = text.codePointAt(at)!
  return codePoint < 128 ? WORD.has(codePoint) : RUBY_WORD.test(String.fromCodePoint(codePoint))
}

function isRubyWordBefore(text: string, at: number): boolean {
  return at > 0 && isRubyWordAt(text, previous(text, at))
}

function endsLine(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit === 0x0a || unit === 0x0d || unit === 0x85 || unit === 0x2028 || unit === 0x2029
}

/** Whether the position is between the two characters of a line break. */
const isInsideBreak = (text: string, at: number) =>
  at > 0 && text.charCodeAt(at - 1) === 0x0d && text.charCodeAt(at) === 0x0a

function isBoundary(text: string, at: number, unicode: boolean): boolean {
  return isWordBefore(text, at, unicode) !== isWordAt(text, at, unicode)
}

function isWordAt(text: string, at: number, unicode: boolean): boolean {
  if (at >= text.length) return false
  const codePoint = text.codePointAt(at)!
  return isWord(codePoint, unicode) || (codePoint > 127 && isMarked(text, at, codePoint))
}

function isWordBefore(text: string, at: number, unicode: boolean): boolean {
  if (at === 0) return false
  const start = previous(text, at)
  const codePoint = text.codePointAt(start)!
  return isWord(codePoint, unicode) || (codePoint > 127 && isMarked(text, start, codePoint))
}

const isWord = (codePoint: number, unicode: boolean) =>
  unicode ? shorthand('w', true).has(codePoint) : WORD.has(codePoint)

/** A combining mark belongs to the letter or digit before it. */
function isMarked(text: string, at: number, codePoint: number): boolean {
  if (!MARK.test(String.fromCodePoint(codePoint))) return false
  // The search for a base character stops after this many marks.
  for (let place = at, marks = 0; place > 0 && marks < 1_000; marks++) {
    place = previous(text, place)
    const before = String.fromCodePoint(text.codePointAt(place)!)
    if (LETTER_OR_DIGIT.test(before)) return true
    if (!MARK.test(before)) return false
  }
  return false
}

function previous(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  const isPair = unit >= 0xdc00 && unit <= 0xdfff && at > 1 && (text.charCodeAt(at - 2) & 0xfc00) === 0xd800
  return at - (isPair ? 2 : 1)
}
