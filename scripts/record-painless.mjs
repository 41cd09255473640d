// Records the outputs of Painless case files from a running Elasticsearch with Painless.
//   node scripts/record-painless.mjs http://127.0.0.1:9200 src/engine/painless/cases/FILE.txt
// A block of a case file is a command (`run`, `ingest` or `condition`), a script, `----` and the output. The text after
// the line is replaced by the response. Nothing is stored on the server.
import { readFileSync, writeFileSync } from 'node:fs'

const [url, ...files] = process.argv.slice(2)
const DOCUMENT = { a: 1, b: { c: 2.5 }, l: [1, 2], s: 'x' }

async function post(path, body) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

const failure = ({ type, reason, position, caused_by: cause }) =>
  (position === undefined ? '' : `${reason} at ${position.offset}: `) +
  (cause === undefined ? `${type}: ${reason}` : `${cause.type}: ${cause.reason ?? null}`)

async function simulate(processor) {
  const answer = await post('/_ingest/pipeline/_simulate', {
    pipeline: { processors: [processor] },
    docs: [{ _index: 'i', _id: '1', _source: DOCUMENT }],
  })
  return answer.docs === undefined ? { error: answer.error } : answer.docs[0]
}

function sorted(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  )
}

const COMMANDS = {
  async run(source) {
    const { result, error } = await post('/_scripts/painless/_execute', { script: { source } })
    return error === undefined ? result : failure(error)
  },
  async ingest(source) {
    const { doc, error } = await simulate({ script: { source } })
    if (error !== undefined) return failure(error)
    const { _source, _ingest, ...metadata } = doc
    if (metadata._version !== undefined) metadata._version = Number(metadata._version)
    if (metadata._if_seq_no !== undefined) metadata._if_seq_no = Number(metadata._if_seq_no)
    return JSON.stringify(sorted({ ..._source, ...metadata }))
  },
  async condition(source) {
    const { doc, error } = await simulate({ set: { field: 'hit', value: true, if: source } })
    return error === undefined ? String(doc._source.hit === true) : failure(error)
  },
}

for (const file of files) {
  const blocks = readFileSync(file, 'utf8').trim().split(/\n\n+/)
  const recorded = []
  for (const block of blocks) {
    const lines = block.split('\n')
    const start = lines.findIndex((line) => !line.startsWith('#'))
    if (start < 0) {
      recorded.push(block)
      continue
    }
    const end = lines.indexOf('----') < 0 ? lines.length : lines.indexOf('----')
    const output = await COMMANDS[lines[start]](lines.slice(start + 1, end).join('\n'))
    recorded.push([...lines.slice(0, end), '----', ...(output === '' ? [] : [output])].join('\n'))
  }
  writeFileSync(file, `${recorded.join('\n\n')}\n`)
  console.log(`${file}: ${recorded.length} blocks`)
}
