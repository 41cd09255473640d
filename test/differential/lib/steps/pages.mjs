// Reads a whole result page by page.
//
//   { kind: 'pages', how, target, body, size, slices?, sliceField? }
//
// how: from, search_after, pit, scroll, pit_slices, scroll_slices.
// The body's sort must end in a unique field for `from` and `search_after`.

import { compareAnswers, compareGathered, hitKey } from '../compare.mjs'
import { stringify } from '../json.mjs'

const MAX_PAGES = 80

export async function run(server, step, _world) {
  const outcome = { hits: [], pageSizes: [], failure: null }
  const expected = await server.send({
    method: 'POST',
    path: `/${step.target}/_count`,
    body: step.body.query ? { query: step.body.query } : undefined,
  })
  outcome.count = expected.json?.count
  await READERS[step.how](server, step, outcome)
  return outcome
}

export function compare(oracle, subject, step, world, options) {
  if (oracle.failure || subject.failure) {
    const good = { status: 200, json: {} }
    return compareAnswers(oracle.failure ?? good, subject.failure ?? good, 'plain', options).map((d) => ({
      ...d,
      path: `page: ${d.path}`,
    }))
  }
  const sliced = step.how.endsWith('slices')
  const differences = compareGathered('pages', oracle.hits, subject.hits, {
    ...options,
    scores: !world.keepsHoles,
    unordered: sliced,
    freeSort: new Set([(step.body.sort ?? []).length]),
  })
  if (!sliced && stringify(oracle.pageSizes) !== stringify(subject.pageSizes)) {
    differences.push({ class: 'hits', path: 'hits per page', oracle: oracle.pageSizes, subject: subject.pageSizes })
  }
  return differences
}

export function check(subject, step, _world) {
  if (subject.failure) return []
  const problems = []
  const seen = new Map()
  for (const hit of subject.hits) seen.set(hitKey(hit), (seen.get(hitKey(hit)) ?? 0) + 1)
  const twice = [...seen].filter(([, n]) => n > 1).map(([k]) => k)
  if (twice.length > 0)
    problems.push({ class: 'invariant', path: 'no hit twice', oracle: 'none', subject: twice.slice(0, 5) })
  if (subject.count !== undefined && seen.size !== subject.count) {
    problems.push({ class: 'invariant', path: 'every match is read', oracle: subject.count, subject: seen.size })
  }
  if (subject.implicitTiebreak) problems.push(...checkShardDoc(subject.hits, step))
  return problems
}

/** With a point in time every hit ends in a unique number, rising among equal sort values. */
function checkShardDoc(hits, step) {
  const width = (step.body.sort ?? []).length
  const problem = (path, value) => [{ class: 'invariant', path, oracle: 'holds', subject: value }]
  const values = hits.map((hit) => hit.sort?.[width])
  if (values.some((v) => typeof v !== 'number' && typeof v !== 'bigint')) {
    return problem(
      '_shard_doc is the last sort value',
      hits.find((h) => h.sort?.length !== width + 1)?.sort ?? 'not a number',
    )
  }
  if (new Set(values.map(String)).size !== values.length) return problem('_shard_doc is unique', 'repeated value')
  for (let i = 1; i < hits.length; i++) {
    const before = hits[i - 1].sort
    const after = hits[i].sort
    if (stringify(before.slice(0, width)) === stringify(after.slice(0, width)) && before[width] >= after[width]) {
      return problem('_shard_doc rises among equal sort values', [before, after])
    }
  }
  return []
}

export function describe(step) {
  const extra = [step.slices && `${step.slices} slices`, step.sliceField && `on ${step.sliceField}`]
    .filter(Boolean)
    .join(' ')
  return `read /${step.target} to the end by ${step.how}, ${step.size} per page ${extra}\n${stringify(step.body)}`
}

// ---- the readers ----

/** Keeps the answer's hits; false when reading must stop. */
function keep(outcome, answer) {
  if (answer.status !== 200 || !Array.isArray(answer.json?.hits?.hits)) {
    outcome.failure = answer
    return false
  }
  outcome.hits.push(...answer.json.hits.hits)
  outcome.pageSizes.push(answer.json.hits.hits.length)
  return answer.json.hits.hits.length > 0 && outcome.pageSizes.length < MAX_PAGES
}

const lastSort = (answer) => answer.json.hits.hits.at(-1).sort

async function readFrom(server, step, outcome) {
  for (let from = 0; ; from += step.size) {
    const body = { ...step.body, from, size: step.size }
    if (!keep(outcome, await server.send({ method: 'POST', path: `/${step.target}/_search`, body }))) return
  }
}

async function readSearchAfter(server, step, outcome) {
  let after
  for (;;) {
    const body = { ...step.body, size: step.size, ...(after ? { search_after: after } : {}) }
    const answer = await server.send({ method: 'POST', path: `/${step.target}/_search`, body })
    if (!keep(outcome, answer)) return
    after = lastSort(answer)
  }
}

async function readPit(server, step, outcome, slice) {
  const { answer: opened, id } = await server.openPit(step.target)
  if (!id) {
    outcome.failure = opened
    return
  }
  let pitId = id
  let after
  outcome.implicitTiebreak =
    server.dialect === 'elasticsearch' && !slice && !stringify(step.body.sort ?? []).includes('_shard_doc')
  if (!step.body.sort) outcome.implicitTiebreak = false
  for (;;) {
    const body = {
      ...step.body,
      size: step.size,
      pit: { id: pitId, keep_alive: '1m' },
      ...(after ? { search_after: after } : {}),
      ...(slice ? { slice } : {}),
    }
    const answer = await server.send({ method: 'POST', path: '/_search', body })
    if (!keep(outcome, answer)) break
    after = lastSort(answer)
    pitId = answer.json.pit_id ?? pitId
    // A search without sort carries no sort values to go on from.
    if (!after) break
  }
  await server.closePit(pitId)
}

async function readScroll(server, step, outcome, slice) {
  const body = { ...step.body, size: step.size, ...(slice ? { slice } : {}) }
  let answer = await server.send({ method: 'POST', path: `/${step.target}/_search?scroll=1m`, body })
  let scrollId = answer.json?._scroll_id
  while (keep(outcome, answer)) {
    scrollId = answer.json._scroll_id ?? scrollId
    answer = await server.send({ method: 'POST', path: '/_search/scroll', body: { scroll: '1m', scroll_id: scrollId } })
  }
  if (scrollId) await server.send({ method: 'DELETE', path: '/_search/scroll', body: { scroll_id: scrollId } })
}

const sliced = (reader) => async (server, step, outcome) => {
  for (let id = 0; id < step.slices && !outcome.failure; id++) {
    outcome.pageSizes = []
    await reader(server, step, outcome, {
      id,
      max: step.slices,
      ...(step.sliceField ? { field: step.sliceField } : {}),
    })
  }
}

const READERS = {
  from: readFrom,
  search_after: readSearchAfter,
  pit: readPit,
  scroll: readScroll,
  pit_slices: sliced(readPit),
  scroll_slices: sliced(readScroll),
}
