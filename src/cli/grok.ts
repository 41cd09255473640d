/**
 * `sandpiper grok PATTERN`: tries a pattern on the lines of standard input. It prints the fields of a match, or the
 * column up to which the line matched and the part of the pattern that failed.
 */
import { createInterface } from 'node:readline'
import { closestWords } from '../base/suggest.ts'
import { explainMatch, type GrokExplanation } from '../pipeline/grok/explain.ts'
import { GrokPattern } from '../pipeline/grok/grok-pattern.ts'
import { readPatternFolders } from '../pipeline/grok/pattern-files.ts'
import type { EcsMode } from '../pipeline/plugin/plugin-context.ts'
import { UndefinedPatternError } from '../text/grok/expand.ts'
import { stockPatternNames, stockPatterns } from '../text/grok/stock-patterns.ts'
import { RegexSyntaxError } from '../text/regex/regex-tree.ts'
import { commandArguments } from './arguments/command-arguments.ts'
import { printedHelp } from './arguments/help.ts'
import { SettingsError } from './arguments/settings-error.ts'
import { usageError } from './arguments/usage-error.ts'

const HELP = `sandpiper grok: tries a grok pattern on lines and prints the fields, or the column and the part of the pattern where the match failed

Usage
  sandpiper grok [--ecs] [--patterns FOLDER] PATTERN < LOG
  sandpiper grok [--ecs] --list [NAME]     the names of the stock patterns, or the definition of one

Flags
  --ecs                use the ECS names of fields ([source][address]) instead of the legacy names (clientip)
  --patterns FOLDER    files with patterns of your own, one "NAME expression" per line; may be repeated

Examples
  echo '127.0.0.1 GET /x' | sandpiper grok '%{IP:client} %{WORD:verb} %{URIPATH:path}'
  sandpiper grok '%{COMBINEDAPACHELOG}' < /var/log/apache2/access.log
  sandpiper grok --list SYSLOGBASE

The exit status is 1 when a line does not match.
`

export async function grok(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const { pattern, isEcs, folders, wantsList } = parseArguments(args)
  const ecs = isEcs ? 'v1' : 'disabled'
  if (wantsList) return list(pattern, ecs)
  if (pattern === undefined) throw usageError(HELP, 'grok needs a pattern')
  const own = readPatternFolders(folders, '*')
  const stock = stockPatterns(ecs)
  const lookup = (name: string) => own.get(name) ?? stock(name)
  try {
    new GrokPattern(pattern, lookup, { namedOnly: true })
  } catch (error) {
    throw new SettingsError(problemOf(error, pattern, [...own.keys(), ...stockPatternNames(ecs)]))
  }
  let failures = 0
  for await (const line of createInterface({ input: process.stdin })) {
    const explanation = explainMatch(pattern, line, lookup)
    if (!explanation.matched) failures++
    process.stdout.write(describe(line, explanation))
  }
  if (failures > 0) process.exitCode = 1
}

/** The pattern is named as written: expanded it may have thousands of characters. */
function problemOf(error: unknown, pattern: string, names: readonly string[]): string {
  if (error instanceof RegexSyntaxError) return `${error.problem}: ${pattern}`
  if (!(error instanceof UndefinedPatternError)) return (error as Error).message
  const [close] = closestWords(error.pattern, names)
  return `${error.message}${close === undefined ? '' : ` (did you mean ${close}?)`}`
}

function list(name: string | undefined, ecs: EcsMode): void {
  const names = stockPatternNames(ecs).sort()
  const found = name === undefined ? names.join('\n') : stockPatterns(ecs)(name)
  if (found === undefined) {
    const [close] = closestWords(name!, names)
    throw new SettingsError(`no stock pattern ${name}${close === undefined ? '' : ` (did you mean ${close}?)`}`)
  }
  process.stdout.write(`${found}\n`)
}

function parseArguments(args: readonly string[]) {
  const { values, positionals } = commandArguments(args, HELP, {
    options: { ecs: { type: 'boolean' }, list: { type: 'boolean' }, patterns: { type: 'string', multiple: true } },
    allowPositionals: true,
  })
  const [pattern, extra] = positionals
  if (extra !== undefined) {
    throw usageError(HELP, `one pattern only, in quotes: "${extra}" is too much`)
  }
  return { pattern, isEcs: values.ecs === true, folders: values.patterns ?? [], wantsList: values.list === true }
}

function describe(line: string, { matched, captures, from, to, failedPiece, within }: GrokExplanation): string {
  const width = Math.max(0, ...captures.map(({ field }) => field.length))
  const fields = captures.map(({ field, text }) => `    ${field.padEnd(width)}  ${text}\n`).join('')
  // Marks below a line that matches as a whole say nothing.
  const isPart = to > from && to - from < line.length
  const marks = isPart ? `  ${' '.repeat(from)}${'^'.repeat(to - from)}\n` : ''
  if (matched) return `ok ${line}\n   ${marks.slice(2)}${fields}`
  const place =
    to > 0 ? `matches columns ${from + 1} to ${to}, then fails at column ${to + 1}, at` : 'matches nowhere: fails at'
  const around = within.map((name) => ` in ${name}`).join('')
  return `no ${line}\n   ${marks.slice(2)}  ${place} ${shown(failedPiece ?? '')}${around}\n${fields}`
}

/** Quotes a piece that would otherwise hide its spaces. */
function shown(piece: string): string {
  return /^\s|\s$/.test(piece) ? `"${piece}"` : piece
}
