// Compares two answers and names what differs. A difference is
//   { class, path, oracle, subject }
// Classes, worst first:
export const CLASSES = [
  'crash',
  'setup',
  'status',
  'type',
  'hits',
  'order',
  'total',
  'aggs',
  'invariant',
  'shape',
  'value',
  'score',
  'reason',
]
/** Classes that do not make a case fail unless --strict is given. */
export const SOFT = new Set(['reason'])

import { stringify } from './json.mjs'
import { normalise, normaliseReason } from './normalise.mjs'

const MAX_DIFFERENCES = 12
const SCORE_TOLERANCE = 1e-5
const VALUE_TOLERANCE = 1e-6

class Collector {
  constructor(options) {
    this.list = []
    this.options = options
  }

  add(kind, path, oracle, subject) {
    if (this.list.length < MAX_DIFFERENCES) this.list.push({ class: kind, path, oracle, subject })
  }
}

// ---- numbers ----

const isNumber = (v) => typeof v === 'number' || typeof v === 'bigint'
const isWhole = (v) => typeof v === 'bigint' || Number.isInteger(v)

function close(a, b, tolerance) {
  if (a === b) return true
  if (isWhole(a) && isWhole(b))
    return typeof a === typeof b ? a === b : Number(a) === Number(b) && Math.abs(Number(a)) > 1e18
  const x = Number(a)
  const y = Number(b)
  return Math.abs(x - y) <= tolerance * Math.max(Math.abs(x), Math.abs(y)) + 1e-9
}

// ---- anything ----

function kindOf(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return isNumber(value) ? 'number' : typeof value
}

const isErrorObject = (v) =>
  v && typeof v === 'object' && typeof v.type === 'string' && 'reason' in v && v.type !== 'nested'

function deep(out, kind, path, a, b, tolerance = VALUE_TOLERANCE) {
  const ka = kindOf(a)
  const kb = kindOf(b)
  if (a === undefined || b === undefined) {
    if (a !== b) out.add('shape', path, a, b)
    return
  }
  if (ka !== kb) {
    out.add('shape', path, a, b)
  } else if (ka === 'array') {
    if (a.length !== b.length) return out.add(kind, `${path}.length`, brief(a), brief(b))
    for (const [i, v] of a.entries()) deep(out, kind, `${path}[${i}]`, v, b[i], tolerance)
  } else if (ka === 'object') {
    if (isErrorObject(a) && isErrorObject(b)) return compareError(out, path, a, b)
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      deep(out, kind, `${path}.${key}`, a[key], b[key], tolerance)
  } else if (ka === 'number') {
    if (!close(a, b, tolerance)) out.add(kind, path, a, b)
  } else if (a !== b) {
    out.add(kind, path, a, b)
  }
}

function brief(list) {
  const text = stringify(list)
  return `${list.length} entries: ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`
}

// ---- errors ----

function compareError(out, path, a, b) {
  if (a.type !== b.type) out.add('type', `${path}.type`, `${a.type}: ${a.reason}`, `${b.type}: ${b.reason}`)
  const strict = out.options.strict
  if (normaliseReason(a.reason, strict) !== normaliseReason(b.reason, strict))
    out.add('reason', `${path}.reason`, a.reason, b.reason)
  const causeOf = (e) =>
    (Array.isArray(e.failed_shards) && e.failed_shards[0]?.reason) || e.caused_by || e.root_cause?.[0]
  const ca = causeOf(a)
  const cb = causeOf(b)
  if (ca && cb && ca !== a && cb !== b) {
    if (ca.type !== cb.type) out.add('reason', `${path}.cause.type`, ca.type, cb.type)
    if (normaliseReason(ca.reason, strict) !== normaliseReason(cb.reason, strict))
      out.add('reason', `${path}.cause.reason`, ca.reason, cb.reason)
  }
}

function errorText(answer) {
  const error = answer.json?.error
  if (error === undefined) return `${answer.status}`
  return typeof error === 'string' ? `${answer.status} ${error}` : `${answer.status} ${error.type}: ${error.reason}`
}

// ---- hits ----

/** With routing the same id may live on two shards. */
export const hitKey = (hit) =>
  `${hit._index}/${hit._id}${hit._routing ? `@${hit._routing}` : ''}${hit._nested ? stringify(hit._nested) : ''}`

function sameRank(a, b) {
  if (!a || !b) return false
  if (a.sort && b.sort) {
    return a.sort.length === b.sort.length && a.sort.every((v, i) => sameSortValue(v, b.sort[i]))
  }
  if (a._score === null || b._score === null) return a._score === b._score
  return close(a._score, b._score, SCORE_TOLERANCE)
}

function sameSortValue(a, b) {
  return isNumber(a) && isNumber(b) ? close(a, b, SCORE_TOLERANCE) : a === b
}

/** Runs of neighbours whose rank is equal; their inner order is free. */
function tieGroups(hits) {
  const groups = []
  let start = 0
  for (let i = 1; i <= hits.length; i++) {
    if (i === hits.length || !sameRank(hits[i - 1], hits[i])) {
      groups.push([start, i])
      start = i
    }
  }
  return groups
}

/**
 * options.scores: false when scores cannot be compared; options.cutStart / cutEnd: the list is a window, so the tie group at
 * that edge may hold other members; options.unordered: order is not defined at all.
 */
export function compareHitLists(out, path, a, b, options = {}) {
  const { scores = true, cutStart = false, cutEnd = false, unordered = false } = options
  if (a.length !== b.length) {
    return out.add('hits', `${path}.length`, brief(a.map(hitKey)), brief(b.map(hitKey)))
  }
  // Some hits carry no id (stored_fields _none_, nested top hits without source): only their ranks can be compared.
  if ([...a, ...b].some((hit) => hit._id === undefined)) {
    for (const [i, hit] of a.entries()) compareHit(out, `${path}[${i}]`, rankOf(hit), rankOf(b[i]), options)
    return
  }
  const keysA = a.map(hitKey)
  const keysB = b.map(hitKey)
  const setB = new Set(keysB)
  const sameSet = keysA.every((k) => setB.has(k)) && setB.size === keysB.length
  const orderFree = unordered || (!scores && !a.some((h) => h.sort))
  for (const [start, end] of orderFree ? [[0, a.length]] : tieGroups(a)) {
    const group = new Set(keysA.slice(start, end))
    if (keysB.slice(start, end).every((k) => group.has(k))) continue
    const cut = (cutStart && start === 0) || (cutEnd && end === a.length)
    if (cut && b.slice(start, end).every((hit) => orderFree || sameRank(hit, a[start]))) continue
    out.add(
      sameSet ? 'order' : 'hits',
      `${path}[${start}..${end - 1}]`,
      brief(keysA.slice(start, end)),
      brief(keysB.slice(start, end)),
    )
    break
  }
  const byKey = new Map(b.map((hit) => [hitKey(hit), hit]))
  a.forEach((hit, i) => {
    const other = byKey.get(hitKey(hit))
    if (other) compareHit(out, `${path}[${i}]`, hit, other, options)
  })
}

const rankOf = ({ _id, _score, sort }) => ({ _id, _score, sort })

function compareHit(out, path, a, b, options) {
  const { _score: scoreA, sort: sortA, inner_hits: innerA, ...restA } = a
  const { _score: scoreB, sort: sortB, inner_hits: innerB, ...restB } = b
  if ((scoreA === null) !== (scoreB === null) || (scoreA === undefined) !== (scoreB === undefined)) {
    out.add('shape', `${path}._score`, scoreA, scoreB)
  } else if (options.scores !== false && isNumber(scoreA) && !close(scoreA, scoreB, SCORE_TOLERANCE)) {
    out.add('score', `${path}._score`, scoreA, scoreB)
  }
  if (sortA || sortB) {
    if (!sortA || !sortB || sortA.length !== sortB.length) out.add('shape', `${path}.sort`, sortA, sortB)
    else
      sortA.forEach((v, i) => {
        if (options.scores === false && isNumber(v) && !isWhole(v)) return
        if (options.freeSort?.has(i)) return
        if (!sameSortValue(v, sortB[i])) out.add('order', `${path}.sort[${i}]`, v, sortB[i])
      })
  }
  for (const name of new Set([...Object.keys(innerA ?? {}), ...Object.keys(innerB ?? {})])) {
    const ia = innerA?.[name]
    const ib = innerB?.[name]
    if (!ia || !ib) out.add('shape', `${path}.inner_hits.${name}`, ia, ib)
    else compareHitsObject(out, `${path}.inner_hits.${name}.hits`, ia.hits, ib.hits, { ...options, cutEnd: true })
  }
  deep(out, 'hits', path, restA, restB)
}

function compareHitsObject(out, path, a, b, options) {
  if (!a || !b) return out.add('shape', path, a, b)
  deep(out, 'total', `${path}.total`, a.total, b.total)
  if ((a.max_score === null) !== (b.max_score === null)) out.add('shape', `${path}.max_score`, a.max_score, b.max_score)
  else if (
    options.scores !== false &&
    isNumber(a.max_score) &&
    isNumber(b.max_score) &&
    !close(a.max_score, b.max_score, SCORE_TOLERANCE)
  ) {
    out.add('score', `${path}.max_score`, a.max_score, b.max_score)
  }
  if (!Array.isArray(a.hits) || !Array.isArray(b.hits)) return deep(out, 'shape', `${path}.hits`, a.hits, b.hits)
  compareHitLists(out, `${path}.hits`, a.hits, b.hits, options)
}

// ---- aggregations ----

const bucketKey = (bucket) =>
  bucket && typeof bucket === 'object' ? stringify(bucket.key ?? bucket.key_as_string ?? null) : String(bucket)

export function compareAggs(out, path, a, b, options = {}) {
  if (kindOf(a) !== kindOf(b)) return deep(out, 'aggs', path, a, b)
  if (kindOf(a) !== 'object') return deep(out, 'aggs', path, a, b)
  if (isErrorObject(a)) return deep(out, 'aggs', path, a, b)
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const here = `${path}.${key}`
    const va = a[key]
    const vb = b[key]
    if (va === undefined || vb === undefined) out.add('shape', here, va, vb)
    else if (key === 'hits' && Array.isArray(va.hits))
      compareHitsObject(out, here, va, vb, { ...options, cutEnd: true })
    else if (key === 'buckets' && Array.isArray(va) && Array.isArray(vb)) compareBuckets(out, here, va, vb, options)
    else if (kindOf(va) === 'object') compareAggs(out, here, va, vb, options)
    else deep(out, 'aggs', here, va, vb)
  }
}

function compareBuckets(out, path, a, b, options) {
  const ka = a.map(bucketKey)
  const kb = b.map(bucketKey)
  const same =
    ka.length === kb.length &&
    a.every(
      (bucket, i) =>
        ka[i] === kb[i] || (isNumber(bucket.key) && isNumber(b[i].key) && close(bucket.key, b[i].key, VALUE_TOLERANCE)),
    )
  if (!same) return out.add('aggs', `${path} keys`, brief(ka), brief(kb))
  for (const [i, bucket] of a.entries()) compareAggs(out, `${path}[${ka[i]}]`, bucket, b[i], options)
}

// ---- whole answers ----

function compareSearchBody(out, path, a, b, options) {
  const { hits: hitsA, aggregations: aggsA, ...restA } = a
  const { hits: hitsB, aggregations: aggsB, ...restB } = b
  deep(out, 'value', path, restA, restB)
  if (hitsA || hitsB) compareHitsObject(out, `${path}.hits`, hitsA, hitsB, options)
  if (aggsA || aggsB) compareAggs(out, `${path}.aggregations`, aggsA ?? null, aggsB ?? null, options)
}

/** Status, crash and error handling common to every answer; true when the bodies still need a look. */
function compareOutcome(out, path, a, b) {
  // Where the oracle itself hung up there is nothing to compare with.
  if (a.broken) return false
  if (b.broken) {
    out.add('crash', path, errorText(a), b.broken)
    return false
  }
  if (b.status >= 500 && a.status < 500) {
    out.add('crash', path, errorText(a), errorText(b))
    return false
  }
  if (a.status >= 500) {
    // The oracle stumbled itself; any refusal is as good as its own.
    if (b.status < 400) out.add('status', path, errorText(a), errorText(b))
    return false
  }
  if (a.status !== b.status) {
    out.add('status', path, errorText(a), errorText(b))
    return false
  }
  if (a.status >= 400 && (a.json?.error !== undefined || b.json?.error !== undefined)) {
    const ea = a.json?.error
    const eb = b.json?.error
    if (isErrorObject(ea) && isErrorObject(eb)) compareError(out, `${path}error`, ea, eb)
    else if (typeof ea === 'string' && typeof eb === 'string') {
      if (normaliseReason(ea) !== normaliseReason(eb)) out.add('reason', `${path}error`, ea, eb)
    } else out.add('shape', `${path}error`, ea, eb)
    return false
  }
  return true
}

/**
 * kind: search, msearch, or plain.
 */
export function compareAnswers(oracle, subject, kind = 'plain', options = {}) {
  const out = new Collector(options)
  if (!compareOutcome(out, '', oracle, subject)) return out.list
  if (oracle.json === undefined || subject.json === undefined) {
    if ((oracle.json === undefined) !== (subject.json === undefined))
      out.add('shape', 'body', oracle.json ?? oracle.text, subject.json ?? subject.text)
    else if (kind === 'text' && oracle.text !== subject.text) out.add('value', 'body', oracle.text, subject.text)
    return out.list
  }
  const a = normalise(oracle.json)
  const b = normalise(subject.json)
  if (kind === 'search') compareSearchBody(out, '', a, b, options)
  else if (kind === 'msearch') compareMultiSearch(out, a, b, options)
  else deep(out, 'value', '', a, b)
  return out.list
}

function compareMultiSearch(out, a, b, options) {
  if (a.responses?.length !== b.responses?.length)
    return out.add('shape', 'responses.length', a.responses?.length, b.responses?.length)
  a.responses?.forEach((ra, i) => {
    const rb = b.responses[i]
    const path = `responses[${i}].`
    if (compareOutcome(out, path, { status: ra.status, json: ra }, { status: rb.status, json: rb }))
      compareSearchBody(out, path, ra, rb, options)
  })
}

/** Used by steps that gather several pages: compares two gathered hit lists. */
export function compareGathered(path, a, b, options = {}) {
  const out = new Collector(options)
  compareHitLists(out, path, normalise(a), normalise(b), options)
  return out.list
}

export function compareGatheredBuckets(path, a, b, options = {}) {
  const out = new Collector(options)
  compareBuckets(out, path, normalise(a), normalise(b), options)
  return out.list
}

export function worst(differences) {
  return differences.map((d) => d.class).sort((x, y) => CLASSES.indexOf(x) - CLASSES.indexOf(y))[0]
}

export function isFailure(differences, strict = false) {
  return differences.some((d) => strict || !SOFT.has(d.class))
}
