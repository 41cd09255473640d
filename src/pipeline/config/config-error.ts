/**
 * Errors of a configuration: Logstash's message, then the position, the line with a caret, and a suggestion if a
 * similar name exists. All problems of a configuration are reported together.
 */
import type { Position } from './syntax-tree.ts'

export interface ConfigProblem {
  readonly message: string
  readonly at?: Position | undefined
  readonly suggestion?: string | undefined
}

export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(describeProblem).join('\n\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

export interface LineAndColumn {
  readonly line: number
  readonly column: number
  /** The text of that line. */
  readonly text: string
}

/** Counted from 1; columns count characters. */
export function lineAndColumn({ source, offset }: Position): LineAndColumn {
  const before = source.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  const end = source.indexOf('\n', offset)
  return {
    line: before.split('\n').length,
    column: offset - start + 1,
    text: source.slice(start, end < 0 ? undefined : end).replace(/\r$/, ''),
  }
}

function describeProblem({ message, at, suggestion }: ConfigProblem): string {
  let text = message
  if (at !== undefined) {
    const { line, column, text: excerpt } = lineAndColumn(at)
    const number = String(line)
    // Tabs before the caret are kept, so that the caret is below its character whatever the tab width.
    const indent = excerpt.slice(0, column - 1).replace(/[^\t]/g, ' ')
    text += `\n  --> ${at.file ?? 'config string'}:${line}:${column}\n   ${number} | ${excerpt}`
    text += `\n   ${' '.repeat(number.length)} | ${indent}^`
  }
  return suggestion === undefined ? text : `${text}\n  ${suggestion}`
}
