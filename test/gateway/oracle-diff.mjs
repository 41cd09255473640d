// Random searches through the gateway and to a real Elasticsearch, which must answer the same. A difference must be one that
// docs/manual/gateway.md describes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TESTER = fileURLToPath(new URL('../differential/diff.mjs', import.meta.url))
const AREAS = 'paging,composite,nested,search,sort'
/** Classes of differences that a client cannot notice. */
const SILENT = new Set(['crash', 'hits', 'order', 'total', 'aggs', 'invariant'])
const EQUAL_MIN = 0.98

/** Differences that the manual describes: a rule over a difference, the text of the requests, and the step with all differences of the case. */
const DOCUMENTED = [
  [
    'geotile_grid with bounds and missing_bucket in a composite aggregation',
    ({ class: kind, subject }) =>
      kind === 'status' && String(subject).includes('[missing_bucket] together with [bounds]'),
  ],
  [
    'pages of Elasticsearch with missing_order',
    (difference, text, { differences }) =>
      text.includes('"missing_order"') &&
      (difference.path === 'buckets keys' || isInShortBucket(difference, differences)),
  ],
  [
    'pages of Elasticsearch with descending keywords',
    ({ path }, text) => path === 'buckets keys' && /"composite".*"terms":\{"field":"[^"]*","order":"desc"/.test(text),
  ],
  [
    'pages of Elasticsearch with histograms of the fields that an index is sorted by',
    (difference, _, { step, differences }) =>
      hasHistogramSource(step) &&
      ((difference.path === 'buckets keys' && entriesOf(difference.oracle) < entriesOf(difference.subject)) ||
        isInShortBucket(difference, differences)),
  ],
  [
    'numbers of _shard_doc in slices',
    ({ class: kind, path }, text) =>
      kind === 'order' &&
      /sort\[\d+\]$/.test(path) &&
      text.includes('_shard_doc') &&
      text.includes('"how":"pit_slices"'),
  ],
  [
    'numbers of documents in a sort by _doc',
    ({ class: kind, path }, _, { step }) => kind === 'order' && sortFieldAt(path, step) === '_doc',
  ],
  [
    'other last documents of slices, whose missing dates with a format cannot be continued from',
    ({ class: kind, path, oracle, subject }, _, { step }) =>
      kind === 'status' &&
      path === 'page: ' &&
      String(oracle).startsWith('400 ') &&
      subject === '200' &&
      step?.how === 'pit_slices' &&
      hasOtherSlices(step) &&
      sortItems(step).some(({ format }) => format !== undefined),
  ],
  [
    'other last documents of slices, which pages after a date in a less exact format repeat',
    ({ class: kind, path }, _, { step }) =>
      kind === 'hits' &&
      path === 'pages.length' &&
      step?.how === 'pit_slices' &&
      hasOtherSlices(step) &&
      sortItems(step).some(({ format }) => /^[yMd-]+$/.test(format ?? '')),
  ],
  [
    'documents that fail a function, in other slices with others of their shard',
    ({ class: kind, path }, _, { step }) =>
      kind === 'hits' && path === 'pages.length' && hasOtherSlices(step) && hasFailingFunction(step),
  ],
  [
    'pages of points in time that lost a shard',
    ({ class: kind, oracle, subject }, _, { step }) =>
      kind === 'status' &&
      oracle === '200' &&
      String(subject).endsWith('Partial shards failure') &&
      step?.how.startsWith('pit') &&
      // Documents on which a shard fails: dates that nanoseconds cannot hold, and functions without a value.
      (sortItems(step).some((item) => item.numeric_type === 'date_nanos') || hasFailingFunction(step)),
  ],
  [
    'shards that Elasticsearch fails in a sort by half_float',
    ({ class: kind, path, oracle }, _, { step }) =>
      // Where some shards fail, their documents are missing from the pages.
      ((kind === 'hits' && (path === 'pages.length' || path === 'hits per page')) ||
        (kind === 'status' && String(oracle).startsWith('500 '))) &&
      sortFieldAt('sort[0]', step)?.startsWith('half_float') === true,
  ],
  [
    'results below rare_terms within other buckets',
    ({ class: kind, path }, _, { step }) =>
      // A result that only one of the servers has is of the class shape, one of top_hits of the classes of hits.
      ['aggs', 'shape', 'hits', 'order', 'total'].includes(kind) && isBelowInnerRareTerms(kindsAlong(path, step)),
  ],
  [
    'percentiles of few values below rare terms of nested documents',
    ({ path }, text) => /\.values\b/.test(path) && text.includes('"rare_terms"') && text.includes('"nested"'),
  ],
  [
    'a null in a list of points, in filtered documents',
    ({ path, oracle }, text) =>
      /\._source\..*geo_point/.test(path) && JSON.stringify(oracle).includes('null') && text.includes('"_source":'),
  ],
  [
    'scores of a word that is searched both exactly and fuzzily',
    ({ class: kind, path }, text) =>
      ['score', 'hits', 'order'].includes(kind) && path.startsWith('.hits') && isFuzzyAndExact(text),
  ],
  [
    'days of a week in date formats',
    ({ class: kind }, _, { differences }) =>
      // Elasticsearch may refuse the search for another reason.
      ['status', 'type', 'reason'].includes(kind) &&
      differences.some(({ subject }) => String(subject).includes('the number of the day in the week')),
  ],
  [
    'shards that OpenSearch fails for intervals beside other clauses',
    ({ path }, text, { differences }) =>
      path.startsWith('._shards.') &&
      text.includes('"intervals"') &&
      differences.some(({ subject }) => String(JSON.stringify(subject)).includes('Sub-iterators of ConjunctionDISI')),
  ],
]

/**
 * Whether slices have other documents than in Elasticsearch: those of several indices, and those of a point in time without a
 * field. Slices of a scroll or of a field of one index are the same.
 */
function hasOtherSlices({ how, target, sliceField } = {}) {
  return (
    how?.endsWith('_slices') === true && (target.includes(',') || (how === 'pit_slices' && sliceField === undefined))
  )
}

/** Whether the pages are those of a composite aggregation whose first source is a histogram. */
function hasHistogramSource(step) {
  const composite = step?.kind === 'composite' ? definitionAt(step.body, step.name)?.composite : undefined
  const first = Object.values(composite?.sources?.[0] ?? {})[0]
  return first?.histogram !== undefined || first?.date_histogram !== undefined
}

/** The definition of an aggregation by its name, which has those of the aggregations around it. */
function definitionAt(body, name) {
  return name.split('.').reduce((at, part) => (at?.aggs ?? at?.aggregations)?.[part], body)
}

/** The number of entries in a list of the comparison. */
const entriesOf = (shown) => Number(/^(\d+) entries/.exec(String(shown))?.[1])

/** Whether a function of the query fails a shard for a document without a value. */
function hasFailingFunction(step) {
  return /"field_value_factor":\{(?![^}]*"missing")/.test(JSON.stringify(step?.body?.query ?? {}))
}

/** The options of the items of a sort. */
function sortItems(step) {
  return [step?.body?.sort ?? []].flat().map((item) => (typeof item === 'object' ? Object.values(item)[0] : {}))
}

/** Whether a difference is the number of documents, or a result below it, in a bucket of which Elasticsearch lost documents. */
function isInShortBucket({ path }, differences) {
  const bucket = /^buckets\[.*?\}\](?=\.)/.exec(path)?.[0]
  const count = differences.find((other) => other.path === `${bucket}.doc_count`)
  return bucket !== undefined && count !== undefined && Number(count.oracle) < Number(count.subject)
}

/** Whether a result is one below `rare_terms` that is itself in the buckets of another aggregation. */
function isBelowInnerRareTerms(kinds) {
  const rare = kinds.indexOf('rare_terms')
  return rare >= 0 && rare < kinds.length - 1 && kinds.slice(0, rare).some((kind) => !ONE_BUCKET.has(kind))
}

const ONE_BUCKET = new Set(['nested', 'reverse_nested', 'filter', 'global', 'missing', 'sampler'])

/** The kinds of the aggregations that a path leads through, outermost first. */
function kindsAlong(path, step) {
  const names = path.replaceAll(/\.?buckets\[("(\\.|[^"\\])*"|\{.*?\}|[^\]]*)\]/g, '').split(/[.\s]/)
  const kinds = []
  let inner = step?.body?.aggs
  const enter = (name) => {
    const definition = inner?.[name]
    if (definition === undefined) return
    kinds.push(Object.keys(definition).find((member) => !['aggs', 'aggregations', 'meta'].includes(member)))
    inner = definition.aggs ?? definition.aggregations
  }
  // The paths of pages of a composite aggregation begin at its buckets. Its name has those of the aggregations around it.
  if (step?.kind === 'composite') step.name.split('.').forEach(enter)
  names.forEach(enter)
  return kinds
}

/** The field of a sort value, by the end of its path; undefined for another value. */
function sortFieldAt(path, step) {
  const place = /sort\[(\d+)\]$/.exec(path)?.[1]
  const item = place === undefined ? undefined : [step?.body?.sort ?? []].flat()[Number(place)]
  return typeof item === 'object' ? Object.keys(item)[0] : item
}

/** Whether a request has a fuzzy clause and another one on the same text. */
function isFuzzyAndExact(text) {
  const clauses = [...text.matchAll(/"(?:match|term|fuzzy)":\{"(\w+)":(\{[^{}]*\}|"[^"]*")/g)]
  const isFuzzy = ([clause]) => clause.includes('"fuzziness"') || clause.startsWith('"fuzzy"')
  return clauses.some((one) => isFuzzy(one) && clauses.some((other) => !isFuzzy(other) && other[1] === one[1]))
}

/** Returns checks with their problems. `oracle` is the address of Elasticsearch. */
export function diffWithElasticsearch({ oracle, gateway, seed = 1, cases = 1000 }) {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-diff-'))
  try {
    const file = join(folder, 'results.json')
    const options = { area: AREAS, seed, cases, shrink: 0, show: 0, jobs: 5, json: file }
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    const args = [TESTER, '--oracle', oracle, '--subject', gateway, ...flags]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    console.log(stdout.trim())
    return judge(JSON.parse(readResults(file, stderr)), seed)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readResults(file, stderr) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Error(`the comparison did not run: ${stderr.slice(-500)}`)
  }
}

export function judge({ passed, failed, failures }, seed) {
  const wrong = failures
    .filter((failure) => failure.failed)
    .map((failure) => ({ ...failure, reasons: reasonsOf(failure) }))
  const documented = wrong.filter(({ reasons }) => reasons !== undefined)
  for (const { id, class: kind, differences, reasons } of wrong) {
    const { path, oracle, subject } = differences[0]
    const shown = reasons?.join(', ') ?? `not documented: ${show(oracle)} became ${show(subject)}`
    console.log(`${kind.padEnd(10)} ${id.padEnd(16)} ${path.slice(0, 60)}: ${shown}`)
  }
  const silent = wrong.filter(({ class: kind, reasons }) => reasons === undefined && SILENT.has(kind))
  const total = passed + failed
  const percent = (count) => `${((count / total) * 100).toFixed(1)} %`
  const known = passed + documented.length
  return [
    {
      name: `${passed} of ${total} random searches of seed ${seed} are equal (${percent(passed)}), with documented differences ${known} (${percent(known)})`,
      problem: passed / total >= EQUAL_MIN ? undefined : `at least ${EQUAL_MIN * 100} % must be`,
    },
    {
      name: 'no undocumented difference in hits, order, totals or buckets',
      problem: silent.length === 0 ? undefined : silent.map(({ id }) => id).join(', '),
    },
  ]
}

const show = (value) => String(JSON.stringify(value)).slice(0, 60)

/** The rules that explain all differences of a case; undefined if one is left. */
function reasonsOf({ differences, steps }) {
  const text = JSON.stringify(steps)
  const reasons = differences.map((difference) => {
    const context = { step: steps[difference.step], differences }
    return DOCUMENTED.find(([, rule]) => rule(difference, text, context))?.[0]
  })
  return reasons.includes(undefined) ? undefined : [...new Set(reasons)]
}
