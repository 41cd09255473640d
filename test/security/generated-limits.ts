/**
 * Goal: a value that field-level security hides shows in no answer, whatever the role, the kind of field and the way of
 * reading it.
 * Method: roles are generated. For each one there is a copy of the index in which the hidden values were never written;
 * every search of a limited user must get the answer that the superuser gets from the copy, scores included.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { SeededRandom } from '../../src/base/seeded-random.ts'
import { FieldRules, RANDOM_PATTERNS, ROLES, type RoleFields } from './field-rules.ts'
import {
  bareRules,
  copyDocument,
  copyMapping,
  DOCUMENTS,
  MAPPING,
  PATHS,
  readsWholeFields,
  SETTINGS,
} from './limited-index.ts'
import { SecuredNode } from './secured-node.ts'
import { API_READS, type Read, SEARCHES } from './value-reads.ts'

const SEED = 20_261_119
const SHOWN_CHARACTERS = 400
const RANDOM_ROLES = 10
/** Which part of all reads each role tries, and of those of the flattened field. */
const PART = 0.03
const PART_OF_FLATTENED = 0.12

let node: SecuredNode
const roles: { readonly name: string; readonly fields: RoleFields }[] = []

async function fill(index: string, mappings: unknown, documents: readonly object[]): Promise<void> {
  await node.admin('PUT', `/${index}`, { settings: SETTINGS, mappings })
  // Two segments, one of them without the optional fields.
  for (const part of [documents.slice(0, -1), documents.slice(-1)]) {
    const from = part === documents ? 0 : documents.indexOf(part[0]!)
    const lines = part.map((document, i) => `{"index":{"_id":"${from + i}"}}\n${JSON.stringify(document)}\n`)
    const { body } = await node.admin('POST', `/${index}/_bulk?refresh=true`, lines.join(''))
    assert.equal(body.errors, false, JSON.stringify(body))
  }
}

before(async () => {
  node = await SecuredNode.open()
  await fill('limited', MAPPING, DOCUMENTS)
  const random = new SeededRandom(SEED)
  const candidates = [...ROLES]
  while (candidates.length < ROLES.length + RANDOM_ROLES) {
    const some = <T>(all: readonly T[], count: number) => Array.from({ length: count }, () => random.pick(all))
    const isOpen = random.below(2) === 0
    const grant = isOpen ? ['*'] : some(RANDOM_PATTERNS, 4 + random.below(8))
    candidates.push({ grant, ...(isOpen ? { except: some(RANDOM_PATTERNS, 1 + random.below(6)) } : {}) })
  }
  for (const [i, fields] of candidates.entries()) {
    const name = `role-${i}`
    await node.userWith(name, {
      cluster: ['monitor'],
      indices: [{ names: ['limited'], privileges: ['read', 'view_index_metadata'], field_security: fields }],
    })
    const rules = new FieldRules(fields)
    await fill(
      `${name}-copy`,
      copyMapping(rules),
      DOCUMENTS.map((document) => copyDocument(document, rules)),
    )
    const bare = bareRules(rules)
    await fill(
      `${name}-bare`,
      copyMapping(bare),
      DOCUMENTS.map((document) => copyDocument(document, bare)),
    )
    roles.push({ name, fields })
  }
})

after(() => node.close())

/** Objects and arrays that hiding has emptied count as absent. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(comparable).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const shown = UNSTABLE.has(name) ? undefined : comparable(member)
    return shown === undefined ? [] : [[name, shown] as const]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

const UNSTABLE = new Set([
  'took',
  '_seq_no',
  '_version',
  '_primary_term',
  '_ignored',
  'ignored_field_values',
  'index_uuid',
  'start_time_in_millis',
  'expiration_time_in_millis',
  'completion_time_in_millis',
  'id',
])

/** The text of an object in Java, which is another one each time. */
const IDENTITY = /KnnDenseVector@[0-9a-f]+/g

const shown = (answer: unknown, index: string) =>
  comparable(JSON.parse(JSON.stringify(answer).replaceAll(index, 'limited').replace(IDENTITY, 'KnnDenseVector')))

/** The copy to compare with: values of a flattened field whose keys alone are granted are not in the field itself. */
const copyOf = (name: string, path: string, isOfSource = false) =>
  `${name}-${readsWholeFields(path) && (path === '*' || !isOfSource) ? 'bare' : 'copy'}`

interface Case {
  readonly title: string
  readonly path: string
  readonly isOfSource: boolean | undefined
  readonly body: object
}

/** Reads that fail if a pattern covers a field that they do not support. */
const OF_ONE_FIELD = /docvalue_fields|top_hits|inner_hits|collapse|combined_fields/

const CASES: readonly Case[] = [...PATHS].flatMap(([path, sample]) =>
  SEARCHES.filter((read) => path !== '*' || !OF_ONE_FIELD.test(read.name)).map(({ name, body, isOfSource }: Read) => {
    return { title: `${name} of ${path}`, path, isOfSource, body: body(path, sample) as object }
  }),
)

async function searchAll(cases: readonly Case[], login: string, indexOf: (one: Case) => string): Promise<unknown[]> {
  const lines = cases.flatMap((one) => [JSON.stringify({ index: indexOf(one) }), JSON.stringify(one.body)])
  const { body, status, text } = await node.send(login, 'POST', '/_msearch', `${lines.join('\n')}\n`)
  assert.equal(status, 200, text)
  return body.responses
}

test('a search of a limited user finds what a copy without the hidden values has', async () => {
  const failures: string[] = []
  let checks = 0
  let answered = 0
  const random = new SeededRandom(SEED)
  for (const { name, fields } of roles) {
    const cases = CASES.filter(({ path }) => random.chance(path.startsWith('fl') ? PART_OF_FLATTENED : PART))
    const limited = await searchAll(cases, node.login(name), () => 'limited')
    const copyFor = ({ path, isOfSource }: Case) => copyOf(name, path, isOfSource)
    const expected = await searchAll(cases, node.elastic, copyFor)
    for (const [i, one] of cases.entries()) {
      const { title, body } = one
      checks++
      const actual = shown(limited[i], 'limited')
      const wanted = shown(expected[i], copyFor(one))
      if (!('error' in (limited[i] as object))) answered++
      if (isDeepStrictEqual(actual, wanted)) continue
      const [found, copied] = [actual, wanted].map((answer) => JSON.stringify(answer).slice(0, SHOWN_CHARACTERS))
      failures.push(`${JSON.stringify(fields)}: ${title}: ${JSON.stringify(body)}\n  ${found}\n  ${copied}`)
    }
  }
  assert.ok(checks > 2_500 && answered > checks / 2, `${answered} of ${checks} were answered`)
  assert.equal(failures.length, 0, `${failures.length} of ${checks}\n${failures.slice(0, 8).join('\n')}`)
})

test('other requests of a limited user show what a copy without the hidden values has', async () => {
  for (const { name, fields } of roles) {
    for (const { title, path, method, uri, body } of API_READS) {
      const copy = copyOf(name, path)
      const ask = (login: string, index: string) =>
        node.send(login, method, uri.replaceAll('INDEX', index), body?.replaceAll('INDEX', index))
      const limited = await ask(node.login(name), 'limited')
      const expected = await ask(node.elastic, copy)
      const message = `${JSON.stringify(fields)}: ${title}: ${limited.text}`
      assert.equal(limited.status, expected.status, message)
      assert.deepEqual(shown(limited.body, 'limited'), shown(expected.body, copy), message)
    }
  }
})

test('a limited user sees the names of granted fields only', async () => {
  for (const { name, fields } of roles) {
    const rules = new FieldRules(fields)
    const caps = await node.send(node.login(name), 'GET', '/limited/_field_caps?fields=*&filters=-metadata')
    const all = await node.admin('GET', '/limited/_field_caps?fields=*&filters=-metadata')
    const leaves = (body: { fields: Record<string, Record<string, unknown>> }) =>
      Object.keys(body.fields).filter((path) => !('object' in body.fields[path]! || 'nested' in body.fields[path]!))
    assert.deepEqual(
      leaves(caps.body).sort(),
      leaves(all.body)
        .filter((path) => rules.has(path))
        .sort(),
      caps.text,
    )
    const mapping = await node.send(node.login(name), 'GET', '/limited/_mapping/field/*')
    for (const path of Object.keys(mapping.body.limited.mappings)) assert.ok(rules.has(path), `${path} of ${name}`)
  }
})
