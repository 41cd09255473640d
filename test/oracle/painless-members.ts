// Calls every member that scripts may use with random arguments, here and on an Elasticsearch that has Painless.
//   node --import tsx test/oracle/painless-members.ts --url http://127.0.0.1:9230 [--count 4] [--seed 1] [--classes java.util.]
// Refused members are counted and not listed. `--all` lists also the differences between texts that name objects: identity hashes,
// classes of lambdas, and formatters.
import { executeScript } from '../painless/execute.ts'
import { MemberCalls } from '../painless/member-calls.ts'

const option = (name: string, fallback: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]!
}
const url = option('url', 'http://127.0.0.1:9230')

interface Answer {
  result?: string
  error?: { type: string; reason: string; caused_by?: { type: string; reason: string | null } }
}

/** The part of a response that must be equal. Before JDK 19 the JVM printed more digits of floating point numbers than necessary. */
const essence = ({ result, error }: Answer): string =>
  error === undefined
    ? `= ${result?.replace(/-?(?<!\d)\d+\.\d+(E-?\d+)?/g, (number) => String(Math.fround(Number(number))))}`
    : `${String(error.reason).split(' ')[0]} ${error.caused_by?.type}`

const described = ({ result, error }: Answer): string =>
  error === undefined ? `= ${result}` : `${error.reason}: ${error.caused_by?.type}: ${error.caused_by?.reason}`

function executed(source: string): Answer {
  try {
    return executeScript({ script: { source } }).body as Answer
  } catch (error) {
    return { error: { type: 'crash', reason: `crash ${error}` } }
  }
}

const refused = ({ error }: Answer): boolean => /not supported/.test(error?.caused_by?.reason ?? '')
const namesObjects = ({ result }: Answer): boolean =>
  /@[0-9a-f]+|Lambda|^INSTANCE$|ParseCaseSensitive/.test(result ?? '')

const members = new MemberCalls(Number(option('seed', '1')))
console.log(`no objects of ${members.classesWithoutObjects.length} classes`)
let calls = 0
let same = 0
let refusals = 0
const differing = new Set<string>()
for (const { member, source } of members.calls(Number(option('count', '4')), option('classes', ''))) {
  const response = await fetch(`${url}/_scripts/painless/_execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ script: { source } }),
  })
  const theirs = (await response.json()) as Answer
  const ours = executed(source)
  calls++
  if (essence(theirs) === essence(ours) || (namesObjects(theirs) && !process.argv.includes('--all'))) same++
  else if (refused(ours)) refusals++
  else {
    differing.add(member)
    console.log(`${member}\n  ${source}\n  server ${described(theirs)}\n  ours   ${described(ours)}`)
  }
}
console.log(
  `${calls} calls, ${same} agree, ${refusals} refused here, ${calls - same - refusals} differ (${differing.size} members)`,
)
