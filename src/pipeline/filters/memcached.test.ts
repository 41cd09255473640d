import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { withDefaults } from '../plugin/default-options.ts'
import type { Filter } from '../plugin/filter-plugin.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { memcached } from './memcached.ts'

/** The two commands of a memcached server, for the bytes on the wire. */
const stored = new Map<string, string>()
const sockets = new Set<Socket>()
let server: Server
let port = 0

before(async () => {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString()
      for (;;) {
        const get = /^get (.*)\r\n/.exec(text)
        const set = /^set (\S+) 0 (\d+) (\d+)\r\n/.exec(text)
        if (get !== null) {
          text = text.slice(get[0].length)
          const values = get[1]!.split(' ').filter((key) => stored.has(key))
          socket.write(
            `${values.map((key) => `VALUE ${key} 0 ${Buffer.byteLength(stored.get(key)!)}\r\n${stored.get(key)}\r\n`).join('')}END\r\n`,
          )
        } else if (set !== null) {
          stored.set(
            set[1]!,
            Buffer.from(text)
              .toString('utf8')
              .slice(set[0].length, set[0].length + Number(set[3])),
          )
          text = text.slice(set[0].length + Number(set[3]) + 2)
          socket.write('STORED\r\n')
        } else return
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
after(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

function make(options: Record<string, unknown>): Filter {
  const given = { hosts: [`127.0.0.1:${port}`], ...options }
  return memcached.create(withDefaults(memcached.options, given), { ...testContext(), succeed() {} })
}

test('memcached: fields are stored under keys made from the event, and read back into fields', async () => {
  const filter = make({
    namespace: 'n',
    set: new Map([['name', 'user:%{id}']]),
    get: new Map([
      ['user:%{id}', '[found][name]'],
      ['none:%{id}', 'none'],
    ]),
  })
  const event = Event.ofMessage('m', new Timestamp(0))
  event.set('id', 7)
  event.set('name', 'Ada')
  assert.equal(await filter.filter(event, []), true)
  assert.equal(stored.get('n:user:7'), 'Ada')
  assert.equal(event.get('[found][name]'), 'Ada')
  assert.equal(event.get('none'), undefined)
  await filter.close!()
})

test('memcached: a missing key is no match, and an unreachable server tags the event', async () => {
  const filter = make({ get: new Map([['nothing', 'x']]) })
  assert.equal(await filter.filter(Event.ofMessage('m', new Timestamp(0)), []), false)
  await filter.close!()
  const lost = make({ hosts: ['127.0.0.1:1'], get: new Map([['a', 'x']]) })
  const event = Event.ofMessage('m', new Timestamp(0))
  assert.equal(await lost.filter(event, []), false)
  assert.deepEqual(event.get('tags'), ['_memcached_failure'])
  await lost.close!()
})
