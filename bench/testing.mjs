// The testing module: the time of reset(), and of snapshot() and restore() of 10,000 documents.
//   npm run build && node bench/testing.mjs [--rounds 50] [--docs 10000]
// Prints median and 95th percentile in milliseconds. A restore counts until the service has answered a count with the right number;
// restore() alone and a second count show how much of that is the request, which dominates on a busy machine.
import { startSearch } from '../dist/bundle/testing.js'

const option = (name, standard) => {
  const at = process.argv.indexOf(name)
  return Number(at < 0 ? standard : process.argv[at + 1])
}
const rounds = option('--rounds', 50)
const docs = option('--docs', 10_000)

const search = await startSearch({ refresh: 'immediate' })
const send = (method, path, body, type = 'application/json') =>
  fetch(search.url + path, { method, body, headers: body === undefined ? {} : { 'content-type': type } }).then((r) =>
    r.json(),
  )

async function fill() {
  const lines = Array.from({ length: docs }, (_, i) => `{"index":{"_id":"${i}"}}\n{"title":"document ${i}","n":${i}}\n`)
  const { errors } = await send('POST', '/books/_bulk?refresh=true', lines.join(''), 'application/x-ndjson')
  if (errors) throw new Error('a document was rejected')
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function report(name, times) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(2)
  console.log(`${name.padEnd(40)} median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, ${sorted.length} rounds`)
}

try {
  const resets = []
  for (let i = 0; i < rounds; i++) {
    await send('PUT', '/books/_doc/1', '{"title":"Sandpipers"}')
    resets.push(await timed(() => search.reset()))
  }
  report('reset()', resets)

  await fill()
  const snapshots = []
  const restores = []
  const alone = []
  const counts = []
  const count = async () => {
    const { count: found } = await send('GET', '/books/_count')
    if (found !== docs) throw new Error(`${found} documents after a restore`)
  }
  for (let i = 0; i < rounds; i++) {
    let snapshot
    snapshots.push(await timed(async () => (snapshot = await search.snapshot())))
    await send('POST', '/books/_delete_by_query?refresh=true', '{"query":{"range":{"n":{"lt":100}}}}')
    const restored = timed(async () => {
      alone.push(await timed(() => search.restore(snapshot)))
      await count()
    })
    restores.push(await restored)
    counts.push(await timed(count))
  }
  report(`snapshot() of ${docs} documents`, snapshots)
  report(`restore() of ${docs} documents`, alone)
  report(`restore() of ${docs} documents and a count`, restores)
  report('a count without a restore', counts)
  report(
    'snapshot() and restore() together',
    snapshots.map((time, i) => time + restores[i]),
  )
} finally {
  await search.stop()
}
