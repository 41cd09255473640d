/**
 * The tokens of Painless. The type of punctuation and keywords is their own text. Other types are names in capitals.
 */
export interface Token {
  type: string
  text: string
  /** Offset of the first character. */
  at: number
}

export const KEYWORDS: ReadonlySet<string> = new Set([
  'if', 'else', 'while', 'do', 'for', 'in', 'continue', 'break', 'return', 'new', 'try', 'catch', 'throw', 'this',
  'instanceof', 'true', 'false', 'null', 'def',
]) // biome-ignore format: a list

export const PRIMITIVES: ReadonlySet<string> = new Set([
  'boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double',
]) // biome-ignore format: a list

/** Longest first, because the lexer takes the first match. */
export const SYMBOLS: readonly string[] = [
  '>>>=', '===', '!==', '==~', '<<=', '>>=', '>>>', '->', '::', '?.', '?:', '++', '--', '+=', '-=', '*=', '/=', '%=',
  '&=', '^=', '|=', '==', '!=', '<=', '>=', '<<', '>>', '&&', '||', '=~', '{', '}', '[', ']', '(', ')', '.', ',', ';',
  '!', '~', '*', '/', '%', '+', '-', '<', '>', '&', '^', '|', '?', ':', '=', '$',
] // biome-ignore format: a list
