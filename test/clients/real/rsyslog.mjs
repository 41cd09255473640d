// Sends lines through rsyslog's module omelasticsearch.
//   node rsyslog.mjs URL
import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const url = new URL(process.argv[2])
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-rsyslog-'))
const input = join(folder, 'input.log')
const LINES = 300
writeFileSync(input, '')
writeFileSync(
  join(folder, 'rsyslog.conf'),
  `global(workDirectory="${folder}")
module(load="imfile" mode="inotify")
module(load="omelasticsearch")
template(name="document" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="message" name="msg" format="jsonf")
}
input(type="imfile" File="${input}" Tag="scenario" ruleset="send")
ruleset(name="send") {
  action(type="omelasticsearch" server="${url.hostname}" serverport="${url.port}" searchIndex="clients-rsyslog" searchType=""
    template="document" bulkmode="on" action.resumeRetryCount="5" queue.type="linkedlist" queue.dequeuebatchsize="100")
}
`,
)
const daemon = spawn('rsyslogd', ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')], {
  stdio: 'ignore',
})
const result = {
  step: `${LINES} lines reach the index, in bulk requests`,
  ok: false,
  error: 'not all lines arrived in 40 seconds',
}
daemon.on('error', (error) => {
  result.error = String(error)
})
for (let n = 0; n < LINES; n++) appendFileSync(input, `line ${n} with "quotes" and ünïcode\n`)
for (let second = 0; second < 40 && !result.ok; second++) {
  await wait(1000)
  await fetch(`${url.origin}/clients-rsyslog/_refresh`, { method: 'POST' })
  const { count } = await (await fetch(`${url.origin}/clients-rsyslog/_count?q=message:quotes`)).json()
  result.ok = count === LINES
}
if (result.ok) delete result.error
console.log(JSON.stringify(result))
daemon.kill('SIGTERM')
await new Promise((done) => (daemon.exitCode === null ? daemon.once('exit', done) : done()))
rmSync(folder, { recursive: true, force: true })
