/**
 * Records responses of Elasticsearch into the files of test/recorded.
 *
 *   node scripts/record.mjs --url http://127.0.0.1:9200 [--rename recorded-wire-=another-prefix] test/recorded/wire/*.ndjson
 *
 * A file has a request per line: `method`, `path`, `body` (an object, or a text for bodies that are no JSON), and
 *   setup    the request only prepares others; its response is not compared
 *   shape    only names and types of members are compared, because the values depend on the machine
 *   keep     members of the response that later requests use as ${name}
 *   headers  sent with the request
 * This script writes `status` and `answer`. `--rename` sends another prefix of names than that of the file, for shared
 * servers. A prefix of the same length keeps the columns in error messages. Names with the prefix are deleted at the
 * beginning and at the end of a file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { comparable, fillIn, keptMembers, shapeOf, without } from '../test/recorded/exchange.mjs'

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, rename: { type: 'string', default: 'recorded-wire-=recorded-wire-' } },
})
if (values.url === undefined || files.length === 0) {
  console.error('usage: node scripts/record.mjs --url URL [--rename FROM=TO] FILE…')
  process.exit(1)
}
const [written, sent] = values.rename.split('=')

async function send(method, path, body, given = {}) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { ...(text === undefined ? {} : { 'content-type': contentType(path) }), ...given }
  const answer = await fetch(values.url + path.replaceAll(written, sent), {
    method,
    headers,
    body: text?.replaceAll(written, sent),
  })
  const raw = (await answer.text()).replaceAll(sent, written)
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  return { status: answer.status, body: isJson && raw !== '' ? JSON.parse(raw) : raw }
}

const contentType = (path) => (/_bulk|_msearch/.test(path) ? 'application/x-ndjson' : 'application/json')

async function clean() {
  const { body: streams } = await send('GET', `/_data_stream/${written}*`)
  for (const { name } of streams.data_streams ?? []) await send('DELETE', `/_data_stream/${name}`)
  for (const path of ['_index_template', '_component_template']) await send('DELETE', `/${path}/${written}*`)
  const { body } = await send('GET', `/${written}*?expand_wildcards=all&features=aliases`)
  for (const name of Object.keys(body)) if (name.startsWith(written)) await send('DELETE', `/${name}`)
  // An index may use a pipeline, so these come last.
  await send('DELETE', `/_ingest/pipeline/${written}*`)
}

for (const file of files) {
  await clean()
  const kept = {}
  const lines = []
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { setup, shape, keep, headers, method, path, body } = JSON.parse(line)
    const { status, body: given } = await send(method, fillIn(path, kept), fillIn(body, kept), headers)
    Object.assign(kept, keptMembers(keep, given))
    if (setup && status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(given)}`)
    const answer = setup ? {} : shape ? shapeOf(given) : comparable(without(given, keep))
    lines.push(JSON.stringify({ setup, shape, keep, headers, method, path, body, status, answer }))
  }
  writeFileSync(file, `${lines.join('\n')}\n`)
  console.log(`${file}: ${lines.length} exchanges`)
  await clean()
}
