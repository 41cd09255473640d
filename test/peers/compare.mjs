// Sends the requests of a file to two servers and compares the responses:
//
//   node test/peers/compare.mjs test/peers/index-apis.txt --oracle http://127.0.0.1:9210 --subject http://127.0.0.1:9200
//
// Not part of `npm test`, because it needs a running Elasticsearch. Ids, dates and times are not compared.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { oracle: { type: 'string' }, subject: { type: 'string' }, only: { type: 'string' } },
})
if (positionals.length !== 1 || values.oracle === undefined || values.subject === undefined) {
  console.error('usage: compare.mjs FILE --oracle URL --subject URL [--only REGEX]')
  process.exit(2)
}

const TIMEOUT_MS = 20_000
const UUID = /(?<![\w-])[\w-]{22}(?![\w-])/g
const NEVER_EQUAL = new Set(['took', 'suppressed', 'stack_trace', 'creation_date', 'index.creation_date'])

async function send(server, method, path, body) {
  const answer = await fetch(server + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await answer.text()
  return `${answer.status} ${comparable(text)}`
}

function comparable(text) {
  try {
    return JSON.stringify(withoutNature(JSON.parse(text)))
  } catch {
    return text
  }
}

/** The value with sorted members and with ids and times replaced. */
function withoutNature(value) {
  if (Array.isArray(value)) return value.map(withoutNature)
  if (typeof value === 'string') return value.replace(UUID, (id) => (/[A-Z\d]/.test(id) ? 'UUID' : id))
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value)
    .filter((name) => !NEVER_EQUAL.has(name))
    .sort()
  return Object.fromEntries(names.map((name) => [name, withoutNature(value[name])]))
}

let equal = 0
let different = 0
for (const line of readFileSync(positionals[0], 'utf8').split('\n')) {
  const match = /^([A-Z]+) (\S+)(?: (.*))?$/.exec(line)
  if (match === null || (values.only !== undefined && !new RegExp(values.only).test(line))) continue
  const [, method, path, body] = match
  const expected = await send(values.oracle, method, path, body)
  const actual = await send(values.subject, method, path, body)
  if (expected === actual) equal++
  else {
    different++
    console.log(`${line.slice(0, 200)}\n  oracle  ${expected.slice(0, 600)}\n  subject ${actual.slice(0, 600)}`)
  }
}
console.log(`${equal} equal, ${different} different`)
process.exitCode = different === 0 ? 0 : 1
