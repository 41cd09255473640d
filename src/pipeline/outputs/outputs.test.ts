import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { OutputPlugin } from '../plugin/output-plugin.ts'
import { makeOutput, testContext } from '../registry/plugin-fixture.ts'
import { csv } from './csv.ts'
import { exec } from './exec.ts'
import { file } from './file.ts'
import { graphite } from './graphite.ts'
import { http } from './http.ts'
import { nagios } from './nagios.ts'
import { pipe } from './pipe.ts'
import { statsd } from './statsd.ts'
import { syslog } from './syslog.ts'
import { tcp } from './tcp.ts'
import { udp } from './udp.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-outputs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = (name: string) => join(folder, name)

function event(fields: Record<string, string | number | string[]>): Event {
  const made = Event.ofMessage('hello', new Timestamp(Date.UTC(2024, 0, 2, 3, 4, 5)))
  made.set('host', 'web.1')
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}

async function send(plugin: OutputPlugin, options: Record<string, unknown>, ...events: Event[]): Promise<void> {
  const clock = { nowMs: () => 1_700_000_000_000 }
  const output = await makeOutput(plugin, options, testContext({ clock }))
  await output.start?.()
  await output.write(events)
  await output.close?.()
}

/** A server that records the first bytes it receives. */
async function listening(): Promise<{ port: number; received: Promise<string> }> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const received = new Promise<string>((resolve) => {
    server.once('connection', (socket) => {
      let text = ''
      socket.on('data', (bytes) => {
        text += bytes.toString()
      })
      socket.on('end', () => {
        server.close()
        resolve(text)
      })
    })
  })
  return { port: (server.address() as AddressInfo).port, received }
}

async function datagrams(count: number): Promise<{ port: number; received: Promise<string[]> }> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const texts: string[] = []
  const received = new Promise<string[]>((resolve) => {
    socket.on('message', (bytes) => {
      texts.push(bytes.toString())
      if (texts.length < count) return
      socket.close()
      resolve(texts)
    })
  })
  return { port: socket.address().port, received }
}

test('file output: names come from events, folders are created, and paths that lead out of the folder are rejected', async () => {
  const options = { path: `${folder}/out/%{name}.log`, codec: 'json_lines' }
  await send(file, options, event({ name: 'a' }), event({ name: '../../escape' }), event({ name: 'a' }))
  const lines = readFileSync(path('out/a.log'), 'utf8').trim().split('\n')
  assert.equal(lines.length, 2)
  assert.equal((JSON.parse(lines[0]!) as { message: string }).message, 'hello')
  assert.ok(existsSync(path('out/_filepath_failures')))
  await assert.rejects(send(file, { path: '/%{name}' }), /should not be dynamic/)
})

test('file output: files can be compressed and overwritten', async () => {
  await send(file, { path: path('a.gz'), gzip: true }, event({}))
  assert.match(gunzipSync(readFileSync(path('a.gz'))).toString(), /"message":"hello"/)
  writeFileSync(path('b.log'), 'old\n')
  await send(file, { path: path('b.log'), write_behavior: 'overwrite' }, event({}))
  assert.doesNotMatch(readFileSync(path('b.log'), 'utf8'), /old/)
})

test('the options of Ruby for CSV are those of the csv output, and others are rejected', async () => {
  const written = async (name: string, csv_options: Map<string, unknown>) => {
    await send(csv, { path: path(name), fields: ['a', 'b', 'c'], csv_options }, event({ a: 'x;y', b: '', c: ' |' }))
    return readFileSync(path(name), 'utf8')
  }
  assert.equal(await written('1', new Map([['col_sep', ';;']])), '"x;y";;"";; |\n')
  assert.equal(
    await written(
      '2',
      new Map([
        ['force_quotes', 'true'],
        ['row_sep', '!'],
      ]),
    ),
    '"x;y",""," |"!',
  )
  assert.equal(
    await written(
      '3',
      new Map([
        ['quote_char', '|'],
        ['quote_empty', 'false'],
      ]),
    ),
    'x;y,,| |||\n',
  )
  await assert.rejects(written('4', new Map([['headers', 'x']])), /csv_options: "headers" is not known/)
})

test('csv output: values are quoted where needed, and formulas are neutralized', async () => {
  const made = event({ a: 'x,"y"', b: 5, c: '=1+1' })
  await send(csv, { path: path('a.csv'), fields: ['a', 'b', 'nope', 'c', '[host]'] }, made)
  assert.equal(readFileSync(path('a.csv'), 'utf8'), `"x,""y""",5,,'=1+1,web.1\n`)
})

test('nagios output: a line is written to the command file, and nothing without host, service or file', async () => {
  const commands = path('nagios.cmd')
  await send(nagios, { commandfile: commands }, event({ nagios_host: 'h', nagios_service: 's' }))
  assert.ok(!existsSync(commands))
  writeFileSync(commands, '')
  const fields = { nagios_host: 'h', nagios_service: 's' }
  const annotated = { ...fields, nagios_annotation: 'look', nagios_level: 'Warning', message: 'one\ntwo' }
  await send(nagios, { commandfile: commands }, event(fields), event(annotated), event({ nagios_host: 'h' }))
  assert.equal(
    readFileSync(commands, 'utf8'),
    '[1700000000] PROCESS_SERVICE_CHECK_RESULT;h;s;2;hello\n' +
      '[1700000000] PROCESS_SERVICE_CHECK_RESULT;h;s;1;look: one\\ntwo\n',
  )
})

test('statsd output: every kind of metric is sent', async () => {
  const { port, received } = await datagrams(6)
  const options = {
    host: '127.0.0.1',
    port,
    increment: ['apache.%{response}'],
    decrement: ['down::x'],
    count: new Map([['bytes', '%{bytes}']]),
    timing: new Map([['took', '%{ms}']]),
    gauge: new Map([['level|1', 7]]),
    set: new Map([['users', '%{user}']]),
  }
  await send(statsd, options, event({ response: 200, bytes: 512, ms: 1.5, user: 'u' }))
  assert.deepEqual((await received).sort(), [
    'logstash.web_1.apache.200:1|c',
    'logstash.web_1.bytes:512|c',
    'logstash.web_1.down.x:-1|c',
    'logstash.web_1.level_1:7|g',
    'logstash.web_1.took:1.5|ms',
    'logstash.web_1.users:u|s',
  ])
})

test('tcp and graphite outputs send lines over a connection', async () => {
  const lines = await listening()
  await send(tcp, { host: '127.0.0.1', port: lines.port, codec: 'json_lines' }, event({}), event({}))
  assert.equal((await lines.received).trim().split('\n').length, 2)
  const numbers = await listening()
  const metrics = new Map([['web.%{host}.bytes', '%{bytes}']])
  await send(graphite, { host: '127.0.0.1', port: numbers.port, metrics }, event({ bytes: 5 }))
  assert.equal(await numbers.received, 'web.web.1.bytes 5.0 1704164645\n')
})

test('the graphite output takes the fields of an event that are included, and a field as the time', async () => {
  const numbers = await listening()
  const options = { host: '127.0.0.1', port: numbers.port, fields_are_metrics: true, timestamp_field: 'at' }
  const chosen = { include_metrics: ['^n'], exclude_metrics: ['3$'], metrics_format: 'x.%{host}.*' }
  await send(graphite, { ...options, ...chosen }, event({ n1: '12', n2: 'none', n3: 1, at: 1_700_000_000 }))
  assert.equal(await numbers.received, 'x.web.1.n1 12.0 1700000000\nx.web.1.n2 0.0 1700000000\n')
})

test('udp and syslog outputs send datagrams', async () => {
  const plain = await datagrams(1)
  await send(udp, { host: '127.0.0.1', port: String(plain.port), codec: 'json' }, event({}))
  assert.match((await plain.received)[0]!, /"message":"hello"/)
  const log = await datagrams(1)
  const options = { host: '127.0.0.1', port: log.port, facility: 'mail', severity: 'error', appname: 'app' }
  await send(syslog, options, event({}))
  assert.deepEqual(await log.received, ['<19>Jan 02 03:04:05 web.1 app[-]: hello'])
})

test('the syslog output encodes with its codec, escapes line breaks and writes structured data', async () => {
  const log = await datagrams(3)
  const at = { host: '127.0.0.1', port: log.port }
  await send(syslog, { ...at, use_labels: false, priority: '900' }, event({ message: 'a\r\nb\n' }))
  await send(syslog, { ...at, codec: 'dots' }, event({}))
  const data = { rfc: 'rfc5424', structured_data: '[x@1 host="%{host}"]', procid: '7', msgid: 'm' }
  await send(syslog, { ...at, ...data }, event({}))
  assert.deepEqual(await log.received, [
    '<13>Jan 02 03:04:05 web.1 LOGSTASH[-]: a\\nb',
    '<13>Jan 02 03:04:05 web.1 LOGSTASH[-]: .',
    '<13>1 2024-01-02T03:04:05.000+00:00 web.1 LOGSTASH 7 m [x@1 host="web.1"] hello',
  ])
  await assert.rejects(send(syslog, { ...at, structured_data: '[x]' }, event({})), /not supported for RFC3164/)
})

test('http output: temporary failures are retried, permanent ones dropped', async () => {
  const bodies: string[] = []
  const statuses = [503, 200, 400]
  const server = createHttpServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += String(piece)
    bodies.push(text)
    response.writeHead(statuses.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/%{host}`
  const options = { url, http_method: 'post', format: 'message', message: 'm=%{message}' }
  await send(http, options, event({}))
  await send(http, options, event({}))
  await send(http, { ...options, url: '%{nope}' }, event({}))
  await new Promise((resolve) => server.close(resolve))
  assert.deepEqual(bodies, ['m=hello', 'm=hello', 'm=hello'])
})

test('exec and pipe outputs: commands receive the fields of events', async () => {
  await send(exec, { command: `printf %s %{message} > ${path('exec.txt')}` }, event({}))
  assert.equal(readFileSync(path('exec.txt'), 'utf8'), 'hello')
  await send(pipe, { command: `cat > ${path('pipe.txt')}`, message_format: '%{message}!' }, event({}), event({}))
  assert.equal(readFileSync(path('pipe.txt'), 'utf8'), 'hello!\nhello!\n')
})

test('exec and pipe outputs: a command given as a list runs without a shell, so fields stay arguments', async () => {
  const hostile = `$(touch ${path('pwned')}); touch ${path('pwned')} && echo "it's" * \0end`
  const print = 'require("fs").writeFileSync(process.argv[1], process.argv[2])'
  const command = [process.execPath, '-e', print, path('list.txt'), '%{message}']
  await send(exec, { command }, event({ message: hostile }))
  assert.equal(readFileSync(path('list.txt'), 'utf8'), hostile.replaceAll('\0', ''))
  const copy = 'process.stdin.pipe(require("fs").createWriteStream(process.argv[1] + ".copied"))'
  const target = path('piped')
  await send(
    pipe,
    { command: [process.execPath, '-e', copy, `${target}%{nothing}`], message_format: '%{message}' },
    event({}),
  )
  assert.equal(readFileSync(`${target}%{nothing}.copied`, 'utf8'), 'hello\n')
  assert.equal(existsSync(path('pwned')), false)
})

test('exec output: a missing program is reported, and the next event continues', async () => {
  await send(exec, { command: [path('no-such-program'), '%{message}'] }, event({}), event({}))
})

test('exec output: a command that is neither a string nor a list of strings is rejected', () => {
  for (const command of [[], {}, '', [{}]]) assert.notEqual(exec.options['command']?.check?.(command), undefined)
})
