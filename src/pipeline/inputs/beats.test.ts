import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { deflateSync } from 'node:zlib'
import type { Event } from '../event/event.ts'
import { FrameReader } from '../lumberjack/frames.ts'
import { CERTIFICATE, KEY } from '../net/certificate-fixture.ts'
import { makeInput, RunningInput } from '../registry/plugin-fixture.ts'
import { beats } from './beats.ts'

function frame(kind: string, ...parts: (number | Buffer)[]): Buffer {
  const pieces = parts.map((part) => {
    if (typeof part !== 'number') return part
    const number = Buffer.alloc(4)
    number.writeUInt32BE(part)
    return number
  })
  return Buffer.concat([Buffer.from(`2${kind}`), ...pieces])
}

function jsonFrame(sequence: number, value: object): Buffer {
  const text = Buffer.from(JSON.stringify(value))
  return frame('J', sequence, text.length, text)
}

function compressed(...frames: Buffer[]): Buffer {
  const bytes = deflateSync(Buffer.concat(frames))
  return frame('C', bytes.length, bytes)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test('Lumberjack frames are read from chunks of any size', () => {
  const bytes = Buffer.concat([frame('W', 2), jsonFrame(1, { a: 1 }), compressed(jsonFrame(2, { a: 2 }))])
  const reader = new FrameReader()
  const frames = [...bytes].flatMap((byte) => reader.push(Buffer.from([byte])))
  assert.deepEqual(frames, [
    { kind: 'window', count: 2 },
    { kind: 'event', sequence: 1, json: '{"a":1}' },
    { kind: 'event', sequence: 2, json: '{"a":2}' },
  ])
  assert.throws(() => new FrameReader().push(Buffer.from('GET / HTTP/1.1')), /protocol version "G"/)
})

// Goal: a sender receives the sequence number of its last event once all events are delivered, and events keep the
// sender's metadata.
test('a window of events is delivered and acknowledged', async () => {
  const port = await freePort()
  const input = await new RunningInput(await makeInput(beats, { port, host: '127.0.0.1' })).start()
  const sender = connect(port, '127.0.0.1')
  const first = { '@timestamp': '2024-01-02T03:04:05.000Z', '@metadata': { beat: 'filebeat' }, message: 'one' }
  const answered = new Promise<Buffer>((resolve) => sender.once('data', resolve))
  sender.write(Buffer.concat([frame('W', 2), compressed(jsonFrame(1, first), jsonFrame(2, { message: 'two' }))]))
  assert.deepEqual(await answered, frame('A', 2))
  const [event] = await input.take(2)
  assert.equal(event!.get('message'), 'one')
  assert.equal(event!.get('[@metadata][beat]'), 'filebeat')
  assert.equal(event!.get('[@metadata][ip_address]'), '127.0.0.1')
  assert.equal(event!.timestamp?.toString(), '2024-01-02T03:04:05.000Z')
  assert.deepEqual(event!.get('tags'), ['beats_input_codec_plain_applied'])
  sender.destroy()
  await input.stop()
})

// Goal: a sender with several windows in flight gets an acknowledgement for each.
test('windows that arrive together are acknowledged one by one', async () => {
  const port = await freePort()
  const input = await new RunningInput(await makeInput(beats, { port, host: '127.0.0.1' })).start()
  const sender = connect(port, '127.0.0.1')
  const windows = [2, 1, 3].map((count) => {
    const events = Array.from({ length: count }, (_, i) => jsonFrame(i + 1, { message: `${i}` }))
    return Buffer.concat([frame('W', count), ...events])
  })
  sender.write(Buffer.concat(windows))
  const wanted = Buffer.concat([frame('A', 2), frame('A', 1), frame('A', 3)])
  let heard = Buffer.alloc(0)
  for await (const bytes of sender as AsyncIterable<Buffer>) {
    heard = Buffer.concat([heard, bytes])
    if (heard.length >= wanted.length) break
  }
  assert.deepEqual(heard, wanted)
  await input.stop()
})

/** Sends one window to an input with these options and returns its events once it is acknowledged. */
async function received(
  t: TestContext,
  options: Record<string, unknown>,
  values: object[],
  open: (port: number) => Socket = (port) => connect(port, '127.0.0.1'),
): Promise<Event[]> {
  const port = await freePort()
  const input = await new RunningInput(await makeInput(beats, { port, host: '127.0.0.1', ...options })).start()
  const sender = open(port)
  t.after(() => sender.destroy())
  const answered = new Promise<Buffer>((resolve) => sender.once('data', resolve))
  sender.write(Buffer.concat([frame('W', values.length), ...values.map((value, i) => jsonFrame(i + 1, value))]))
  assert.deepEqual(await answered, frame('A', values.length))
  await input.stop()
  return input.events
}

test('the codec decodes the message, and the fields of the sender win', async (t) => {
  const sent = { message: '{"a":1,"host":"x","@metadata":{"m":1}}', host: { name: 'h' }, '@metadata': { beat: 'b' } }
  const [event, ...others] = await received(t, { codec: 'json', add_hostname: true }, [sent])
  assert.deepEqual(others, [])
  assert.deepEqual(
    ['a', '[host][name]', 'message', '[agent][hostname]'].map((name) => event!.get(name)),
    [1, 'h', undefined, 'h'],
  )
  assert.deepEqual([event!.get('[@metadata][beat]'), event!.get('[@metadata][m]')], ['b', 1])
  assert.deepEqual(event!.get('tags'), ['beats_input_codec_json_applied'])
})

test('a codec that makes several events or none of a message does not keep the window unacknowledged', async (t) => {
  const lines = await received(t, { codec: 'line' }, [{ message: 'a\nb', n: { x: 1 } }])
  assert.deepEqual(
    lines.map((event) => [event.get('message'), event.get('[n][x]')]),
    [
      ['a', 1],
      ['b', 1],
    ],
  )
  assert.deepEqual(await received(t, { codec: 'line' }, [{ message: '' }]), [])
})

test('an event without a message is tagged as raw', async (t) => {
  const [event] = await received(t, {}, [{ metric: 1 }])
  assert.deepEqual(event!.get('tags'), ['beats_input_raw_event'])
})

test('enrich determines whether the address, the tag of the codec and the client certificate are added', async (t) => {
  const [bare] = await received(t, { enrich: ['none'] }, [{ message: 'x' }])
  assert.deepEqual([bare!.get('tags'), bare!.get('[@metadata][ip_address]')], [undefined, undefined])
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-beats-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  writeFileSync(certificate, CERTIFICATE)
  writeFileSync(key, KEY)
  const tls = {
    ssl_enabled: true,
    ssl_certificate: certificate,
    ssl_key: key,
    ssl_certificate_authorities: [certificate],
    ssl_client_authentication: 'optional',
    enrich: ['ssl_peer_metadata'],
  }
  const trusted = { host: '127.0.0.1', ca: CERTIFICATE }
  const [known] = await received(t, tls, [{ message: 'x' }], (port) =>
    connectTls({ ...trusted, port, cert: CERTIFICATE, key: KEY, maxVersion: 'TLSv1.2' }),
  )
  const { cipher_suite: cipher, ...peer } = known!.get('[@metadata][tls_peer]') as Record<string, string>
  assert.deepEqual(peer, { status: 'verified', protocol: 'TLSv1.2', subject: 'CN=localhost' })
  assert.match(cipher!, /^TLS_/)
  const [unknown] = await received(t, tls, [{ message: 'x' }], (port) => connectTls({ ...trusted, port }))
  assert.deepEqual({ ...(unknown!.get('[@metadata][tls_peer]') as object) }, { status: 'unverified' })
})

test('a codec or enrichment that cannot work is an error at startup', async () => {
  const make = (options: Record<string, unknown>) => makeInput(beats, { port: 1, ...options })
  await assert.rejects(make({ enrich: ['all', 'source_metadata'] }), /it must be the only value given/)
  await assert.rejects(make({ enrich: ['default'], include_codec_tag: true }), /use only `enrich`/)
  await assert.rejects(make({ enrich: ['nothing'] }), /"nothing" is not one of/)
  await assert.rejects(make({ ssl_peer_metadata: true }), /needs ssl_client_authentication/)
})
