// Compares random scripts with an Elasticsearch that has Painless, value by value or error by error.
//   node --import tsx test/oracle/painless-scripts.ts --url http://127.0.0.1:9230 [--count 3000] [--seed 1] [--record FILE]
// --record writes every response to a file for test/recorded/painless.test.ts.
import { writeFileSync } from 'node:fs'
import { randomScripts } from '../painless/random-scripts.ts'
import { type Answer, bothAnswers, describe, essence, option } from './both-answers.ts'

const scripts = randomScripts(Number(option('seed', '1')), Number(option('count', '3000')))
const recordTo = option('record', '')

let agreed = 0
let exact = 0
const recorded: string[] = []
for (const source of scripts) {
  const { theirs, ours } = await bothAnswers(source)
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
