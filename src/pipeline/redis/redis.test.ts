import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { redis as input } from '../inputs/redis.ts'
import { redis as output } from '../outputs/redis.ts'
import { makeInput, makeOutput, RunningInput } from '../registry/plugin-fixture.ts'
import { type Reply, ReplyReader } from './reply-reader.ts'

const events = (count: number) => Array.from({ length: count }, (_, i) => Event.ofMessage(`m${i}`, new Timestamp(i)))

// Goal: replies do not depend on where the network splits the bytes.
test('Redis replies are read from chunks of any size', () => {
  const bytes = Buffer.from('+OK\r\n:42\r\n$5\r\nh\r\nlo\r\n*3\r\n$1\r\na\r\n*-1\r\n$-1\r\n-ERR no\r\n')
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const reader = new ReplyReader()
      const replies: Reply[] = []
      const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      for (let i = 1; i < places.length; i++) {
        reader.push(bytes.subarray(places[i - 1], places[i]))
        for (let reply = reader.next(); reply !== undefined; reply = reader.next()) replies.push(reply)
      }
      assert.deepEqual(replies.slice(0, 4), ['OK', 42, Buffer.from('h\r\nlo'), [Buffer.from('a'), null, null]])
      assert.equal((replies[4] as Error).message, 'ERR no')
      assert.equal(replies.length, 5)
    }),
  )
})

/** As much of Redis as lists need. */
async function fakeRedis(): Promise<{ port: number; close(): void }> {
  const lists = new Map<string, Buffer[]>()
  const blocked: { socket: Socket; key: string }[] = []
  const bulk = (bytes: Buffer) => Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')])
  const pop = (socket: Socket, key: string) =>
    socket.write(Buffer.concat([Buffer.from('*2\r\n'), bulk(Buffer.from(key)), bulk(lists.get(key)!.shift()!)]))
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const reader = new ReplyReader()
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      reader.push(bytes)
      for (let command = reader.next(); command !== undefined; command = reader.next()) {
        const [word, key, ...values] = (command as Buffer[]).map((item) => item as Buffer)
        const list = lists.get(String(key)) ?? []
        lists.set(String(key), list)
        if (String(word) === 'RPUSH') {
          list.push(...values)
          socket.write(`:${list.length}\r\n`)
          for (const waiting of blocked.splice(0)) pop(waiting.socket, waiting.key)
        } else if (String(word) === 'LPOP') socket.write(list.length === 0 ? '$-1\r\n' : bulk(list.shift()!))
        else if (list.length > 0) pop(socket, String(key))
        else blocked.push({ socket, key: String(key) })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

async function throughList(port: number, login: Record<string, string> = {}): Promise<void> {
  const options = { port, key: 'k', data_type: 'list', ...login }
  const reader = await new RunningInput(await makeInput(input, options)).start()
  const writer = await makeOutput(output, options)
  await writer.write(events(300))
  const messages = (await reader.take(300)).map((event) => event.get('message'))
  assert.deepEqual(
    messages,
    events(300).map((event) => event.get('message')),
  )
  await writer.close?.()
  await reader.stop()
}

test('a list transports events from the output to the input', async () => {
  const server = await fakeRedis()
  await throughList(server.port)
  server.close()
})

/** Channels keep no messages for later subscribers, so the writer repeats until the reader receives one. */
async function throughChannel(port: number, type: 'channel' | 'pattern_channel', key: string): Promise<void> {
  const reader = await new RunningInput(await makeInput(input, { port, key, data_type: type })).start()
  const writer = await makeOutput(output, { port, key: 'news', data_type: 'channel' })
  while (reader.events.length === 0) await writer.write(events(1))
  assert.equal(reader.events[0]!.get('message'), 'm0')
  await writer.close?.()
  await reader.stop()
}

const hasServer = spawnSync('redis-server', ['--version']).status === 0

test('lists and channels of a real Redis transport events', {
  skip: hasServer ? false : 'redis-server is not installed',
}, async () => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  // A named user and a default user, as on a server with access control lists.
  const users = ['--user', 'ann', 'on', '>secret', '~*', '&*', '+@all']
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no', ...users], {
    stdio: 'pipe',
  })
  try {
    await once(server.stdout, 'data')
    await throughList(port)
    await throughList(port, { username: 'ann', password: 'secret' })
    await throughChannel(port, 'channel', 'news')
    await throughChannel(port, 'pattern_channel', 'ne*')
  } finally {
    server.kill()
    await once(server, 'close')
  }
})

/** A server that accepts connections and never replies. */
async function silentServer() {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('a server that does not reply within the timeout is disconnected and connected again', async () => {
  const server = await silentServer()
  const options = { host: ['127.0.0.1'], port: server.port, key: 'k', data_type: 'list', timeout: 0.05 }
  const sender = await makeOutput(output, { ...options, reconnect_interval: 0.01 })
  const writing = assert.rejects(sender.write(events(1))!, { name: 'AbortError' })
  while (server.connections() < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  await sender.close?.()
  await writing
  server.close()
})

test('a channel reader pauses while the queue is full and loses no message', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      let text = '*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n'
      for (let i = 0; i < 20; i++) text += `*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$${String(i).length + 4}\r\n"m${i}" \r\n`
      socket.write(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const reader = await makeInput(input, { host: '127.0.0.1', port, key: 'c', data_type: 'channel', codec: 'plain' })
  let seen = 0
  let open = 0
  let openMax = 0
  const running = reader.run({
    async push(list) {
      seen += list.length
      open += list.length
      openMax = Math.max(openMax, open)
      await new Promise((resolve) => setTimeout(resolve, 2))
      open -= list.length
    },
  })
  while (seen < 20) await new Promise((resolve) => setTimeout(resolve, 5))
  reader.stop()
  await running
  for (const socket of sockets) socket.destroy()
  server.close()
  assert.equal(openMax, 1)
})
