import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { CERTIFICATE, KEY } from '../net/certificate-fixture.ts'
import { lumberjack as output } from '../outputs/lumberjack.ts'
import { makeInput, makeOutput, RunningInput } from '../registry/plugin-fixture.ts'
import { lumberjack as input } from './lumberjack.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('lumberjack: events that the output sends arrive at the input and are acknowledged', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-lumberjack-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  writeFileSync(certificate, CERTIFICATE)
  writeFileSync(key, KEY)
  const port = await freePort()
  const receiver = await new RunningInput(
    await makeInput(input, { port, host: '127.0.0.1', ssl_certificate: certificate, ssl_key: key }),
  ).start()
  const sender = await makeOutput(output, {
    hosts: ['127.0.0.1'],
    port,
    ssl_certificate: certificate,
    flush_size: 2,
    codec: 'line',
  })
  const events = ['one', 'two', 'drei ü'].map((text) => Event.ofMessage(text, new Timestamp(0)))
  await sender.write(events)
  const received = await receiver.take(3)
  assert.equal(received.length, 3)
  assert.match(String(received[2]!.get('message')), /drei ü/)
  await sender.close!()
  await receiver.stop()
})
