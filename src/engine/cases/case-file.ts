/**
 * Data-driven tests: a text file of commands, each followed by its expected output.
 *
 *     search
 *     {"query": {"term": {"tag": "a"}}}
 *     ----
 *     total 1
 *     1 score 0.2876821
 *
 * A block is a command line, input lines, `----` and the expected output; blocks are separated by empty lines, and
 * lines that start with `#` are comments. With UPDATE_CASES=1 the outputs of the file are rewritten instead of
 * compared; review the difference before committing it.
 */
import { readFileSync, writeFileSync } from 'node:fs'

export interface CaseBlock {
  readonly comment: string
  readonly command: string
  readonly input: readonly string[]
  readonly expected: string
}

const SEPARATOR = '----'

export function parseCases(text: string): CaseBlock[] {
  return text
    .trim()
    .split(/\n\n+/)
    .map((block) => {
      const lines = block.split('\n')
      const start = lines.findIndex((line) => !line.startsWith('#'))
      if (start < 0) return { comment: block, command: '', input: [], expected: '' }
      const split = lines.indexOf(SEPARATOR)
      const end = split < 0 ? lines.length : split
      return {
        comment: lines.slice(0, start).join('\n'),
        command: lines[start]!,
        input: lines.slice(start + 1, end),
        expected: lines.slice(end + 1).join('\n'),
      }
    })
}

export function printCases(blocks: readonly CaseBlock[]): string {
  const texts = blocks.map(({ comment, command, input, expected }) => {
    const head = comment === '' ? [] : [comment]
    if (command === '') return comment
    return [...head, command, ...input, SEPARATOR, ...(expected === '' ? [] : [expected])].join('\n')
  })
  return `${texts.join('\n\n')}\n`
}

/** Runs every block; `check` receives the actual and the expected output. */
export function runCases(
  file: URL,
  run: (command: string, input: readonly string[]) => string,
  check: (block: CaseBlock, output: string) => void,
): void {
  const blocks = parseCases(readFileSync(file, 'utf8'))
  const outputs = blocks.map((block) => ({
    ...block,
    expected: block.command === '' ? '' : run(block.command, block.input),
  }))
  if (process.env['UPDATE_CASES'] === '1') {
    writeFileSync(file, printCases(outputs))
    return
  }
  blocks.forEach((block, i) => {
    if (block.command !== '') check(block, outputs[i]!.expected)
  })
}
