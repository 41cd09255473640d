/**
 * Checks generated text before it becomes a function. Outside of string literals it may contain only the words below,
 * generated names and members of the known objects. This is a second line of defence: the generator never prints source
 * text.
 */
const WORDS = new Set([
  'use', 'strict', 'return', 'function', 'const', 'let', 'if', 'else', 'while', 'do', 'for', 'break', 'continue', 'try',
  'catch', 'finally', 'throw', 'true', 'false', 'null', 'E', 'C', 'K', 'R', 'F', 'p', 'b', 'x', 'NaN', 'Infinity', 'call',
  'signature', '__proto__', 'Q', 'D', 'O', 'S', 'L', 'i', 'n', 'g', 'V', 'X', 'k', 'a', 'd', 's',
]) // biome-ignore format: a list

const GENERATED = /^(?:[vtfcqmyzwl]\d+|R_\w+|\d[\dn]*(?:e[+-]?\d+)?|e\d*)$/
/** Methods of Java objects, helpers of the runtime, members of the environment. */
const MEMBER = /^(?:\w+_\d+|call[0-9N]|get|set|field|functions|doc|score|_value|assign|first\w+|[a-z]\w*)$/
const FORBIDDEN = new Set([
  'constructor',
  'prototype',
  'eval',
  'Function',
  'globalThis',
  'process',
  'require',
  'import',
])

export function verifyEmitted(code: string): void {
  const bare = code.replace(/"(?:\\.|[^"\\])*"/g, '""')
  for (const match of bare.matchAll(/(\.?)\s*([A-Za-z_$][\w$]*)/g)) {
    const [, dot, word] = match
    const before = bare[match.index - 1] ?? ''
    if (/[\d.]/.test(before) && /^[en]/.test(word!)) continue
    if (FORBIDDEN.has(word!)) throw new Error(`generated code names [${word}]`)
    if (dot === '.' ? MEMBER.test(word!) : WORDS.has(word!) || GENERATED.test(word!)) continue
    throw new Error(`generated code names [${word}]`)
  }
}
