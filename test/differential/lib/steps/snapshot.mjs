// A point in time or a scroll must not see what is written after it was opened.
//
//   { kind: 'snapshot', how: 'pit'|'scroll', target, body, size, writes: [call, ...] }
//
// One page is read, then the writes happen (with a refresh), then the rest is read.

import { compareAnswers, compareGathered, hitKey } from '../compare.mjs'
import { stringify } from '../json.mjs'

export async function run(server, step) {
  const outcome = { hits: [], failure: null }
  const before = await server.send({
    method: 'POST',
    path: `/${step.target}/_search`,
    body: { ...step.body, size: 1000 },
  })
  outcome.before = before.json?.hits?.hits?.map(hitKey) ?? []
  const position = await open(server, step)
  for (let page = 0; page < 60; page++) {
    const answer = await position.read()
    if (answer.status !== 200) {
      outcome.failure = answer
      break
    }
    outcome.hits.push(...answer.json.hits.hits)
    if (page === 0) for (const write of step.writes) await server.send(write)
    if (answer.json.hits.hits.length === 0) break
    position.advance(answer)
  }
  await position.close()
  return outcome
}

async function open(server, step) {
  if (step.how === 'scroll') {
    let id
    return {
      read: () =>
        id
          ? server.send({ method: 'POST', path: '/_search/scroll', body: { scroll: '1m', scroll_id: id } })
          : server.send({
              method: 'POST',
              path: `/${step.target}/_search?scroll=1m`,
              body: { ...step.body, size: step.size },
            }),
      advance: (answer) => {
        id = answer.json._scroll_id ?? id
      },
      close: () => server.send({ method: 'DELETE', path: '/_search/scroll', body: { scroll_id: id } }),
    }
  }
  let { id, answer: opened } = await server.openPit(step.target)
  let after
  return {
    read: () =>
      id
        ? server.send({
            method: 'POST',
            path: '/_search',
            body: {
              ...step.body,
              size: step.size,
              pit: { id, keep_alive: '1m' },
              ...(after ? { search_after: after } : {}),
            },
          })
        : Promise.resolve(opened),
    advance: (answer) => {
      id = answer.json.pit_id ?? id
      after = answer.json.hits.hits.at(-1).sort
    },
    close: () => server.closePit(id),
  }
}

export function compare(oracle, subject, step, _world, options) {
  if (oracle.failure || subject.failure) {
    const good = { status: 200, json: {} }
    return compareAnswers(oracle.failure ?? good, subject.failure ?? good, 'plain', options)
  }
  return compareGathered('pages', oracle.hits, subject.hits, {
    ...options,
    scores: false,
    freeSort: new Set([step.body.sort.length]),
  })
}

export function check(subject) {
  if (subject.failure) return []
  const keys = subject.hits.map(hitKey)
  if (stringify([...keys].sort()) === stringify([...subject.before].sort())) return []
  const missing = subject.before.filter((k) => !keys.includes(k)).slice(0, 4)
  const foreign = keys.filter((k) => !subject.before.includes(k)).slice(0, 4)
  return [
    {
      class: 'invariant',
      path: 'view is frozen',
      oracle: `${subject.before.length} hits`,
      subject: { missing, foreign, read: keys.length },
    },
  ]
}

export function describe(step) {
  const writes = step.writes.map((w) => `${w.method} ${w.path} ${w.body ? stringify(w.body) : ''}`).join('\n  ')
  return `read /${step.target} by ${step.how}, ${step.size} per page, after page one:\n  ${writes}\n${stringify(step.body)}`
}
