// The table of clients in docs/compatibility.md, between two markers.
import { readFileSync, writeFileSync } from 'node:fs'

const [START, END] = ['<!-- clients -->\n', '<!-- /clients -->']
const HEAD = [
  '| client | version | what ran | passed | failed | not supported | skipped by the suite | remarks | date |',
  '|---|---|---|---|---|---|---|---|---|',
]

/** Replaces the lines of the clients that ran; `order` has the names of all clients. */
export function writeTable(file, rows, order) {
  const text = readFileSync(file, 'utf8')
  const from = text.indexOf(START)
  const to = text.indexOf(END)
  if (from < 0 || to < from) throw new Error(`${file} has no markers for the table`)
  const lines = new Map()
  for (const line of text.slice(from + START.length, to).split('\n')) {
    const cells = line.split(' | ')
    if (cells.length === HEAD[0].split(' | ').length) lines.set(cells[0].replace(/^\| /, ''), line)
  }
  const date = new Date().toISOString().slice(0, 10)
  for (const row of rows) {
    const { name, version, runs, passed, failed, unsupported, skipped, remark } = row
    lines.set(
      name,
      `| ${[name, version, runs, passed, failed, unsupported, skipped, remark.replaceAll('|', '\\|'), date].join(' | ')} |`,
    )
  }
  const body = order.filter((name) => lines.has(name)).map((name) => lines.get(name))
  writeFileSync(file, `${text.slice(0, from + START.length)}${[...HEAD, ...body].join('\n')}\n${text.slice(to)}`)
}
