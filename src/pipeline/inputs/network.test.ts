import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { Fields } from '../event/fields.ts'
import { CERTIFICATE, KEY } from '../net/certificate-fixture.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { makeInput, RunningInput, testContext } from '../registry/plugin-fixture.ts'
import { http } from './http.ts'
import { syslog } from './syslog.ts'
import { tcp } from './tcp.ts'
import { udp } from './udp.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const LOCAL = { host: '127.0.0.1', dns_reverse_lookup_enabled: false }

function datagram(port: number, text: string): void {
  const socket = createSocket('udp4')
  socket.send(text, port, '127.0.0.1', () => socket.close())
}

test('tcp input reads lines from several connections, and the rest when a connection ends', async () => {
  const port = await freePort()
  const input = await new RunningInput(await makeInput(tcp, { ...LOCAL, port })).start()
  connect(port, '127.0.0.1').end('one\r\ntwo\nrest')
  await input.take(3)
  connect(port, '127.0.0.1').end('three\n')
  const events = await input.take(4)
  assert.deepEqual(
    events.map((event) => event.get('message')),
    ['one\r', 'two', 'rest', 'three'],
  )
  assert.equal(events[0]!.get('host'), '127.0.0.1')
  assert.equal(typeof events[0]!.get('port'), 'number')
  assert.equal(events[0]!.get('[@metadata][ip_address]'), '127.0.0.1')
  await input.stop()
})

test('tcp input reads the client address from the PROXY protocol', async () => {
  const port = await freePort()
  const input = await new RunningInput(await makeInput(tcp, { ...LOCAL, port, proxy_protocol: true })).start()
  connect(port, '127.0.0.1').end('PROXY TCP4 10.1.2.3 10.0.0.1 4711 5000\r\nhello\n')
  const [event] = await input.take(1)
  assert.equal(event!.get('message'), 'hello')
  assert.equal(event!.get('host'), '10.1.2.3')
  assert.equal(event!.get('port'), 4711)
  assert.equal(event!.get('proxy_host'), '127.0.0.1')
  await input.stop()
})

test('tcp input keeps the fields of the PROXY protocol in metadata under ECS', async () => {
  const port = await freePort()
  const options = { ...LOCAL, port, proxy_protocol: true }
  const input = await new RunningInput(await makeInput(tcp, options, testContext({ ecs: 'v8' }))).start()
  connect(port, '127.0.0.1').end('PROXY TCP4 10.1.1.1 10.2.2.2 1111 2222\r\nhello\n')
  const [event] = await input.take(1)
  assert.equal(event!.get('[@metadata][input][tcp][proxy][ip]'), '127.0.0.1')
  assert.equal(event!.get('[@metadata][input][tcp][source][ip]'), '10.1.1.1')
  assert.equal(event!.get('[event][original]'), 'hello')
  assert.equal(event!.get('proxy_host'), undefined)
  await input.stop()
})

test('tcp input accepts TLS connections', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'key.pem'), KEY)
  writeFileSync(join(folder, 'cert.pem'), CERTIFICATE)
  const port = await freePort()
  const files = { ssl_certificate: join(folder, 'cert.pem'), ssl_key: join(folder, 'key.pem') }
  const options = { ...LOCAL, port, ssl_enabled: true, ssl_client_authentication: 'none', ...files }
  const input = await new RunningInput(await makeInput(tcp, options)).start()
  connectTls({ port, host: 'localhost', ca: CERTIFICATE }).end('secret\n')
  const [event] = await input.take(1)
  assert.equal(event!.get('message'), 'secret')
  await input.stop()
  await assert.rejects(makeInput(tcp, { port, ssl_enabled: true }), /ssl_certificate and ssl_key are needed/)
})

test('tcp input with a port in use rejects the pipeline', async () => {
  const port = await freePort()
  const first = await new RunningInput(await makeInput(tcp, { ...LOCAL, port })).start()
  const second = await makeInput(tcp, { ...LOCAL, port })
  await assert.rejects(second.start!(), new RegExp(`could not bind to 127.0.0.1:${port}; Address already in use`))
  await first.stop()
})

test('udp input makes one event per datagram and keeps its newline', async () => {
  const port = await freePort()
  const input = await new RunningInput(await makeInput(udp, { port, host: '127.0.0.1' })).start()
  datagram(port, 'one\n')
  const [event] = await input.take(1)
  assert.equal(event!.get('message'), 'one\n')
  assert.equal(event!.get('host'), '127.0.0.1')
  assert.equal(event!.get('port'), undefined)
  await input.stop()
})

test('syslog input parses lines received over tcp and udp', async () => {
  const port = await freePort()
  const input = await new RunningInput(await makeInput(syslog, { port, host: '127.0.0.1' })).start()
  datagram(port, '<34>Oct 11 22:14:15 mymachine su[77]: failed for lonvick')
  const [first] = await input.take(1)
  assert.equal(first!.get('message'), 'failed for lonvick')
  assert.equal(first!.get('priority'), 34)
  assert.equal(first!.get('facility'), 4)
  assert.equal(first!.get('severity'), 2)
  assert.equal(first!.get('facility_label'), 'security/authorization')
  assert.equal(first!.get('severity_label'), 'Critical')
  assert.equal(first!.get('logsource'), 'mymachine')
  assert.equal(first!.get('program'), 'su')
  assert.equal(first!.get('pid'), '77')
  assert.match(String(first!.get('@timestamp')), /-10-1[012]T/)
  connect(port, '127.0.0.1').end('no syslog at all\n')
  const [, second] = await input.take(2)
  assert.deepEqual(second!.get('tags'), ['_grokparsefailure_sysloginput'])
  assert.equal(second!.get('priority'), 0)
  assert.equal(second!.get('severity_label'), 'Emergency')
  assert.equal(second!.get('host'), '127.0.0.1')
  datagram(port, '<34>2013-10-11T22:14:15.003Z mymachine su: hello')
  const [, , third] = await input.take(3)
  assert.equal(String(third!.get('@timestamp')), '2013-10-11T22:14:15.003Z')
  assert.equal(third!.get('timestamp'), '2013-10-11T22:14:15.003Z')
  await input.stop()
})

test('http input decodes bodies by content type, checks passwords and enforces limits', async () => {
  const port = await freePort()
  const options = { port, host: '127.0.0.1', user: 'u', password: 'p', max_content_length: 100 }
  const input = await new RunningInput(await makeInput(http, options)).start()
  const authorization = `Basic ${Buffer.from('u:p').toString('base64')}`
  const send = (body: string | Uint8Array, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/in?x=1`, { method: 'POST', body, headers: { connection: 'close', ...headers } })
  assert.equal((await send('x', {})).status, 401)
  const taken = await send('[{"a":1},{"a":2}]', { authorization, 'content-type': 'application/json; charset=utf-8' })
  assert.equal(taken.status, 200)
  assert.equal(await taken.text(), 'ok')
  await send(gzipSync('plain text'), { authorization, 'content-encoding': 'gzip', 'content-type': 'text/plain' })
  assert.equal((await send('x'.repeat(101), { authorization })).status, 413)
  const [first, second, third] = await input.take(3)
  assert.equal(first!.get('a'), 1)
  assert.equal(second!.get('a'), 2)
  assert.equal(third!.get('message'), 'plain text')
  assert.equal(third!.get('host'), '127.0.0.1')
  assert.equal(third!.get('[headers][request_method]'), 'POST')
  assert.equal(third!.get('[headers][request_path]'), '/in?x=1')
  await input.stop()
})

test('http input answers 500 if an event has a text where an ECS field belongs', async () => {
  const port = await freePort()
  const given = { port, host: '127.0.0.1' }
  const input = await new RunningInput(await makeInput(http, given, testContext({ ecs: 'v8' }))).start()
  const send = (body: string) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body,
      headers: { connection: 'close', 'content-type': 'application/json' },
    })
  assert.equal((await send('{"host":"web"}')).status, 500)
  assert.equal((await send('{"host":{"ip":"10.0.0.1"},"n":1}')).status, 200)
  const [event] = await input.take(1)
  assert.deepEqual([event!.get('n'), event!.get('[host][ip]')], [1, '127.0.0.1'])
  await input.stop()
})

test("http input stores headers under Logstash's names, and never a password", async () => {
  const read = async (context: Partial<PluginContext>, options: Record<string, unknown> = {}) => {
    const port = await freePort()
    const running = await makeInput(http, { port, host: '127.0.0.1', ...options }, testContext(context))
    const input = await new RunningInput(running).start()
    const headers = { connection: 'close', 'x-forwarded-for': 'a', 'user-agent': 'me', authorization: 'Basic eDp5' }
    const body = { method: 'POST', body: 'x,y', headers: { ...headers, 'content-type': 'text/csv' } }
    await fetch(`http://127.0.0.1:${port}/in?q=1`, body)
    const [event] = await input.take(1)
    await input.stop()
    return { event: event!, port }
  }
  const classic = await read({})
  const headers = classic.event.get('headers') as Fields
  assert.deepEqual(
    [headers['x_forwarded_for'], headers['http_user_agent'], headers['content_type']],
    ['a', 'me', 'text/csv'],
  )
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.includes('authorization')),
    [],
  )
  const { event, port } = await read({ ecs: 'v8' }, { additional_codecs: new Map([['text/csv', 'csv']]) })
  assert.equal(event.get('column2'), 'y')
  assert.deepEqual(
    [event.get('[url][domain]'), event.get('[url][port]'), event.get('[url][path]')],
    ['127.0.0.1', port, '/in?q=1'],
  )
  assert.deepEqual(
    [event.get('[http][request][mime_type]'), event.get('[http][request][body][bytes]')],
    ['text/csv', '3'],
  )
  await assert.rejects(
    makeInput(http, { additional_codecs: new Map([['a/b', 'nope']]) }),
    /any codec plugin named 'nope'/,
  )
})
