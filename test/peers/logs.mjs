// Programs that ship logs: rsyslog, the lumberjack library of Beats, and Fluentd's logger.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPython, interpreterOf, NotInstalled, once, run } from '../clients/runner/install.mjs'
import { certificate, expect, firstLine, freePort, isListening, JSON_OUT, Skipped, until } from './harness.mjs'

const COUNT = 500
const LINES = Array.from({ length: COUNT }, (_, i) => `Zeile ${i} größer`)
const cache = (name) => join(tmpdir(), 'sandpiper-peers', name)

/** Installs something from a registry; a peer without it is skipped. */
export function installed(name, install) {
  try {
    return once(cache(name), () => install(cache(name)))
  } catch (error) {
    if (error instanceof NotInstalled) throw new Skipped(error.message)
    throw error
  }
}
export const folderOf = cache

const hasModule = (name) =>
  ['/usr/lib/rsyslog', '/usr/lib/x86_64-linux-gnu/rsyslog', '/usr/lib/aarch64-linux-gnu/rsyslog'].some((folder) =>
    existsSync(join(folder, name)),
  )

function rsyslog(surroundings, name, config) {
  const path = surroundings.file(
    `${name}.conf`,
    `global(workDirectory="${surroundings.subfolder(`${name}-work`)}")\n${config}\n`,
  )
  return surroundings.spawn('rsyslogd', ['-n', '-f', path, '-i', join(surroundings.folder, `${name}.pid`)])
}

export const LOGS = [
  {
    name: 'rsyslog omrelp',
    plugins: 'input relp',
    isThere: () => hasModule('omrelp.so'),
    package: 'rsyslog-relp',
    version: () => firstLine('rsyslogd', ['-v']).replace(/ \(.*/, ''),
    async run(surroundings) {
      const port = await freePort()
      const log = surroundings.file('a.log', '')
      const input = () => surroundings.start(`input { relp { host => "127.0.0.1" port => ${port} } } ${JSON_OUT}`)
      const first = input()
      await until(() => isListening(port), 'the relp input')
      rsyslog(
        surroundings,
        'sender',
        `module(load="imfile") module(load="omrelp")
        template(name="raw" type="string" string="%msg%")
        input(type="imfile" File="${log}" Tag="t" ruleset="r")
        ruleset(name="r") { action(type="omrelp" target="127.0.0.1" port="${port}" template="raw" action.resumeRetryCount="-1" action.resumeInterval="1" queue.type="LinkedList") }`,
      )
      appendFileSync(log, `${LINES.slice(0, 250).join('\n')}\n`)
      const early = (await first.take(250)).map(({ message }) => message)
      await first.stop()
      appendFileSync(log, `${LINES.slice(250).join('\n')}\n`)
      const second = input()
      const texts = new Set(early)
      await until(
        () => {
          for (const { message } of second.events) texts.add(message)
          return texts.size >= COUNT
        },
        `the rest (${texts.size}; ${second.log.slice(-300)})`,
      )
      expect([...texts].sort(), [...LINES].sort())
      await second.stop()
      return `${COUNT} messages, half of them after a restart of the input`
    },
  },
  {
    name: 'rsyslog omfwd, imtcp, imudp',
    plugins: 'input syslog, output syslog',
    program: 'rsyslogd',
    package: 'rsyslog',
    version: () => firstLine('rsyslogd', ['-v']).replace(/ \(.*/, ''),
    async run(surroundings) {
      const port = await freePort()
      const log = surroundings.file('a.log', '')
      const reader = surroundings.start(
        `input { syslog { host => "127.0.0.1" port => ${port} ecs_compatibility => "disabled" } } ${JSON_OUT}`,
      )
      await until(() => isListening(port), 'the syslog input')
      rsyslog(
        surroundings,
        'sender',
        `module(load="imfile")
        input(type="imfile" File="${log}" Tag="peer:" Severity="warning" Facility="local3" ruleset="r")
        ruleset(name="r") { action(type="omfwd" target="127.0.0.1" port="${port}" protocol="tcp" template="RSYSLOG_TraditionalForwardFormat") }`,
      )
      appendFileSync(log, `${LINES.join('\n')}\n`)
      const events = await reader.take(COUNT)
      expect(events.map(({ message }) => message).sort(), [...LINES].sort())
      const { program, severity_label: severity, facility_label: facility } = events[0]
      expect([program, severity, facility], ['peer', 'Warning', 'local3'])
      await reader.stop()
      for (const protocol of ['tcp', 'udp']) {
        const [to, written] = [await freePort(), join(surroundings.folder, `${protocol}.out`)]
        const server = rsyslog(
          surroundings,
          protocol,
          `module(load="im${protocol}")
          template(name="parts" type="string" string="%pri% %programname% %msg:2:$%\\n")
          input(type="im${protocol}" address="127.0.0.1" port="${to}" ruleset="r")
          ruleset(name="r") { action(type="omfile" file="${written}" template="parts") }`,
        )
        if (protocol === 'tcp') await until(() => isListening(to), 'rsyslog')
        else
          await until(
            () => readFileSync('/proc/net/udp', 'utf8').includes(`:${to.toString(16).toUpperCase().padStart(4, '0')} `),
            'rsyslog',
          )
        await surroundings.pipeline(
          `input { stdin { } } output { syslog { host => "127.0.0.1" port => ${to} protocol => "${protocol}"
          facility => "local2" severity => "error" appname => "peer" } }`,
          LINES.slice(0, 200),
        )
        const lines = () => (existsSync(written) ? readFileSync(written, 'utf8').split('\n').filter(Boolean) : [])
        await until(
          () => lines().length >= 200,
          `200 lines from ${protocol} (${lines().length}, ${server.text.slice(-200)})`,
        )
        expect(lines().map((line) => line.replace(/#\d\d\d/g, '')).length, 200)
        expect(lines()[0].split(' ').slice(0, 2), ['147', 'peer'], `${protocol}: `)
      }
      return `${COUNT} messages received over TCP, 200 each sent over TCP and UDP`
    },
  },
  {
    name: 'go-lumber',
    plugins: 'input beats, input lumberjack, output lumberjack',
    program: 'go',
    package: 'golang',
    version: () => 'the library that Beats use',
    async run(surroundings) {
      const module = installed('go-lumber', (folder) => {
        const { status, stderr } = run('go', ['install', 'github.com/elastic/go-lumber/cmd/...@latest'], {
          environment: { GOBIN: folder },
        })
        if (status !== 0) throw new NotInstalled(`go install: ${String(stderr).slice(-300)}`)
        return 'latest'
      })
      const bin = (name) => join(folderOf('go-lumber'), name)
      const port = await freePort()
      const reader = surroundings.start(`input { beats { host => "127.0.0.1" port => ${port} } } ${JSON_OUT}`)
      await until(() => isListening(port), 'the beats input')
      const sender = surroundings.spawn(bin('tst-send'), ['-c', `127.0.0.1:${port}`, '-batch', '50'])
      await reader.take(500)
      sender.kill()
      await sender.exited
      await reader.stop()
      const [to, { key, cert }] = [await freePort(), certificate(surroundings)]
      const server = surroundings.start(
        `input { lumberjack { host => "127.0.0.1" port => ${to} ssl_certificate => "${cert}" ssl_key => "${key}" } } ${JSON_OUT}`,
      )
      await until(() => isListening(to), 'the lumberjack input')
      await surroundings.pipeline(
        `input { stdin { } } output { lumberjack { hosts => ["127.0.0.1"] port => ${to} ssl_certificate => "${cert}" codec => "json" } }`,
        LINES,
      )
      const events = await server.take(COUNT)
      await server.stop()
      return `500 events from tst-send (${module}); ${events.length} from our output to our lumberjack input over TLS`
    },
  },
  {
    name: 'fluent-logger',
    plugins: 'codec fluent',
    program: 'python3',
    package: 'python3',
    version: () => `${installed('fluent', (folder) => installPython(folder, ['fluent-logger', 'msgpack']))} of Python`,
    async run(surroundings) {
      const port = await freePort()
      const reader = surroundings.start(
        `input { tcp { host => "127.0.0.1" port => ${port} codec => fluent { nanosecond_precision => true } } } ${JSON_OUT}`,
      )
      await until(() => isListening(port), 'the tcp input')
      const code = `from fluent import sender
import sys
s = sender.FluentSender('app', host='127.0.0.1', port=${port}, nanosecond_precision=True)
for i in range(${COUNT}):
    assert s.emit_with_time('follow', sender.EventTime(1700000000.25 + i), {'message': 'Zeile %d größer' % i, 'n': i, 'nested': {'a': [1, 2.5, None]}})
s.close()`
      const child = surroundings.spawn(interpreterOf(folderOf('fluent')), ['-c', code])
      if ((await child.exited) !== 0) throw new Error(child.text)
      const events = await reader.take(COUNT)
      expect(events.map(({ message }) => message).sort(), [...LINES].sort())
      const one = events.find(({ n }) => n === 1)
      expect(
        [one.tags, one['@timestamp'], one.nested],
        [['app.follow'], '2023-11-14T22:13:21.250Z', { a: [1, 2.5, null] }],
      )
      await reader.stop()
      return `${COUNT} events with nanoseconds`
    },
  },
]
