// rabbitmq, redis, memcached and kafka with their servers.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NotInstalled, once, run } from '../clients/runner/install.mjs'
import { expect, firstLine, freePort, isRoot, JSON_OUT, ROOT, Skipped, until } from './harness.mjs'

const LINES = Array.from({ length: 300 }, (_, i) => `Zeile ${i} größer`)
const messagesOf = (events) => events.map(({ message }) => message).sort()
const RABBIT = '/usr/lib/rabbitmq/bin'

export const BROKERS = [
  {
    name: 'RabbitMQ',
    plugins: 'input rabbitmq, output rabbitmq',
    isThere: () => existsSync(join(RABBIT, 'rabbitmq-server')),
    package: 'rabbitmq-server',
    version: () =>
      execFileSync('dpkg-query', ['-W', '-f', '$'.concat('{Version}'), 'rabbitmq-server'], { encoding: 'utf8' }),
    async run(surroundings) {
      const [port, epmd, dist] = [await freePort(), await freePort(), await freePort()]
      const env = {
        HOME: surroundings.folder,
        RABBITMQ_NODENAME: 'peer@localhost',
        RABBITMQ_DIST_PORT: String(dist),
        RABBITMQ_MNESIA_BASE: surroundings.subfolder('mnesia'),
        RABBITMQ_LOG_BASE: surroundings.subfolder('log'),
        RABBITMQ_PID_FILE: join(surroundings.folder, 'rabbit.pid'),
        RABBITMQ_ENABLED_PLUGINS_FILE: surroundings.file('plugins', '[].\n'),
        RABBITMQ_CONFIG_FILE: surroundings.file('rabbitmq.conf', `listeners.tcp.1 = 127.0.0.1:${port}\n`),
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
        ERL_EPMD_PORT: String(epmd),
        ERL_EPMD_ADDRESS: '127.0.0.1',
      }
      // Erlang would start this by itself, and leave it behind.
      await surroundings.server(
        'epmd',
        ['-port', String(epmd), '-address', '127.0.0.1', '-relaxed_command_check'],
        epmd,
      )
      const sbin = execFileSync('sh', ['-c', 'ls -d /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin'], {
        encoding: 'utf8',
      }).trim()
      await surroundings.server(join(sbin, 'rabbitmq-server'), [], port, { env, seconds: 120 })
      const at = `host => "127.0.0.1" port => ${port}`
      await until(
        () => spawnSync(join(sbin, 'rabbitmqctl'), ['await_startup'], { env: { ...process.env, ...env } }).status === 0,
        'RabbitMQ',
      )

      const reader =
        surroundings.start(`input { rabbitmq { ${at} queue => "q" durable => true exchange => "logs" exchange_type => "topic" key => "app.#"
        metadata_enabled => "extended" } } filter { mutate { add_field => { "key" => "%{[@metadata][rabbitmq_properties][routing-key]}"
        "kind" => "%{[@metadata][rabbitmq_properties][content-type]}" } } } ${JSON_OUT}`)
      await reader.says(/Connected to RabbitMQ/)
      const writer = `output { rabbitmq { ${at} exchange => "logs" exchange_type => "topic" durable => true key => "app.%{[@metadata][n]}"
        message_properties => { "content_type" => "text/x" "priority" => 3 } } }`
      // Exchanges are declared by whoever comes first, so both sides have to agree.
      await surroundings.pipeline(
        `input { stdin { } } filter { mutate { add_field => { "[@metadata][n]" => "a" } } } ${writer}`,
        LINES,
      )
      const events = await reader.take(LINES.length)
      expect(messagesOf(events), [...LINES].sort())
      expect([events[0].key, events[0].kind], ['app.a', 'text/x'], 'properties: ')
      await reader.stop()

      // What is in the queue when nobody reads is read later; what was acknowledged is not read again.
      await surroundings.pipeline(
        `input { stdin { } } filter { mutate { add_field => { "[@metadata][n]" => "b" } } } ${writer}`,
        ['waiting'],
      )
      const later = surroundings.start(`input { rabbitmq { ${at} queue => "q" passive => true } } ${JSON_OUT}`)
      expect(messagesOf(await later.take(1)), ['waiting'])
      const closed = spawnSync(join(sbin, 'rabbitmqctl'), ['close_all_connections', 'test'], {
        env: { ...process.env, ...env },
      })
      expect(closed.status, 0, 'closing connections: ')
      await later.says(/trying again/)
      await surroundings.pipeline(
        `input { stdin { } } filter { mutate { add_field => { "[@metadata][n]" => "c" } } } ${writer}`,
        ['after'],
      )
      expect(messagesOf(await later.take(2)), ['after', 'waiting'])
      await later.stop()
      const left = execFileSync(join(sbin, 'rabbitmqctl'), ['-q', 'list_queues', 'name', 'messages'], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      })
      expect(/^q\s+0$/m.test(left), true, 'an empty queue: ')
      return `${LINES.length} events through a topic exchange with properties; read again after closed connections; nothing left in the queue`
    },
  },
  {
    name: 'Redis',
    plugins: 'input redis, output redis',
    program: 'redis-server',
    package: 'redis-server',
    version: () => firstLine('redis-server', ['--version']).replace(/ sha=.*/, ''),
    async run(surroundings) {
      const port = await freePort()
      await surroundings.server(
        'redis-server',
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--requirepass', 'sécret'],
        port,
      )
      const at = `host => "127.0.0.1" port => ${port} password => "sécret"`
      const cli = (...args) =>
        execFileSync('redis-cli', ['-p', String(port), '-a', 'sécret', '--no-auth-warning', ...args], {
          encoding: 'utf8',
        }).trim()
      await surroundings.pipeline(
        `input { stdin { } } output { redis { ${at} data_type => "list" key => "events" batch => true batch_events => 50 } }`,
        LINES,
      )
      expect(cli('LLEN', 'events'), String(LINES.length), 'the list: ')
      const reader = surroundings.start(`input { redis { ${at} data_type => "list" key => "events" } } ${JSON_OUT}`)
      expect(messagesOf(await reader.take(LINES.length)), [...LINES].sort())
      await reader.stop()
      for (const type of ['channel', 'pattern_channel']) {
        const listener = surroundings.start(
          `input { redis { ${at} data_type => "${type}" key => "${type === 'channel' ? 'news' : 'ne*'}" } } ${JSON_OUT}`,
        )
        await until(
          () =>
            /^[1-9]/.test(
              type === 'channel' ? cli('PUBSUB', 'NUMSUB', 'news').split('\n')[1] : cli('PUBSUB', 'NUMPAT'),
            ),
          'a subscription',
        )
        await surroundings.pipeline(
          `input { stdin { } } output { redis { ${at} data_type => "channel" key => "news" } }`,
          LINES,
        )
        expect(messagesOf(await listener.take(LINES.length)), [...LINES].sort(), `${type}: `)
        await listener.stop()
      }
      return `${LINES.length} events each by list, channel and pattern_channel, with a password`
    },
  },
  {
    name: 'memcached',
    plugins: 'filter memcached',
    program: 'memcached',
    package: 'memcached',
    version: () => firstLine('memcached', ['-V']),
    async run(surroundings) {
      const port = await freePort()
      await surroundings.server(
        'memcached',
        ['-l', '127.0.0.1', '-p', String(port), '-U', '0', ...(isRoot ? ['-u', 'nobody'] : [])],
        port,
      )
      const filter = `filter { memcached { hosts => ["127.0.0.1:${port}"] namespace => "n" ttl => 60
        set => { "message" => "key:%{[message]}" } get => { "key:%{[message]}" => "found" "key:none" => "none" } } } ${JSON_OUT}`
      const events = await surroundings.pipeline(`input { stdin { } } ${filter}`, ['one', 'zwölf', 'with-dash'])
      expect(
        events.map(({ found, none }) => [found, none ?? null]),
        [
          ['one', null],
          ['zwölf', null],
          ['with-dash', null],
        ],
      )
      return '3 values stored and read back'
    },
  },
  {
    name: 'Kafka',
    plugins: 'input kafka, output kafka',
    program: 'mvn',
    package: 'maven',
    version: () => `broker ${KAFKA} from Maven`,
    async run(surroundings) {
      const jars = join(tmpdir(), 'sandpiper-peers', `kafka-${KAFKA}`)
      try {
        once(jars, () => installBroker(jars))
      } catch (error) {
        if (error instanceof NotInstalled) throw new Skipped(error.message)
        throw error
      }
      const child = surroundings.spawn(
        process.execPath,
        [join(ROOT, 'test/run.mjs'), '--only', 'pipelines/kafka', '--slow'],
        {
          env: { SANDPIPER_TEST_KAFKA_CLASSPATH: join(jars, 'libs', '*') },
        },
      )
      const code = await child.exited
      const count = (what) => Number(new RegExp(`^ℹ ${what} (\\d+)`, 'm').exec(child.text)?.[1] ?? 0)
      if (code !== 0 || count('pass') === 0)
        throw new Error(`${count('fail')} tests failed: ${child.text.slice(-1500)}`)
      return `${count('pass')} tests of test/pipelines/kafka.test.ts, with the Java client as the other side`
    },
  },
]

const KAFKA = '3.9.1'

function installBroker(folder) {
  mkdirSync(join(folder, 'libs'), { recursive: true })
  const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>peers</groupId><artifactId>kafka</artifactId><version>1</version>
    <dependencies><dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency></dependencies></project>`
  execFileSync('sh', ['-c', 'cat > pom.xml'], { cwd: folder, input: pom })
  const { status, stdout } = run(
    'mvn',
    ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'libs')}`],
    { cwd: folder },
  )
  if (status !== 0) throw new NotInstalled(`mvn: ${String(stdout).slice(-300)}`)
  return KAFKA
}
