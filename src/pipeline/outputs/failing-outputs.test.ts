/** How outputs handle events they cannot write: they retry, or give up single events, but never lose a batch. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type Reply, ReplyReader } from '../redis/reply-reader.ts'
import { makeOutput, testContext } from '../registry/plugin-fixture.ts'
import { csv } from './csv.ts'
import { file } from './file.ts'
import { http } from './http.ts'
import { nagios } from './nagios.ts'
import { pipe } from './pipe.ts'
import { redis } from './redis.ts'
import { tcp } from './tcp.ts'
import { udp } from './udp.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-failing-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = (name: string) => join(folder, name)
const event = (message: string) => Event.ofMessage(message, new Timestamp(0))

/** A plugin context that records dead letters. */
function withLetters() {
  const letters: string[] = []
  const deadLetters = {
    write: async (letter: Event) => void letters.push(String(letter.get('message'))),
  }
  return { letters, context: testContext({ deadLetters }) }
}

const linesOf = (name: string) => readFileSync(path(name), 'utf8').trimEnd().split('\n')

test('file output: an event whose path is too long goes to filename_failure, the others to their files', async () => {
  const output = await makeOutput(file, { path: `${folder}/out/%{message}.log`, codec: 'line' })
  await output.write([event('a'), event('x'.repeat(300)), event('b')])
  await output.close?.()
  assert.ok(existsSync(path('out/a.log')) && existsSync(path('out/b.log')))
  assert.equal(linesOf('out/_filepath_failures').length, 1)
})

test('file output: an event that names a folder or contains a NUL byte goes to filename_failure', async () => {
  mkdirSync(path('out/taken'), { recursive: true })
  const output = await makeOutput(file, { path: `${folder}/out/%{message}`, codec: 'line' })
  await output.write([event('taken'), event('a\0b'), event('fine')])
  await output.close?.()
  assert.equal(linesOf('out/_filepath_failures').length, 2)
  assert.equal(linesOf('out/fine').length, 1)
})

for (const [name, plugin, options] of [
  ['file', file, { codec: 'line' }],
  ['csv', csv, { fields: ['message'] }],
] as const) {
  test(`${name} output: a file that cannot be written is retried until it can be`, async () => {
    // A file exists where the folder should be.
    writeFileSync(path('blocked'), '')
    const output = await makeOutput(plugin, { path: path('blocked/out.log'), ...options })
    let isDone = false
    const writing = output.write([event('one'), event('two')])!.then(() => {
      isDone = true
    })
    await sleep(100)
    assert.equal(isDone, false)
    rmSync(path('blocked'))
    await writing
    await output.close?.()
    assert.equal(linesOf('blocked/out.log').length, 2)
  })
}

test('file output: closing during a retry rejects the write, so that the batch is not acknowledged', async () => {
  writeFileSync(path('blocked'), '')
  const output = await makeOutput(file, { path: path('blocked/out.log') })
  const writing = assert.rejects(output.write([event('one')])!, { name: 'AbortError' })
  await sleep(20)
  await output.close?.()
  await writing
})

test('file output: a full device makes the output wait and leaves no partial line', {
  skip: !existsSync('/dev/full'),
}, async () => {
  const output = await makeOutput(file, { path: '/dev/full', codec: 'line' })
  const writing = assert.rejects(output.write([event('one')])!, { name: 'AbortError' })
  await sleep(50)
  await output.close?.()
  await writing
})

test('an event that a codec cannot encode is given up alone', async () => {
  const { letters, context } = withLetters()
  const codec = {
    name: 'picky',
    encode(one: Event) {
      if (one.get('message') === 'bad') throw new TypeError('cannot encode')
      return `${one.get('message')}\n`
    },
  }
  const output = await makeOutput(file, { path: path('out.log'), codec }, context)
  await output.write([event('one'), event('bad'), event('two')])
  await output.close?.()
  assert.deepEqual(linesOf('out.log'), ['one', 'two'])
  assert.deepEqual(letters, ['bad'])
})

async function httpServer(answer: (body: string) => number) {
  const bodies: string[] = []
  const server = createHttpServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += String(piece)
    bodies.push(text)
    response.writeHead(answer(text)).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, bodies, close: () => new Promise((resolve) => server.close(resolve)) }
}

test('http output: a batch with one rejected event is split, and only that event is given up', async () => {
  const { letters, context } = withLetters()
  const taken: string[] = []
  const server = await httpServer((body) => {
    if (body.includes('"bad"')) return 400
    taken.push(...(JSON.parse(body) as { message: string }[]).map(({ message }) => message))
    return 200
  })
  const output = await makeOutput(http, { url: server.url, http_method: 'post', format: 'json_batch' }, context)
  await output.write(['a', 'b', 'bad', 'c', 'd'].map(event))
  await output.close?.()
  await server.close()
  assert.deepEqual(taken.sort(), ['a', 'b', 'c', 'd'])
  assert.deepEqual(letters, ['bad'])
})

test('http output: a rejected event becomes a dead letter, and the others are sent', async () => {
  const { letters, context } = withLetters()
  const server = await httpServer((body) => (body.includes('bad') ? 422 : 200))
  const options = { url: server.url, http_method: 'post', format: 'message', message: '%{message}' }
  const output = await makeOutput(http, options, context)
  await output.write(['a', 'bad', 'b'].map(event))
  await output.close?.()
  await server.close()
  assert.deepEqual(letters, ['bad'])
})

test('tcp output: events wait for a server that is not available yet', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const options = { host: '127.0.0.1', port, codec: 'line', reconnect_interval: 0.02 }
  const output = await makeOutput(tcp, options)
  const writing = output.write([event('one')])
  await sleep(60)
  let text = ''
  const later = createServer((socket) => socket.on('data', (bytes) => (text += bytes.toString())))
  await new Promise<void>((resolve) => later.listen(port, '127.0.0.1', resolve))
  await writing
  await output.close?.()
  while (text === '') await sleep(5)
  assert.match(text, /one/)
  later.close()
})

test('udp output: a datagram that is too large is given up alone', async () => {
  const { letters, context } = withLetters()
  const output = await makeOutput(udp, { host: '127.0.0.1', port: '9', codec: 'line' }, context)
  const large = 'x'.repeat(70_000)
  await output.write([event('a'), event(large), event('b')])
  await output.close?.()
  assert.deepEqual(letters, [large])
})

test('redis output: events for a key that is not a list are given up, and other keys are written once', async () => {
  const { letters, context } = withLetters()
  const pushed: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const reader = new ReplyReader()
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      reader.push(bytes)
      for (let command: Reply | undefined = reader.next(); command !== undefined; command = reader.next()) {
        const [, key] = (command as Buffer[]).map(String)
        if (key === 'bad') socket.write('-WRONGTYPE Operation against a key holding the wrong kind of value\r\n')
        else {
          pushed.push(key!)
          socket.write(':1\r\n')
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const options = { host: ['127.0.0.1'], port, key: '%{message}', data_type: 'list', codec: 'line' }
  const output = await makeOutput(redis, options, context)
  await output.write(['a', 'bad', 'b'].map(event))
  await output.close?.()
  for (const socket of sockets) socket.destroy()
  server.close()
  assert.deepEqual(pushed, ['a', 'b'])
  assert.deepEqual(letters, ['bad'])
})

test('pipe output: a command that has ended is started again for the next events', async () => {
  // The first run ends after one line; later runs read everything.
  const command = `if [ -e ${path('second')} ]; then cat >> ${path('out')}; else head -n 1 > ${path('first')}; touch ${path('second')}; fi`
  const output = await makeOutput(pipe, { command, message_format: '%{message}' })
  await output.write([event('one')])
  while (!existsSync(path('second'))) await sleep(5)
  // The first shell may still accept writes while it exits, so the event is repeated until the second run has it.
  while (!existsSync(path('out'))) {
    await output.write([event('two')])
    await sleep(5)
  }
  await output.write([event('three')])
  await output.close?.()
  assert.deepEqual(linesOf('first'), ['one'])
  assert.deepEqual(linesOf('out').slice(-1), ['three'])
})

test('nagios output: results without a command file become dead letters', async () => {
  const { letters, context } = withLetters()
  const output = await makeOutput(nagios, { commandfile: path('none') }, context)
  const made = event('down')
  made.set('nagios_host', 'h')
  made.set('nagios_service', 's')
  await output.write([made])
  assert.deepEqual(letters, ['down'])
})
