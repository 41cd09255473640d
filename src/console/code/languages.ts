/** Syntax colours for requests with JSON bodies and for Logstash configurations. Texts may be incomplete. */
import { StreamLanguage, type StringStream } from '@codemirror/language'

interface ConsoleState {
  /** Whether the tokenizer is inside a string in triple quotes. */
  triple: boolean
  comment: boolean
}

const jsonToken = (stream: StringStream): string | null => {
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string'
  if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?/)) return 'number'
  if (stream.match(/^(true|false|null)\b/)) return 'atom'
  if (stream.match(/^[{}[\],:]/)) return 'punctuation'
  stream.next()
  return null
}

export const consoleLanguage = StreamLanguage.define<ConsoleState>({
  name: 'console',
  startState: () => ({ triple: false, comment: false }),
  token(stream, state) {
    if (state.triple) {
      if (stream.match(/^.*?"""/)) state.triple = false
      else stream.skipToEnd()
      return 'string'
    }
    if (state.comment) {
      if (stream.match(/^.*?\*\//)) state.comment = false
      else stream.skipToEnd()
      return 'comment'
    }
    if (stream.sol() && stream.match(/^\s*(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS)\b/i)) return 'keyword'
    if (stream.eatSpace()) return null
    if (stream.match(/^(#|\/\/).*/)) return 'comment'
    if (stream.match(/^\/\*/)) {
      state.comment = true
      return 'comment'
    }
    if (/^\s*(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS)\s/i.test(stream.string)) {
      stream.match(/^\S+/)
      return 'url'
    }
    if (stream.match('"""')) {
      state.triple = true
      return 'string'
    }
    return jsonToken(stream)
  },
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
})

export const jsonLanguage = StreamLanguage.define<null>({
  name: 'json',
  startState: () => null,
  token: (stream) => (stream.eatSpace() ? null : jsonToken(stream)),
})

/** `depth` is the number of open braces: sections are at 0, plugins and conditions at 1, options below them. */
export const logstashLanguage = StreamLanguage.define<{ depth: number }>({
  name: 'logstash',
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (stream.eatSpace()) return null
    if (stream.match(/^#.*/)) return 'comment'
    if (stream.match(/^"(?:[^"\\]|\\.)*"?|^'(?:[^'\\]|\\.)*'?/)) return 'string'
    if (stream.match(/^\/(?:[^/\\\n]|\\.)+\//)) return 'string'
    if (stream.match(/^(input|filter|output)\b(?=\s*\{)/)) return 'keyword'
    if (stream.match(/^(if|else|in|not|and|or|xor|nand)\b/)) return 'keyword'
    if (stream.match(/^-?\d+(\.\d+)?/)) return 'number'
    if (stream.match(/^(true|false)\b/)) return 'atom'
    if (stream.match(/^\[[^\]"]+\]/)) return 'propertyName'
    if (stream.match(/^[\w-]+(?=\s*\{)/)) return 'typeName'
    if (stream.match(/^[\w-]+(?=\s*=>)/)) return 'propertyName'
    if (stream.match('{')) state.depth++
    else if (stream.match('}')) state.depth--
    else stream.next()
    return 'punctuation'
  },
  languageData: { commentTokens: { line: '#' } },
})
