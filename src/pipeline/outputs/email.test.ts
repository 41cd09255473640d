import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { CERTIFICATE, KEY } from '../net/certificate-fixture.ts'
import { makeOutput } from '../registry/plugin-fixture.ts'
import { email } from './email.ts'

/** A mail server that records the commands it receives. */
async function mailServer(offers: string[], refusal?: { word: string; reply: string }) {
  const said: string[] = []
  const mails: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.write('220 here\r\n')
    talk(socket)
  })
  const talk = (socket: Socket) => {
    let text = ''
    let inData = false
    socket.on('error', () => {})
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('utf8')
      for (;;) {
        const end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (inData ? 5 : 2))
        if (inData) mails.push(line.replaceAll(/^\.\./gm, '.'))
        else said.push(line)
        socket.write(`${answer(line, inData)}\r\n`)
        inData = !inData && line === 'DATA'
        if (line !== 'STARTTLS') continue
        socket.removeAllListeners('data')
        talk(new TLSSocket(socket, { isServer: true, key: KEY, cert: CERTIFICATE }))
        return
      }
    })
  }
  const answer = (line: string, wasData: boolean): string => {
    if (wasData) return '250 taken'
    if (refusal !== undefined && line.startsWith(refusal.word)) return refusal.reply
    if (line.startsWith('EHLO')) return ['250-hello', ...offers.map((offer) => `250-${offer}`), '250 HELP'].join('\r\n')
    if (line === 'AUTH LOGIN') return '334 VXNlcm5hbWU6'
    if (line === Buffer.from('me').toString('base64')) return '334 UGFzc3dvcmQ6'
    if (line.startsWith('AUTH PLAIN') || line === Buffer.from('pw').toString('base64')) return '235 welcome'
    if (line === 'STARTTLS') return '220 go on'
    return line === 'DATA' ? '354 go on' : '250 fine'
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, said, mails, close }
}

function event(message: string): Event {
  const made = Event.ofMessage(message, new Timestamp(0))
  made.set('who', 'ann@example.com')
  return made
}

test('an event becomes a mail with its own subject, text and recipients', async (t) => {
  const server = await mailServer(['AUTH PLAIN LOGIN'])
  t.after(server.close)
  const output = await makeOutput(email, {
    address: '127.0.0.1',
    port: server.port,
    to: 'Ann <%{who}>, bob@example.com',
    cc: 'eve@example.com',
    subject: 'Störung: %{message}',
    body: '.first\\n%{message}',
    username: 'me',
    password: 'pw',
  })
  await Promise.all([output.write([event('disk full')]), output.write([event('second\r\nBcc: x@example.com')])])
  await output.close?.()
  assert.deepEqual(server.said, [
    'EHLO localhost',
    `AUTH PLAIN ${Buffer.from('\0me\0pw').toString('base64')}`,
    ...[1, 2].flatMap(() => [
      'MAIL FROM:<logstash.alert@example.com>',
      'RCPT TO:<ann@example.com>',
      'RCPT TO:<bob@example.com>',
      'RCPT TO:<eve@example.com>',
      'DATA',
    ]),
  ])
  const [head, body] = server.mails[0]!.split('\r\n\r\n')
  assert.match(head!, /^To: Ann <ann@example.com>, bob@example.com\r$/m)
  const encoded = /^Subject: (.*(?:\r\n .*)*)/m.exec(head!)![1]!
  const words = encoded.split('\r\n ').map((word) => Buffer.from(word.slice(10, -2), 'base64').toString())
  assert.equal(words.join(''), 'Störung: disk full')
  assert.equal(Buffer.from(body!, 'base64').toString(), '.first\ndisk full')
  // A line break in a value must not start a new header.
  assert.doesNotMatch(server.mails[1]!.split('\r\n\r\n')[0]!, /^Bcc/m)
})

test('AUTH LOGIN is used with a server that offers only that', async (t) => {
  const server = await mailServer(['AUTH LOGIN'])
  t.after(server.close)
  const settings = { address: '127.0.0.1', port: server.port, to: 'a@example.com', username: 'me', password: 'pw' }
  const output = await makeOutput(email, { ...settings, htmlbody: '<p>hi</p>', body: 'hi' })
  await output.write([event('x')])
  await output.close?.()
  assert.deepEqual(server.said.slice(1, 4), ['AUTH LOGIN', 'bWU=', 'cHc='])
  assert.match(server.mails[0]!, /multipart\/alternative/)
})

test('a template produces the HTML part of a mail', async (t) => {
  const server = await mailServer([])
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-email-'))
  t.after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  const template = join(folder, 'mail.mustache')
  writeFileSync(template, '<b>{{message}}</b> for {{who}}')
  const settings = { address: '127.0.0.1', port: server.port, to: 'a@example.com', template_file: template }
  const output = await makeOutput(email, settings)
  await output.write([event('a < b')])
  await output.close?.()
  const text = Buffer.from(server.mails[0]!.split('\r\n\r\n').at(-1)!, 'base64').toString()
  assert.equal(text, '<b>a &lt; b</b> for ann@example.com')
  writeFileSync(template, '{{#open}}')
  await assert.rejects(makeOutput(email, settings), /template_file .*Failed to close 'open' tag/)
})

test('STARTTLS precedes the password', async (t) => {
  const server = await mailServer(['STARTTLS', 'AUTH PLAIN'])
  t.after(server.close)
  const settings = { address: '127.0.0.1', port: server.port, to: 'a@example.com', username: 'me', password: 'pw' }
  const output = await makeOutput(email, { ...settings, use_tls: true, ssl_verification_mode: 'none' })
  await output.write([event('x')])
  await output.close?.()
  const words = server.said.map((line) => line.split(' ')[0])
  assert.deepEqual(words.slice(0, 4), ['EHLO', 'STARTTLS', 'EHLO', 'AUTH'])
  assert.equal(server.mails.length, 1)
})

test('a permanently rejected mail is not retried, and the next one is sent', async (t) => {
  const server = await mailServer([], { word: 'RCPT TO:<nobody', reply: '550 no such user' })
  t.after(server.close)
  const output = await makeOutput(email, { address: '127.0.0.1', port: server.port, to: '%{message}@example.com' })
  await output.write([event('nobody'), event('somebody')])
  await output.close?.()
  assert.equal(server.mails.length, 1)
  assert.match(server.mails[0]!, /To: somebody@example.com/)
})

test('a password is not sent to a server without the configured encryption', async (t) => {
  const server = await mailServer(['AUTH PLAIN'], { word: 'EHLO', reply: '250 hello' })
  t.after(server.close)
  const output = await makeOutput(email, {
    address: '127.0.0.1',
    port: server.port,
    to: 'a@example.com',
    username: 'me',
    password: 'pw',
    use_tls: true,
  })
  const writing = assert.rejects(output.write([event('x')])!, /aborted/)
  while (server.said.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await output.close?.()
  await writing
  assert.ok(server.said.every((line) => !line.startsWith('AUTH')))
})
