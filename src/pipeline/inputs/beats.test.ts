import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { FrameReader } from '../lumberjack/frames.ts'
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
