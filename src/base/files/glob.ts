/**
 * Expands file patterns: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of folders.
 *
 * Only folders that can lead to a match are read, because logs often lie in large trees. Names that start with a dot
 * match only patterns that start with a dot.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MAGIC = /[*?[{]/

/** The matching paths, each once: only regular files, links followed. */
export function expandGlob(pattern: string): string[] {
  if (!MAGIC.test(pattern)) return isPlainFile(pattern) ? [pattern] : []
  const found = new Set<string>()
  for (const plain of expandBraces(pattern))
    walk(
      '/',
      plain.split('/').filter((part) => part !== ''),
      0,
      found,
    )
  return [...found]
}

/** Whether a file name (without folders) matches a pattern. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const expressions = expandBraces(pattern).map(segmentExpression)
  return (name) => expressions.some((expression) => expression.test(name))
}

function walk(folder: string, segments: readonly string[], at: number, found: Set<string>): void {
  const segment = segments[at]!
  const isLast = at === segments.length - 1
  if (segment === '**') {
    // A trailing `**` matches every file below.
    const rest = isLast ? [...segments, '*'] : segments
    walk(folder, rest, at + 1, found)
    for (const entry of list(folder)) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) walk(join(folder, entry.name), rest, at, found)
    }
    return
  }
  if (!MAGIC.test(segment)) {
    const path = join(folder, segment)
    if (!isLast) walk(path, segments, at + 1, found)
    else if (isPlainFile(path)) found.add(path)
    return
  }
  const expression = segmentExpression(segment)
  for (const entry of list(folder)) {
    if (!expression.test(entry.name)) continue
    const path = join(folder, entry.name)
    if (!isLast) {
      if (!entry.isFile()) walk(path, segments, at + 1, found)
    } else if (entry.isFile() || (entry.isSymbolicLink() && isPlainFile(path))) found.add(path)
  }
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The folder disappeared, or we lack permission to read it.
    return []
  }
}

function isPlainFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false
  }
}

function segmentExpression(segment: string): RegExp {
  let source = ''
  for (let i = 0; i < segment.length; i++) {
    const char = segment[i]!
    const end = char === '[' ? segment.indexOf(']', i + 2) : -1
    if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (end > 0) {
      const inner = segment
        .slice(i + 1, end)
        .replace(/^[!^]/, '')
        .replace(/[\\[\]^]/g, '\\$&')
      source += `[${/^[!^]/.test(segment.slice(i + 1)) ? '^' : ''}${inner}]`
      i = end
    } else source += char.replace(/[\\^$.|+(){}[\]]/, '\\$&')
  }
  return new RegExp(`^${segment.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 's')
}

/** `a{b,c}d` is `abd` and `acd`; braces may nest. */
function expandBraces(pattern: string): string[] {
  const start = pattern.indexOf('{')
  if (start < 0) return [pattern]
  const choices: string[] = []
  let depth = 0
  let from = start + 1
  for (let i = start; i < pattern.length; i++) {
    const char = pattern[i]
    if (char === '{') depth++
    else if (char === '}') depth--
    if (depth > 1 || (char === '{' && depth === 1)) continue
    if (depth === 0 || char === ',') {
      choices.push(pattern.slice(from, i))
      from = i + 1
    }
    if (depth === 0) {
      const head = pattern.slice(0, start)
      return choices.flatMap((choice) => expandBraces(head + choice + pattern.slice(from)))
    }
  }
  // An unclosed brace is an ordinary character.
  const rest = expandBraces(pattern.slice(start + 1))
  return rest.map((tail) => `${pattern.slice(0, start)}{${tail}`)
}
