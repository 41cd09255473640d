/** `--help` of a command: its text, wrapped to the width of the terminal. */

const DEFAULT_COLUMNS = 120
const MIN_COLUMNS = 40

/** Prints the help and returns true if `args` ask for it. */
export function printedHelp(args: readonly string[], help: string): boolean {
  if (!args.includes('--help') && !args.includes('-h')) return false
  printHelp(help)
  return true
}

export function printHelp(help: string): void {
  process.stdout.write(wrapHelp(help, process.stdout.columns ?? DEFAULT_COLUMNS))
}

/**
 * Breaks lines that are longer than `columns` between words. The rest of a line stands below the text of the line: below the
 * second column of a row such as `  --data FOLDER   the data folder`, otherwise below the first word. Lines to be copied
 * (the examples, which are commands) are not broken, because a shell would read each half.
 */
export function wrapHelp(help: string, columns: number): string {
  const width = Math.max(MIN_COLUMNS, columns)
  const lines = help.split('\n')
  const exampleAt = lines.findIndex((line) => /^Examples?$/.test(line))
  return lines
    .flatMap((line, at) => (line.length <= width || (exampleAt >= 0 && at > exampleAt) ? [line] : wrap(line, width)))
    .join('\n')
}

function wrap(line: string, width: number): string[] {
  const indent = /^ */.exec(line)![0].length
  const second = /^ +\S.*?\S {2,}(?=\S)|^ +\S {2,}(?=\S)/.exec(line)?.[0].length ?? indent
  // A second column that starts too far right would leave a strip of single words.
  const hanging = second <= width / 2 ? second : indent + 4
  const wrapped: string[] = []
  let rest = line
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const at = space > hanging ? space : rest.indexOf(' ', width)
    if (at < 0) break
    wrapped.push(rest.slice(0, at).trimEnd())
    rest = `${' '.repeat(hanging)}${rest.slice(at).trimStart()}`
  }
  return [...wrapped, rest]
}
