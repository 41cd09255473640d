// Runs ElastAlert 2 with a rule of every type over the events of the last hour, until each rule has run.
//   node elastalert.mjs FOLDER URL        FOLDER has ElastAlert 2 in its Python environment
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const [folder, address] = process.argv.slice(2)
const url = new URL(address)
const EVENTS = 'clients-elastalert'
const STATUS = 'elastalert_status'
const home = mkdtempSync(join(tmpdir(), 'sandpiper-elastalert-'))
const rules = join(home, 'rules')
mkdirSync(rules)

const start = Date.now() - 61 * 60_000
const minute = (n) => new Date(start + n * 60_000).toISOString()
const events = []
for (let n = -30; n < 60; n++)
  for (const user of ['ann', 'bob'])
    events.push({ at: n, level: 'info', host: 'web', user, country: 'DE', bytes: n < 30 ? 100 : 900 })
for (let n = 0; n < 40; n++)
  events.push({ at: 30 + n / 20, level: 'error', host: 'web', user: 'ann', country: 'DE', bytes: 900 })
for (const n of [5, 15, 25]) events.push({ at: n, level: 'fatal', host: 'db', user: 'ann', country: 'DE', bytes: 100 })
for (let n = 0; n < 20; n++)
  events.push({ at: n, level: 'info', host: 'silent', user: 'bob', country: 'DE', bytes: 100 })
for (const user of ['mallory', 'eve', 'zoe'])
  events.push({ at: 45, level: 'info', host: 'web', user, country: 'DE', bytes: 900 })
events.push({ at: 50, level: 'info', host: 'web', user: 'ann', country: 'FR', bytes: 900 })

const term = (field, value) => [{ term: { [field]: value } }]
const RULES = {
  any: { filter: term('level', 'fatal'), alerts: 3 },
  frequency: { filter: term('level', 'error'), num_events: 20, timeframe: { minutes: 5 } },
  'frequency of counts': {
    type: 'frequency',
    filter: term('level', 'error'),
    num_events: 20,
    use_count_query: true,
    timeframe: { minutes: 5 },
  },
  'frequency of terms': {
    type: 'frequency',
    filter: term('level', 'error'),
    num_events: 20,
    use_terms_query: true,
    query_key: 'user',
    timeframe: { minutes: 5 },
  },
  spike: {
    filter: term('host', 'web'),
    spike_height: 2,
    spike_type: 'up',
    threshold_cur: 10,
    timeframe: { minutes: 10 },
  },
  flatline: { filter: term('host', 'silent'), threshold: 1, timeframe: { minutes: 10 } },
  blacklist: { compare_key: 'user', blacklist: ['mallory'], filter: [], alerts: 1 },
  whitelist: { compare_key: 'user', whitelist: ['ann', 'bob', 'zoe'], ignore_null: true, filter: [], alerts: 2 },
  change: { compare_key: 'country', query_key: 'user', ignore_null: true, filter: [] },
  new_term: { fields: ['user'], terms_window_size: { hours: 6 }, use_keyword_postfix: false, filter: [], alerts: 3 },
  cardinality: { cardinality_field: 'user', max_cardinality: 3, timeframe: { minutes: 10 }, filter: [] },
  metric_aggregation: {
    metric_agg_key: 'bytes',
    metric_agg_type: 'avg',
    max_threshold: 500,
    filter: term('host', 'web'),
  },
  percentage_match: { match_bucket_filter: term('level', 'error'), max_percentage: 20, filter: term('host', 'web') },
  spike_aggregation: {
    metric_agg_key: 'bytes',
    metric_agg_type: 'avg',
    spike_height: 2,
    spike_type: 'up',
    timeframe: { minutes: 15 },
    filter: term('host', 'web'),
  },
}

const send = async (method, path, body, type = 'application/json') => {
  const response = await fetch(url.origin + path, { method, body, headers: { 'content-type': type } })
  if (!response.ok) throw new Error(`${method} ${path}: ${(await response.text()).slice(0, 300)}`)
  return response.json()
}
const interpreter = join(folder, 'venv', 'bin', 'python')
const python = (module, args) => {
  const { status, stdout, stderr } = spawnSync(interpreter, ['-W', 'ignore', '-m', module, ...args], {
    cwd: home,
    encoding: 'utf8',
    timeout: 10 * 60_000,
  })
  return { status, text: `${stdout}${stderr}` }
}
const hits = async (index, q) => (await send('GET', `/${index}/_search?size=1000&q=${encodeURIComponent(q)}`)).hits.hits
const config = ['--config', join(home, 'config.yaml')]
let log = ''

const steps = {
  'events are written': async () => {
    const keyword = { type: 'keyword' }
    const properties = {
      '@timestamp': { type: 'date' },
      level: keyword,
      host: keyword,
      user: keyword,
      country: keyword,
    }
    await send(
      'PUT',
      `/${EVENTS}`,
      JSON.stringify({ mappings: { properties: { ...properties, bytes: { type: 'long' } } } }),
    )
    const lines = events.map(
      ({ at, ...event }) => `{"index":{}}\n${JSON.stringify({ '@timestamp': minute(at), ...event })}\n`,
    )
    const { errors } = await send('POST', `/${EVENTS}/_bulk?refresh=true`, lines.join(''), 'application/x-ndjson')
    if (errors) throw new Error('events were rejected')
  },
  'elastalert-create-index makes its indices': async () => {
    const settings = {
      rules_folder: rules,
      run_every: { minutes: 10 },
      buffer_time: { minutes: 10 },
      es_host: url.hostname,
    }
    writeFileSync(
      join(home, 'config.yaml'),
      JSON.stringify({ ...settings, es_port: Number(url.port), writeback_index: STATUS, old_query_limit: { days: 1 } }),
    )
    const { text } = python('elastalert.create_index', [...config, '--index', STATUS, '--no-auth', '--no-ssl'])
    for (const index of ['', '_status', '_silence', '_error', '_past'])
      await send('GET', `/${STATUS}${index}/_mapping`).catch((error) => {
        throw new Error(`${error.message} ${text.slice(-300)}`)
      })
  },
  'the rules run without an error': async () => {
    for (const [name, { alerts: _, ...rule }] of Object.entries(RULES)) {
      const always = { name, type: name, index: EVENTS, realert: { minutes: 0 }, alert: ['debug'] }
      writeFileSync(join(rules, `${name.replaceAll(' ', '-')}.yaml`), JSON.stringify({ ...always, ...rule }))
    }
    const args = ['-W', 'ignore', '-m', 'elastalert.elastalert', ...config, '--verbose', '--start', minute(0)]
    const child = spawn(interpreter, args, { cwd: home })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        log += chunk
      })
    const ended = new Promise((done) => child.on('exit', done))
    for (let second = 0; second < 300 && child.exitCode === null; second++) {
      await wait(1000)
      await send('POST', `/${STATUS}*/_refresh`)
      const ran = new Set((await hits(`${STATUS}_status`, '*:*')).map(({ _source }) => _source.rule_name))
      if (ran.size === Object.keys(RULES).length) break
    }
    child.kill('SIGINT')
    await ended
    const failed = await hits(`${STATUS}_error`, '*:*')
    if (failed.length > 0) throw new Error(JSON.stringify(failed[0]._source.message))
  },
  ...Object.fromEntries(
    Object.entries(RULES).map(([name, { alerts }]) => [
      `rule ${name}`,
      async () => {
        const found = await hits(STATUS, `rule_name:"${name}"`)
        const runs = await hits(`${STATUS}_status`, `rule_name:"${name}"`)
        if (runs.length === 0) throw new Error(`the rule did not run: ${log.slice(-300)}`)
        if (alerts === undefined ? found.length === 0 : found.length !== alerts)
          throw new Error(`${found.length} alerts`)
        if (!found.every(({ _source }) => _source.alert_sent)) throw new Error('an alert was not sent')
      },
    ]),
  ),
  'elastalert-test-rule counts the hits of a rule': async () => {
    const range = ['--start', minute(0), '--end', minute(60), '--count-only']
    const { text } = python('elastalert.test_rule', [...config, join(rules, 'any.yaml'), ...range])
    if (!/Got 3 hits/.test(text)) throw new Error(text.slice(-300))
  },
}

for (const [step, work] of Object.entries(steps)) {
  try {
    await work()
    console.log(JSON.stringify({ step, ok: true }))
  } catch (error) {
    console.log(JSON.stringify({ step, ok: false, error: String(error?.message ?? error).slice(0, 400) }))
  }
}
rmSync(home, { recursive: true, force: true })
