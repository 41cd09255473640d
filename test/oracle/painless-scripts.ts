// Compares random scripts with an Elasticsearch that has Painless, value by value or error by error.
//   node --import tsx test/oracle/painless-scripts.ts --url http://127.0.0.1:9230 [--count 3000] [--seed 1] [--record FILE]
// --record writes every response to a file for test/recorded/painless.test.ts.
import { writeFileSync } from 'node:fs'
import { executeScript } from '../painless/execute.ts'
import { randomScripts } from '../painless/random-scripts.ts'

const option = (name: string, fallback: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]!
}
const url = option('url', 'http://127.0.0.1:9230')
const scripts = randomScripts(Number(option('seed', '1')), Number(option('count', '3000')))
const recordTo = option('record', '')

interface Answer {
  result?: string
  error?: { type: string; reason: string; caused_by?: { type: string; reason: string | null } }
}

/** The part of a response that must be equal: the result, or the exception of the script. */
function essence(answer: Answer): string {
  // Before JDK 19 the JVM printed more digits of floating point numbers than necessary.
  if (answer.error === undefined)
    return `= ${answer.result?.replace(/-?(?<!\d)\d+\.\d+(E-?\d+)?/g, (number) => String(Math.fround(Number(number))))}`
  return `${answer.error.reason.split(' ')[0]} ${answer.error.caused_by?.type}`
}

let agreed = 0
let exact = 0
const recorded: string[] = []
for (const source of scripts) {
  const response = await fetch(`${url}/_scripts/painless/_execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ script: { source } }),
  })
  const theirs = (await response.json()) as Answer
  let ours: Answer
  try {
    ours = executeScript({ script: { source } }).body as Answer
  } catch (e) {
    ours = { error: { type: 'crash', reason: `crash ${(e as Error).stack}` } }
  }
  const same = essence(theirs) === essence(ours)
  if (same) agreed++
  else console.log(`${source}\n  server ${describe(theirs)}\n  ours   ${describe(ours)}`)
  if (same && theirs.error?.caused_by?.reason === ours.error?.caused_by?.reason) exact++
  const { result, error } = theirs
  const identical = error !== undefined || result === ours.result
  if (same && identical)
    recorded.push(JSON.stringify({ source, ...(error === undefined ? { result } : { error: strip(error) }) }))
}
console.log(
  `${scripts.length} scripts, ${agreed} agree (${((100 * agreed) / scripts.length).toFixed(2)} %), ${exact} with the same text`,
)
if (recordTo !== '') writeFileSync(recordTo, `${recorded.join('\n')}\n`)

/** The recorded part of an error: the cause and the position. */
function strip(error: NonNullable<Answer['error']>): unknown {
  const { reason, position, caused_by } = error as typeof error & { position?: unknown }
  return { reason, position, caused_by: { type: caused_by?.type, reason: caused_by?.reason } }
}

function describe(answer: Answer): string {
  if (answer.error === undefined) return JSON.stringify(answer.result)
  return `${answer.error.reason.slice(0, 300)} | ${answer.error.caused_by?.type} | ${answer.error.caused_by?.reason}`
}
