// Reads all buckets of a composite aggregation by its after key.
//
//   { kind: 'composite', target, body, name }
//
// The composite is found in body.aggs under `name`; a dotted name walks into
// single-bucket parents ("in_items.pages").

import { compareAnswers, compareGatheredBuckets } from '../compare.mjs'
import { clone, stringify } from '../json.mjs'

const MAX_PAGES = 60

export async function run(server, step) {
  const outcome = { buckets: [], afterKeys: [], failure: null }
  const body = clone(step.body)
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await server.send({ method: 'POST', path: `/${step.target}/_search`, body })
    const result = answer.json && resultAt(answer.json.aggregations, step.name)
    if (answer.status !== 200 || !Array.isArray(result?.buckets)) {
      outcome.failure = answer
      return outcome
    }
    outcome.buckets.push(...result.buckets)
    outcome.afterKeys.push(result.after_key ?? null)
    if (!result.after_key || result.buckets.length === 0) break
    definitionAt(body, step.name).composite.after = result.after_key
  }
  return outcome
}

export function compare(oracle, subject, _step, world, options) {
  if (oracle.failure || subject.failure) {
    const good = { status: 200, json: {} }
    return compareAnswers(oracle.failure ?? good, subject.failure ?? good, 'plain', options)
  }
  const differences = compareGatheredBuckets('buckets', oracle.buckets, subject.buckets, {
    ...options,
    scores: !world.keepsHoles,
  })
  if (differences.length === 0 && stringify(oracle.afterKeys) !== stringify(subject.afterKeys)) {
    const at = oracle.afterKeys.findIndex((k, i) => stringify(k) !== stringify(subject.afterKeys[i]))
    differences.push({
      class: 'aggs',
      path: `after_key of page ${at}`,
      oracle: oracle.afterKeys[at],
      subject: subject.afterKeys[at],
    })
  }
  return differences
}

export function check(subject) {
  if (subject.failure) return []
  const keys = subject.buckets.map((b) => stringify(b.key))
  if (new Set(keys).size === keys.length) return []
  return [
    {
      class: 'invariant',
      path: 'no bucket twice',
      oracle: 'none',
      subject: keys.filter((k, i) => keys.indexOf(k) !== i).slice(0, 3),
    },
  ]
}

export function describe(step) {
  return `page composite "${step.name}" of /${step.target}/_search to the end\n${stringify(step.body)}`
}

function definitionAt(body, name) {
  return name.split('.').reduce((at, part) => (at.aggs ?? at.aggregations)[part], body)
}

function resultAt(aggregations, name) {
  return name.split('.').reduce((at, part) => at?.[part], aggregations)
}
