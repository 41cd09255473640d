import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import type { Event } from '../event/event.ts'
import { makeInput } from '../registry/plugin-fixture.ts'
import { relpFrame } from '../relp/frames.ts'
import { relp } from './relp.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const OPEN = relpFrame(1, 'open', 'relp_version=0\nrelp_software=test\ncommands=syslog')

/** A running input whose events are acknowledged by the test, and a client that keeps what it receives. */
async function start() {
  const port = await freePort()
  const input = await makeInput(relp, { host: '127.0.0.1', port })
  await input.start?.()
  const events: Event[] = []
  const acknowledge: (() => void)[] = []
  const run = input.run({
    push(pushed, done) {
      events.push(...pushed)
      if (done !== undefined) acknowledge.push(done)
      return undefined
    },
  })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('utf8')
  })
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const stop = async () => {
    socket.destroy()
    input.stop()
    await run
  }
  return { socket, events, acknowledge, until, stop, received: () => received }
}

test('relp acknowledges messages in order once their events are delivered', async (t) => {
  const { socket, events, acknowledge, until, stop, received } = await start()
  t.after(stop)
  // A frame may arrive in pieces.
  const text = OPEN + relpFrame(2, 'syslog', '<13>zwölf') + relpFrame(3, 'syslog', 'two\nlines')
  socket.write(Buffer.from(text).subarray(0, 30))
  await new Promise((resolve) => setTimeout(resolve, 10))
  socket.write(Buffer.from(text).subarray(30))
  await until(() => acknowledge.length === 2)
  assert.deepEqual(
    events.map((event) => event.get('message')),
    ['<13>zwölf', 'two\nlines'],
  )
  await until(() => received().includes('commands'))
  assert.match(received(), /^1 rsp \d+ 200 OK\nrelp_version=0\n.*commands=syslog\n$/s)
  acknowledge[1]!()
  acknowledge[0]!()
  await until(() => received().endsWith('2 rsp 6 200 OK\n3 rsp 6 200 OK\n'))
  socket.write(relpFrame(4, 'close'))
  await until(() => received().endsWith('4 rsp 0\n0 serverclose 0\n'))
})

test('relp closes a connection that sends messages before it opens a session', async (t) => {
  const { socket, events, until, stop } = await start()
  t.after(stop)
  let isClosed = false
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(relpFrame(1, 'syslog', 'early'))
  await until(() => isClosed)
  assert.equal(events.length, 0)
})
