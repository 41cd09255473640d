// One request, one answer.
//
//   { kind: 'call', method, path, body | ndjson, as: 'plain'|'search'|'msearch'|'text', ... }
//
// `sink` names a part of the answer that later steps may use as `${name}` in
// their path or body (scroll ids, for example). `hides` lists top-level values that
// are generated and cannot be equal.

import { compareAnswers } from '../compare.mjs'
import { clone, stringify } from '../json.mjs'

export async function run(server, step, _world, memory) {
  const answer = await server.send(fillIn(step, memory))
  if (step.sink) memory[step.sink.name] = readPath(answer.json, step.sink.path)
  return answer
}

export function compare(oracle, subject, step, world, options) {
  const hide = (answer) => {
    const found = (step.hides ?? []).filter((key) => typeof answer.json?.[key] === 'string')
    return found.length === 0
      ? answer
      : { ...answer, json: { ...answer.json, ...Object.fromEntries(found.map((key) => [key, '<generated>'])) } }
  }
  const body = step.body ?? {}
  return compareAnswers(hide(oracle), hide(subject), step.as ?? 'plain', {
    ...options,
    scores: !world.keepsHoles && step.scores !== false,
    cutStart: Number(body.from) > 0 || body.search_after !== undefined,
    cutEnd: true,
    unordered: step.unordered,
  })
}

export function describe(step) {
  const lines = [`${step.method ?? 'GET'} ${step.path}`]
  if (step.ndjson) lines.push(...step.ndjson.map(stringify))
  else if (step.body !== undefined) lines.push(typeof step.body === 'string' ? step.body : stringify(step.body))
  return lines.join('\n')
}

function fillIn(step, memory) {
  const text = (value) => value.replace(/\$\{(\w+)\}/g, (whole, name) => memory[name] ?? whole)
  const fill = (value) => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(fill)
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, fill(v)]))
    return value
  }
  if (!step.fills) return step
  return { ...clone(step), path: text(step.path), body: fill(step.body) }
}

function readPath(json, path) {
  return path.split('.').reduce((at, part) => at?.[part], json)
}
