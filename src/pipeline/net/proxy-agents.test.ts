import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { CERTIFICATE, KEY } from './certificate-fixture.ts'
import { HttpSender } from './http-request.ts'
import { proxyOf } from './proxy-agents.ts'

async function listen(t: TestContext, server: Server & { closeAllConnections?(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A proxy that forwards requests and opens tunnels, with a password. */
async function proxyServer(t: TestContext) {
  const seen: string[] = []
  const sockets: Socket[] = []
  const login = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  const proxy = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`)
    if (incoming.headers['proxy-authorization'] !== login) {
      outgoing.writeHead(407).end()
      return
    }
    const passing = request(incoming.url!, { method: incoming.method! }, (answer) => {
      outgoing.writeHead(answer.statusCode!)
      answer.pipe(outgoing)
    })
    incoming.pipe(passing)
  })
  proxy.on('connect', (incoming, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`)
    if (incoming.headers['proxy-authorization'] !== login) {
      socket.end('HTTP/1.1 407 No\r\n\r\n')
      return
    }
    const [host, port] = incoming.url!.split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket)
      socket.pipe(target)
    })
    sockets.push(socket, target)
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { port: await listen(t, proxy), seen }
}

test('a proxy forwards plain requests and tunnels encrypted ones', async (t) => {
  const answering =
    (name: string) => async (incoming: AsyncIterable<Buffer>, outgoing: { end(text: string): void }) => {
      let body = ''
      for await (const piece of incoming) body += piece
      outgoing.end(`${name} ${body}`)
    }
  const plain = await listen(t, createServer(answering('plain')))
  const secure = await listen(t, createSecureServer({ key: KEY, cert: CERTIFICATE }, answering('secure')))
  const { port, seen } = await proxyServer(t)
  const settings = { connectionsMax: 2, tls: { ca: CERTIFICATE } }
  const sender = new HttpSender({ ...settings, proxy: proxyOf(`http://me:p%40ss@127.0.0.1:${port}`) })
  t.after(() => sender.close())
  const post = { method: 'POST', headers: {}, body: 'hi', timeoutMs: 5000 }
  for (let i = 0; i < 2; i++) {
    const first = await sender.send({ ...post, url: new URL(`http://127.0.0.1:${plain}/a?b=1`) })
    const second = await sender.send({ ...post, url: new URL(`https://127.0.0.1:${secure}/a`) })
    assert.deepEqual([first.text, second.text], ['plain hi', 'secure hi'])
  }
  // The tunnel is reused.
  assert.deepEqual(seen.sort(), [
    `CONNECT 127.0.0.1:${secure}`,
    ...[1, 2].map(() => `POST http://127.0.0.1:${plain}/a?b=1`),
  ])
})

test('the error names a proxy that rejects the request', async (t) => {
  const { port } = await proxyServer(t)
  const sender = new HttpSender({ connectionsMax: 1, proxy: proxyOf(`127.0.0.1:${port}`) })
  t.after(() => sender.close())
  const get = { method: 'GET', headers: {}, timeoutMs: 5000 }
  await assert.rejects(sender.send({ ...get, url: new URL('https://127.0.0.1:1/') }), /the proxy responded with 407/)
  assert.equal((await sender.send({ ...get, url: new URL('http://127.0.0.1:1/') })).status, 407)
})
