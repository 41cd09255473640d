// Copies an index with elasticdump, every type, through files and from index to index.
//   node elasticdump.mjs FOLDER URL        FOLDER has elasticdump in its node_modules
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const [folder, url] = process.argv.slice(2)
const program = join(folder, 'node_modules', 'elasticdump', 'bin', 'elasticdump')
const files = mkdtempSync(join(tmpdir(), 'sandpiper-elasticdump-'))
const run = promisify(execFile)
const DOCUMENTS = 250

const request = async (method, path, body) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const response = await fetch(url + path, { method, body: text, headers: { 'content-type': type } })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer).slice(0, 300)}`)
  return answer
}
const dump = (...args) => run(process.execPath, [program, '--quiet', ...args])
const equal = (actual, expected) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}
const count = async (index) => (await request('GET', `/${index}/_count`)).count

const steps = {
  'an index with settings, a mapping, an analyzer, an alias, documents': async () => {
    await request('PUT', '/clients-dump', {
      settings: {
        analysis: { analyzer: { own: { tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] } } },
        number_of_replicas: 0,
      },
      mappings: { properties: { title: { type: 'text', analyzer: 'own' }, n: { type: 'integer' } } },
      aliases: { 'clients-dump-alias': {} },
    })
    const lines = Array.from(
      { length: DOCUMENTS },
      (_, n) => `{"index":{"_id":"${n}"}}\n{"title":"Café ${n}","n":${n}}\n`,
    )
    equal((await request('POST', '/clients-dump/_bulk?refresh=true', lines.join(''))).errors, false)
  },
  'settings, analyzer, mapping and alias through files': async () => {
    for (const type of ['settings', 'analyzer', 'mapping', 'alias']) {
      const file = join(files, `${type}.json`)
      await dump(`--input=${url}/clients-dump`, `--output=${file}`, `--type=${type}`)
      equal(
        readFileSync(file, 'utf8').includes('clients-dump') || readFileSync(file, 'utf8').includes('analysis'),
        true,
      )
    }
    await dump(`--input=${join(files, 'analyzer.json')}`, `--output=${url}/clients-dump-copy`, '--type=analyzer')
    await dump(`--input=${join(files, 'mapping.json')}`, `--output=${url}/clients-dump-copy`, '--type=mapping')
    const [copy] = Object.values(await request('GET', '/clients-dump-copy/_mapping'))
    equal(copy.mappings.properties.title.analyzer, 'own')
  },
  'data to a file and back': async () => {
    const file = join(files, 'data.ndjson')
    await dump(`--input=${url}/clients-dump`, `--output=${file}`, '--type=data', '--limit=40')
    equal(readFileSync(file, 'utf8').trim().split('\n').length, DOCUMENTS)
    await dump(`--input=${file}`, `--output=${url}/clients-dump-copy`, '--type=data', '--limit=40')
    await request('POST', '/clients-dump-copy/_refresh')
    equal(await count('clients-dump-copy'), DOCUMENTS)
  },
  'data from index to index, with a query': async () => {
    const body = JSON.stringify({ query: { range: { n: { lt: 100 } } } })
    await dump(
      `--input=${url}/clients-dump`,
      `--output=${url}/clients-dump-part`,
      '--type=data',
      `--searchBody=${body}`,
    )
    await request('POST', '/clients-dump-part/_refresh')
    equal(await count('clients-dump-part'), 100)
  },
  'data by search_after with a point in time': async () => {
    const file = join(files, 'sorted.ndjson')
    await dump(
      `--input=${url}/clients-dump`,
      `--output=${file}`,
      '--type=data',
      '--searchAfter=true',
      '--pit=true',
      '--limit=60',
      '--searchBody={"sort":[{"n":"asc"}]}',
    )
    equal(readFileSync(file, 'utf8').trim().split('\n').length, DOCUMENTS)
  },
  'deletion of what was copied': async () => {
    await dump(
      `--input=${url}/clients-dump-part`,
      `--output=${join(files, 'gone.ndjson')}`,
      '--type=data',
      '--delete=true',
    )
    await request('POST', '/clients-dump-part/_refresh')
    equal(await count('clients-dump-part'), 0)
  },
  templates: async () => {
    await request('PUT', '/_template/clients-dump', {
      index_patterns: ['clients-dump-t*'],
      settings: { number_of_replicas: 0 },
    })
    const file = join(files, 'template.json')
    await dump(`--input=${url}/`, `--output=${file}`, '--type=template')
    equal(readFileSync(file, 'utf8').includes('clients-dump-t*'), true)
    await request('PUT', '/_component_template/clients-dump-c', { template: { settings: { number_of_replicas: 0 } } })
    await dump(`--input=${url}/`, `--output=${join(files, 'component.json')}`, '--type=component_template')
    await request('PUT', '/_index_template/clients-dump-i', {
      index_patterns: ['clients-dump-i*'],
      composed_of: ['clients-dump-c'],
    })
    await dump(`--input=${url}/`, `--output=${join(files, 'index-template.json')}`, '--type=index_template')
    equal(readFileSync(join(files, 'index-template.json'), 'utf8').includes('clients-dump-c'), true)
  },
}

for (const [step, work] of Object.entries(steps)) {
  try {
    await work()
    console.log(JSON.stringify({ step, ok: true }))
  } catch (error) {
    console.log(JSON.stringify({ step, ok: false, error: String(error.stderr || error.message).slice(0, 500) }))
  }
}
rmSync(files, { recursive: true, force: true })
