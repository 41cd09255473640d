import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeInput, RunningInput, testContext } from '../registry/plugin-fixture.ts'
import { gelf } from './gelf.ts'
import { graphite } from './graphite.ts'
import { unix } from './unix.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('unix input reads connections as a server and as a client, and replaces a socket only if it may', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-unix-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 's')
  const input = await new RunningInput(await makeInput(unix, { path }, testContext({ ecs: 'v8' }))).start()
  connect(path).end('one\ntwo')
  const events = await input.take(2)
  assert.deepEqual(
    events.map((event) => [event.get('message'), event.get('[host][name]'), event.get('[file][path]')]),
    [
      ['one', 'here', path],
      ['two', 'here', path],
    ],
  )
  const second = await makeInput(unix, { path })
  await assert.rejects(second.start!(), /Could not start UNIX server at .*: address in use \(force_unlink => true/)
  await input.stop()

  const server = createServer((socket) => socket.end('three\n')).listen(path)
  const client = await new RunningInput(await makeInput(unix, { path, mode: 'client' })).start()
  const [third] = await client.take(1)
  assert.deepEqual([third!.get('message'), third!.get('host'), third!.get('path')], ['three', 'here', path])
  await client.stop()
  const replacing = await new RunningInput(await makeInput(unix, { path, force_unlink: true })).start()
  await replacing.stop()
  server.close()
})

test('gelf input reads datagrams and connections', async () => {
  const port = await freePort()
  const input = await new RunningInput(await makeInput(gelf, { host: '127.0.0.1', port, use_tcp: true })).start()
  connect(port, '127.0.0.1').end('{"short_message":"a"}\0{"short_message":"b"}\0')
  await input.take(2)
  const socket = createSocket('udp4')
  socket.send('no message', port, '127.0.0.1')
  socket.send('{"short_message":"c"}', port, '127.0.0.1', () => socket.close())
  const events = await input.take(3)
  assert.deepEqual(
    events.map((event) => [event.get('message'), event.get('source_host')]),
    [
      ['a', '127.0.0.1'],
      ['b', '127.0.0.1'],
      ['c', '127.0.0.1'],
    ],
  )
  await input.stop()
})

test('graphite input adds the field and the time of the metric', async () => {
  const port = await freePort()
  const options = { host: '127.0.0.1', port, dns_reverse_lookup_enabled: false }
  const input = await new RunningInput(await makeInput(graphite, options)).start()
  connect(port, '127.0.0.1').end('cpu.load 1.5 1385053862\ndisk 7 N\n')
  const [load, disk] = await input.take(2)
  assert.deepEqual([load!.get('cpu.load'), String(load!.timestamp)], [1.5, '2013-11-21T17:11:02.000Z'])
  assert.equal(String(disk!.get('message')), 'disk 7 N')
  assert.ok(disk!.timestamp!.ms > 1_700_000_000_000)
  await input.stop()
})
