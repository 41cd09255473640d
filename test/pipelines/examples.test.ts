import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort, startFake, Tool, temporaryFolder, until } from './harness.ts'

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))

const ACCESS_LINE =
  '71.141.244.242 - kurt [18/May/2011:01:48:10 -0700] "GET /admin HTTP/1.1" 301 566 "-" "Mozilla/5.0 (Windows; U) Gecko/20100401"'

/** The examples use the names of fields of Logstash 7. */
const CLASSIC = ['--pipeline.ecs_compatibility', 'disabled']

// Goal: the example reads existing lines, appended lines and the lines after a rotation, each once, also with a
// restart. Method: real files, the tool as a program, a fake search service.
test('the access log example indexes every line of its files once', { timeout: 120_000 }, async (t) => {
  const { folder, search, hosts } = await startFake(t)
  const log = join(folder.path, 'access_log')
  writeFileSync(log, `${ACCESS_LINE}\n${ACCESS_LINE.replace('301', '404')}\n`)
  writeFileSync(join(folder.path, 'error_log'), 'something broke\n')
  const environment = { ACCESS_LOGS: join(folder.path, '*_log'), SEARCH_HOSTS: hosts }
  const args = [...CLASSIC, '-f', example('access-log.conf'), '--path.data', join(folder.path, 'data')]

  const first = new Tool(args, environment)
  await until(
    () => search.documents.length === 3,
    () => `three documents (${search.documents.length}); ${first.stderr}`,
  )
  appendFileSync(log, `${ACCESS_LINE.replace('301', '500')}\n`)
  await until(
    () => search.documents.length === 4,
    () => 'a line that was added',
  )
  renameSync(log, join(folder.path, 'access_old'))
  writeFileSync(log, `${ACCESS_LINE.replace('301', '503')}\n`)
  await until(
    () => search.documents.length === 5,
    () => 'the line of the new file',
  )
  assert.equal(await first.stop(), 0, first.stderr)

  appendFileSync(log, `${ACCESS_LINE.replace('301', '204')}\n`)
  const second = new Tool(args, environment)
  await second.logged('as remembered')
  await until(
    () => search.documents.length >= 6,
    () => 'the line written between two runs',
  )
  assert.equal(await second.stop(), 0, second.stderr)

  const byResponse = new Map(search.documents.map((document) => [document['response'], document]))
  assert.deepEqual([...byResponse.keys()].map(String).sort(), ['204', '301', '404', '500', '503', 'undefined'])
  assert.equal(search.documents.length, 6)
  const document = byResponse.get('301')!
  assert.equal(document['clientip'], '71.141.244.242')
  assert.equal(document['auth'], 'kurt')
  assert.equal(document['verb'], 'GET')
  assert.equal(document['type'], 'apache_access')
  assert.equal(document['@timestamp'], '2011-05-18T08:48:10.000Z')
  assert.ok(search.indices.has('access-2011.05.18'), 'the index is that of the day the event happened')
  assert.equal(byResponse.get(undefined)!['type'], 'apache_error')
  assert.ok(search.templates.has('/_index_template/logstash'))
})

test('the syslog example receives messages over tcp and udp', { timeout: 120_000 }, async (t) => {
  const { folder, search, hosts } = await startFake(t)
  const port = await freePort()
  const tool = new Tool([...CLASSIC, '-f', example('syslog.conf'), '--path.data', join(folder.path, 'data')], {
    SYSLOG_PORT: String(port),
    SEARCH_HOSTS: hosts,
    SANDPIPER_TEST_NOW: '2013-12-23T22:30:07Z',
    TZ: 'UTC',
  })
  await tool.logged('Listening for udp')
  const stream = connect(port, '127.0.0.1')
  stream.end(
    'Dec 23 12:11:43 louis postfix/smtpd[31499]: connect from unknown[95.75.93.154]\nDec  3 08:00:00 louis cron: no newline at the end',
  )
  const socket = createSocket('udp4')
  socket.send('<34>Dec 22 18:28:06 louis rsyslogd: was HUPed', port, '127.0.0.1', () => socket.close())
  await until(
    () => search.documents.length === 3,
    () => `three documents; ${tool.stderr}`,
  )
  assert.equal(await tool.stop(), 0, tool.stderr)
  const byProgram = new Map(search.documents.map((document) => [document['syslog_program'], document]))
  const first = byProgram.get('postfix/smtpd')!
  assert.equal(first['@timestamp'], '2013-12-23T12:11:43.000Z')
  assert.equal(first['syslog_hostname'], 'louis')
  assert.equal(first['syslog_pid'], '31499')
  assert.equal(first['syslog_message'], 'connect from unknown[95.75.93.154]')
  assert.equal(first['received_at'], '2013-12-23T22:30:07.000Z')
  assert.equal(first['syslog_severity'], 'notice')
  assert.equal(typeof first['port'], 'number')
  assert.equal(byProgram.get('cron')!['@timestamp'], '2013-12-03T08:00:00.000Z')
  const datagram = byProgram.get('rsyslogd')!
  assert.equal(datagram['host'], '127.0.0.1')
  assert.equal(datagram['port'], undefined)
  assert.match(tool.stdout, /"syslog_program" => "postfix\/smtpd"/)
})

test('the alert example sends alerts to nagios and counts to statsd', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const commands = join(folder.path, 'nagios.cmd')
  writeFileSync(commands, '')
  const metrics: string[] = []
  const statsd = createSocket('udp4')
  statsd.on('message', (bytes) => metrics.push(bytes.toString()))
  await new Promise<void>((resolve) => statsd.bind(0, '127.0.0.1', resolve))
  t.after(() => statsd.close())
  const tool = new Tool(
    [...CLASSIC, '-f', example('alerts.conf'), '-n', 'web.1', '--path.data', join(folder.path, 'data')],
    {
      NAGIOS_COMMANDS: commands,
      STATSD_HOST: '127.0.0.1',
      STATSD_PORT: String(statsd.address().port),
    },
  )
  tool.child.stdin!.end(`${ACCESS_LINE}\n${ACCESS_LINE.replace('301', '503')}\n`)
  assert.equal(await tool.ended(), 0, tool.stderr)
  await until(
    () => metrics.length === 2,
    () => 'two metrics',
  )
  assert.deepEqual(metrics.sort(), ['logstash.web_1.apache.301:1|c', 'logstash.web_1.apache.503:1|c'])
  assert.match(
    readFileSync(commands, 'utf8'),
    /^\[\d+\] PROCESS_SERVICE_CHECK_RESULT;web\.1;web;2;answered 503: 71\.141\.244\.242 .*\n$/,
  )
})

test('the test cases beside the access log example pass', { timeout: 60_000 }, async () => {
  const tool = new Tool(['test', example('access-log.conf')])
  assert.equal(await tool.ended(), 0, tool.stdout + tool.stderr)
  assert.match(tool.stdout, /^3 passed, 0 failed$/m)
})
