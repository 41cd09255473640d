// S3, mail, HTTP, TLS, and the search services.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installNpm, installPython, interpreterOf } from '../clients/runner/install.mjs'
import { certificate, expect, firstLine, freePort, isListening, JSON_OUT, Skipped, until } from './harness.mjs'
import { folderOf, installed } from './logs.mjs'

const COUNT = 300
const LINES = Array.from({ length: COUNT }, (_, i) => `Zeile ${i} größer`)
const messagesOf = (events) => events.map(({ message }) => message.replace(/\n$/, '')).sort()

const S3_SERVER = `const S3rver = require('s3rver')
new S3rver({ port: Number(process.argv[2]), address: '127.0.0.1', silent: true, directory: process.argv[3],
  configureBuckets: [{ name: 'logs' }, { name: 'done' }] }).run()`

const MAIL_SERVER = `import asyncio, ssl, sys
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith('nobody'): return '550 no such user'
        envelope.rcpt_tos.append(address)
        return '250 OK'
    async def handle_DATA(self, server, session, envelope):
        with open(sys.argv[2], 'ab') as f:
            f.write(('FROM %s TO %s\\n' % (envelope.mail_from, ','.join(envelope.rcpt_tos))).encode() + envelope.content + b'\\n=====\\n')
        return '250 taken'
def check(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and data.login == b'me' and data.password == b's\\xc3\\xa9cret'
    return AuthResult(success=good)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[3], sys.argv[4])
Controller(Handler(), hostname='127.0.0.1', port=int(sys.argv[1]), tls_context=context, require_starttls=True, authenticator=check, auth_required=True).start()
asyncio.new_event_loop().run_forever()`

const WEB_SERVER = `import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *args): pass
    def answer(self, text):
        body = text.encode(); self.send_response(200); self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def do_GET(self): self.answer(json.dumps({'path': self.path, 'message': 'größer'}))
    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        open(sys.argv[2], 'ab').write(body + b'\\n'); self.answer('{"ok":true}')
http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()`

async function searchService(url, name, surroundings) {
  if (url === undefined) throw new Skipped(`no address of a running ${name}: set SANDPIPER_PEER_${name.toUpperCase()}`)
  const index = `peer-${process.pid}-${Date.now()}`
  try {
    await surroundings.pipeline(
      `input { stdin { } } filter { mutate { add_field => { "n" => "%{message}" } gsub => ["n", "\\D", ""] } }
      output { ${name} { hosts => ["${url}"] index => "${index}" document_id => "%{n}" } }`,
      [...LINES, ...LINES.slice(0, 50)],
    )
    await fetch(`${url}/${index}/_refresh`, { method: 'POST' })
    expect((await (await fetch(`${url}/${index}/_count`)).json()).count, COUNT, 'documents: ')
    const found =
      name === 'opensearch'
        ? []
        : await surroundings.pipeline(
            `input { elasticsearch { hosts => ["${url}"] index => "${index}" size => 100 } } ${JSON_OUT}`,
          )
    if (name !== 'opensearch') expect(messagesOf(found), [...LINES].sort())
    return `${COUNT} documents with ids, ${found.length} read back`
  } finally {
    await fetch(`${url}/${index}`, { method: 'DELETE' }).catch(() => {})
  }
}

export const NET = [
  {
    name: 's3rver',
    plugins: 'input s3, output s3',
    program: 'npm',
    package: 'npm',
    version: () => installed('s3rver', (folder) => installNpm(folder, ['s3rver'])),
    async run(surroundings) {
      const port = await freePort()
      const script = join(folderOf('s3rver'), 'server.cjs')
      execFileSync('sh', ['-c', 'cat > "$0"', script], { input: S3_SERVER })
      await surroundings.server(process.execPath, [script, String(port), surroundings.subfolder('s3')], port)
      const at = `endpoint => "http://127.0.0.1:${port}" access_key_id => "S3RVER" secret_access_key => "S3RVER" bucket => "logs"`
      for (const encoding of ['none', 'gzip']) {
        await surroundings.pipeline(
          `input { stdin { } } output { s3 { ${at} prefix => "${encoding}/größe %{nothing} (1)" size_file => 2000
          encoding => "${encoding}" codec => line { format => "%{message}" } } }`,
          LINES,
        )
      }
      // Large files are uploaded in parts.
      const long = 'x'.repeat(60_000)
      await surroundings.pipeline(`input { generator { count => 200 message => "${long}" } } output { s3 { ${at} prefix => "parts" size_file => 100000000
        upload_multipart_threshold => 6000000 codec => line { format => "%{message}" } } }`)
      const input = (more) =>
        surroundings.pipeline(`input { s3 { ${at} watch_for_new_files => false cutoff_second => 0 ${more} } }
        filter { mutate { add_field => { "key" => "%{[@metadata][s3][key]}" } } } ${JSON_OUT}`)
      const plain = await input('prefix => "none/"')
      expect(messagesOf(plain), [...LINES].sort())
      const zipped = await input(
        'prefix => "gzip/" backup_to_bucket => "done" backup_add_prefix => "old/" delete => true',
      )
      expect(messagesOf(zipped), [...LINES].sort())
      expect((await input('prefix => "gzip/"')).length, 0, 'after delete: ')
      const backup = (await input('prefix => "gzip/"'.replace('gzip/', 'none/'))).length
      expect(backup, COUNT)
      expect((await input('prefix => "parts" exclude_pattern => "nothing"')).length, 200, 'the object in parts: ')
      const files = new Set(plain.map(({ key }) => key)).size
      await surroundings
        .pipeline(
          `input { s3 { ${at.replace('"logs"', '"done"')} watch_for_new_files => false cutoff_second => 0 } } ${JSON_OUT}`,
        )
        .then((events) => expect(messagesOf(events), [...LINES].sort(), 'the backup: '))
      const bad = await surroundings
        .pipeline(
          `input { stdin { } } output { s3 { ${at.replace('access_key_id => "S3RVER"', 'access_key_id => "wrong"')} } }`,
          ['x'],
        )
        .then(
          () => 'accepted',
          (error) => error.message,
        )
      if (!/privileges to write to root bucket/.test(bad)) throw new Error(`a wrong key: ${bad}`)
      return `${COUNT} lines plain and gzip in ${files} files, 12 MB in parts, backup, delete, a wrong key refused`
    },
  },
  {
    name: 'aiosmtpd',
    plugins: 'output email',
    program: 'python3',
    package: 'python3',
    version: () => installed('aiosmtpd', (folder) => installPython(folder, ['aiosmtpd'])),
    async run(surroundings) {
      const [port, { key, cert }] = [await freePort(), certificate(surroundings)]
      const mails = surroundings.file('mails', '')
      await surroundings.server(
        interpreterOf(folderOf('aiosmtpd')),
        ['-c', MAIL_SERVER, String(port), mails, cert, key],
        port,
      )
      const at = `address => "127.0.0.1" port => ${port} use_tls => true username => "me" password => "sécret"`
      for (const authentication of ['plain', 'login']) {
        await surroundings.pipeline(
          `input { stdin { } } output { email { ${at} ssl_verification_mode => "none" authentication => "${authentication}"
          to => "Ann <ann@example.com>" bcc => "bob@example.com" subject => "Störung %{message}" body => "%{message}" htmlbody => "<b>%{message}</b>" attachments => ["${cert}"] } }`,
          ['one', 'größer'],
        )
      }
      const text = readFileSync(mails, 'utf8')
      expect(text.split('=====').length - 1, 4, 'mails: ')
      expect(
        [
          /multipart\/mixed/.test(text),
          /multipart\/alternative/.test(text),
          /cert\.pem/.test(text),
          /^Bcc/m.test(text),
          /TO ann@example\.com,bob@example\.com/.test(text),
        ],
        [true, true, true, false, true],
      )
      return '4 mails over STARTTLS with PLAIN and LOGIN, HTML, attachment and bcc'
    },
  },
  {
    name: 'curl and http.server',
    plugins: 'input http, output http, input http_poller, filter http',
    program: 'curl',
    package: 'curl',
    version: () => firstLine('curl', ['--version']).split(' ').slice(0, 2).join(' '),
    async run(surroundings) {
      const [port, { key, cert }] = [await freePort(), certificate(surroundings)]
      const reader =
        surroundings.start(`input { http { host => "127.0.0.1" port => ${port} user => "me" password => "sécret" ssl_enabled => true
        ssl_certificate => "${cert}" ssl_key => "${key}" } } ${JSON_OUT}`)
      await until(() => isListening(port), 'the http input')
      const url = `https://localhost:${port}/some/path`
      const curl = (...args) =>
        execFileSync('curl', ['-sS', '--cacert', cert, '-o', '/dev/null', '-w', '%{http_code}', ...args, url], {
          encoding: 'utf8',
        })
      expect(curl('-d', 'x'), '401', 'without a password: ')
      expect(curl('-u', 'me:sécret', '-H', 'Content-Type: application/json', '-d', '[{"a":1},{"a":2}]'), '200')
      expect(
        curl(
          '-u',
          'me:sécret',
          '--http1.1',
          '-H',
          'Content-Type: text/plain',
          '-H',
          'Transfer-Encoding: chunked',
          '-d',
          'größer',
        ),
        '200',
      )
      const events = await reader.take(3)
      expect(
        events.map(({ a, message }) => a ?? message),
        [1, 2, 'größer'],
      )
      await reader.stop()

      const [to, received] = [await freePort(), surroundings.file('received', '')]
      await surroundings.server('python3', ['-c', WEB_SERVER, String(to), received], to)
      await surroundings.pipeline(
        `input { stdin { } } output { http { url => "http://127.0.0.1:${to}/events" http_method => "post" format => "json_batch" } }`,
        LINES,
      )
      const sent = readFileSync(received, 'utf8')
        .trim()
        .split('\n')
        .flatMap((line) => JSON.parse(line))
      expect(messagesOf(sent), [...LINES].sort())
      const poller = surroundings.start(
        `input { http_poller { urls => { "a" => "http://127.0.0.1:${to}/a?x=1" } schedule => { "every" => "1s" } codec => "json" } } ${JSON_OUT}`,
      )
      expect(
        (await poller.take(2)).slice(0, 2).map(({ path, message }) => [path, message]),
        [
          ['/a?x=1', 'größer'],
          ['/a?x=1', 'größer'],
        ],
      )
      await poller.stop()
      const enriched = await surroundings.pipeline(
        `input { stdin { } } filter { http { url => "http://127.0.0.1:${to}/%{message}" target_body => "answer" } } ${JSON_OUT}`,
        ['one', 'two'],
      )
      expect(
        enriched.map(({ answer }) => answer.path),
        ['/one', '/two'],
      )
      return `HTTPS with a password, ${COUNT} events posted in batches, polls, enrichment`
    },
  },
  {
    name: 'openssl and python sockets',
    plugins: 'input tcp, output tcp, input udp, output udp',
    program: 'openssl',
    package: 'openssl',
    version: () => firstLine('openssl', ['version']),
    async run(surroundings) {
      const [port, { key, cert }] = [await freePort(), certificate(surroundings)]
      const reader =
        surroundings.start(`input { tcp { host => "127.0.0.1" port => ${port} ssl_enabled => true ssl_certificate => "${cert}" ssl_key => "${key}"
        ssl_client_authentication => "required" ssl_certificate_authorities => ["${cert}"] } } ${JSON_OUT}`)
      await until(() => isListening(port), 'the tcp input')
      const client = (...more) => {
        const child = surroundings.spawn(
          'openssl',
          ['s_client', '-quiet', '-connect', `127.0.0.1:${port}`, '-CAfile', cert, '-verify_return_error', ...more],
          { input: 'pipe' },
        )
        child.stdin.on('error', () => {})
        child.stdin.write(`${LINES.join('\n')}\n`)
        return child
      }
      const stranger = client()
      const known = client('-cert', cert, '-key', key, '-tls1_2')
      expect(messagesOf(await reader.take(COUNT)), [...LINES].sort())
      for (const child of [stranger, known]) child.kill()
      await reader.stop()
      expect(reader.events.length, COUNT, 'a client without certificate is refused: ')

      const to = await freePort()
      const server = await surroundings.server(
        'openssl',
        ['s_server', '-quiet', '-accept', `127.0.0.1:${to}`, '-cert', cert, '-key', key, '-naccept', '9'],
        to,
        { input: 'pipe' },
      )
      await surroundings.pipeline(
        `input { stdin { } } output { tcp { host => "127.0.0.1" port => ${to} ssl_enabled => true ssl_certificate_authorities => ["${cert}"] codec => line { format => "%{message}" } } }`,
        LINES,
      )
      await until(() => server.text.includes(LINES.at(-1)), 'the last line')
      expect(
        LINES.every((line) => server.text.includes(line)),
        true,
      )

      const [udp, out] = [await freePort(), surroundings.file('udp', '')]
      const listener = surroundings.spawn('python3', [
        '-c',
        `import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('127.0.0.1', ${udp})); print('ready', flush=True)
while True: open('${out}', 'ab').write(s.recv(65535))`,
      ])
      await until(() => listener.text.includes('ready'), 'the listener')
      await surroundings.pipeline(
        `input { stdin { } } output { udp { host => "127.0.0.1" port => ${udp} codec => line { format => "%{message}" } } }`,
        LINES.slice(0, 50),
      )
      await until(() => readFileSync(out, 'utf8').trim().split('\n').length === 50, '50 datagrams')
      const own = await freePort()
      const receiver = surroundings.start(`input { udp { host => "127.0.0.1" port => ${own} } } ${JSON_OUT}`)
      await receiver.says(/UDP|udp/i).catch(() => {})
      await until(async () => {
        execFileSync('python3', [
          '-c',
          `import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto('größer'.encode(), ('127.0.0.1', ${own}))`,
        ])
        return receiver.events.length > 0
      }, 'a datagram')
      expect(receiver.events[0].message, 'größer')
      await receiver.stop()
      return `${COUNT} lines each way over TLS, a client without certificate refused, 50 datagrams`
    },
  },
  {
    name: 'Elasticsearch',
    plugins: 'output elasticsearch, input elasticsearch',
    isThere: () => true,
    package: '',
    version: () => process.env.SANDPIPER_PEER_ELASTICSEARCH ?? '',
    run: (surroundings) => searchService(process.env.SANDPIPER_PEER_ELASTICSEARCH, 'elasticsearch', surroundings),
  },
  {
    name: 'OpenSearch',
    plugins: 'output opensearch',
    isThere: () => true,
    package: '',
    version: () => process.env.SANDPIPER_PEER_OPENSEARCH ?? '',
    run: (surroundings) => searchService(process.env.SANDPIPER_PEER_OPENSEARCH, 'opensearch', surroundings),
  },
]
