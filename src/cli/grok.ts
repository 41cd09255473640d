/**
 * `sandpiper grok PATTERN`: tries a pattern on the lines of standard input and says what matched, up to which column,
 * and which piece failed.
 */
import { createInterface } from 'node:readline'
import { explainMatch, type GrokExplanation } from '../pipeline/grok/explain.ts'
import { GrokPattern } from '../pipeline/grok/grok-pattern.ts'
import { readPatternFolders } from '../pipeline/grok/pattern-files.ts'
import { stockPatternNames, stockPatterns } from '../pipeline/grok/stock-patterns.ts'
import { SettingsError } from './settings.ts'

const USAGE = `usage: sandpiper grok [--ecs] [--patterns FOLDER] PATTERN < lines
       sandpiper grok [--ecs] --list          the names of the stock patterns
`

export async function grok(args: readonly string[]): Promise<void> {
  const { pattern, isEcs, folders, wantsList } = parseArguments(args)
  const ecs = isEcs ? 'v1' : 'disabled'
  if (wantsList) {
    process.stdout.write(`${stockPatternNames(ecs).sort().join('\n')}\n`)
    return
  }
  if (pattern === undefined) throw new SettingsError(`grok needs a pattern\n${USAGE}`)
  const own = readPatternFolders(folders, '*')
  const stock = stockPatterns(ecs)
  const lookup = (name: string) => own.get(name) ?? stock(name)
  try {
    new GrokPattern(pattern, lookup, { namedOnly: true })
  } catch (error) {
    throw new SettingsError((error as Error).message)
  }
  let failures = 0
  for await (const line of createInterface({ input: process.stdin })) {
    const explanation = explainMatch(pattern, line, lookup)
    if (!explanation.matched) failures++
    process.stdout.write(describe(line, explanation))
  }
  if (failures > 0) process.exitCode = 1
}

function parseArguments(args: readonly string[]) {
  let pattern: string | undefined
  let isEcs = false
  let wantsList = false
  const folders: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (arg === '--ecs') isEcs = true
    else if (arg === '--list') wantsList = true
    else if (arg === '--patterns') folders.push(args[++i] ?? '')
    else if (pattern === undefined) pattern = arg
    else throw new SettingsError(`one pattern only, in quotes: "${arg}" is too much\n${USAGE}`)
  }
  return { pattern, isEcs, folders, wantsList }
}

function describe(line: string, { matched, captures, from, to, failedPiece }: GrokExplanation): string {
  const width = Math.max(0, ...captures.map(({ field }) => field.length))
  const fields = captures.map(({ field, text }) => `    ${field.padEnd(width)}  ${text}\n`).join('')
  const marks = to > from ? `  ${' '.repeat(from)}${'^'.repeat(to - from)}\n` : ''
  if (matched) return `ok ${line}\n   ${marks.slice(2)}${fields}`
  const place = to > 0 ? `matches columns ${from + 1} to ${to}, then fails at` : 'fails at its first piece'
  return `no ${line}\n   ${marks.slice(2)}  ${place} ${failedPiece}\n${fields}`
}
