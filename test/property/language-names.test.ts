/**
 * Goal: names that JavaScript objects have from birth (`toString`, `__proto__`) are names like all others.
 * Method: the same requests are sent to two nodes, once with such a name wherever a client can choose one, and once with
 * an ordinary name of the same length. With the names made equal, all answers must be equal.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { SecuredNode } from '../security/secured-node.ts'
import { type NamedRequest, REQUESTS } from './language-name-requests.ts'

const PAIRS = [
  ['__proto__', '__plain__'],
  ['toString', 'toStrung'],
  ['hasOwnProperty', 'hasOwnPropertx'],
  ['constructor', 'konstruktor'],
  ['valueOf', 'xxlueOf'],
] as const

/** Members that differ between two equal nodes. */
const UNSTABLE = new Set([
  ...[
    'took',
    'uuid',
    'node',
    'node_id',
    'name',
    'version',
    'creation_date',
    'modified_date',
    'timestamp',
    'task',
    'host',
  ],
  ...['ingest_took', 'time_in_millis', 'modified_date_millis', 'cluster_name', 'cluster_uuid', 'trace', 'total_time'],
])

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? value.replace(ID, 'ID') : value
  return Object.entries(value)
    .filter(([name]) => !UNSTABLE.has(name) && !TIMED.test(name))
    .map(([name, member]) => [name.replace(ID, 'ID'), comparable(member)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

const ID = /[\w-]{22}(?![\w-])|\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** Times, and sizes of compressed data, in which the names are. */
const TIMED = /_in_(?:millis|nanos|bytes)$|_time$|_ms$|_millis$|(?:^|_)size$|^(?:index.creation_date|breakdown)$/

async function answers(name: string): Promise<{ request: NamedRequest; text: string; status: number }[]> {
  const node = await SecuredNode.open({ isSecured: false })
  try {
    const found = []
    for (const request of REQUESTS) {
      const [method, uri] = request.line.replaceAll('NAME', name).split(' ') as [string, string]
      const { status, text } = await node.send(undefined, method, uri, request.body?.replaceAll('NAME', name))
      found.push({ request, status, text: text.replace(new RegExp(name, 'gi'), 'NAME') })
    }
    return found
  } finally {
    await node.close()
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text.replace(/\s+/g, ' ').replace(ID, 'ID')
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The innermost parts that differ. */
function firstDifference(actual: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined
  if (isList(actual) && isList(expected) && actual.length === expected.length) {
    const at = actual.findIndex((item, i) => !isDeepStrictEqual(item, expected[i]))
    return firstDifference(actual[at], expected[at])
  }
  const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value)?.slice(0, SHOWN_CHARACTERS))
  return `found ${found}\n  not   ${wanted}`
}

const SHOWN_CHARACTERS = 300

for (const [name, ordinary] of PAIRS) {
  test(`${name} as a name gets the answers of any other name`, async () => {
    const [special, plain] = await Promise.all([answers(name), answers(ordinary)])
    const differences: string[] = []
    let accepted = 0
    for (const [i, { request, text, status }] of special.entries()) {
      const expected = plain[i]!
      if (expected.status < 300) accepted++
      const difference = firstDifference(
        [status, comparable(parsed(text))],
        [expected.status, comparable(parsed(expected.text))],
      )
      if (difference !== undefined) differences.push(`${request.line} ${request.body ?? ''}\n  ${difference}`)
    }
    assert.equal(differences.length, 0, `${differences.length} differ\n${differences.join('\n').slice(0, 20_000)}`)
    assert.ok(accepted > REQUESTS.length * 0.7, `${accepted} of ${REQUESTS.length} are accepted`)
  })
}
