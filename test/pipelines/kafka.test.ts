/**
 * Goal: the Kafka plugins work with a real broker and with the Java client.
 *
 * `SANDPIPER_TEST_KAFKA_CLASSPATH` names the jars of a broker (org.apache.kafka:kafka_2.13 and its dependencies, in the
 * layout of `mvn dependency:copy-dependencies`: `…/libs/*`). Without it these tests are skipped.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CERTIFICATE, KEY } from '../../src/pipeline/net/certificate-fixture.ts'
import { FakeElasticsearch, freePort, Tool, temporaryFolder, until } from './harness.ts'

const CLASSPATH = process.env['SANDPIPER_TEST_KAFKA_CLASSPATH']
const skip = CLASSPATH === undefined ? 'SANDPIPER_TEST_KAFKA_CLASSPATH does not name a Kafka' : false
const PEER_SOURCE = fileURLToPath(new URL('KafkaPeer.java', import.meta.url))
const PEER = 'KafkaPeer'
const LINES = 2000
const CLUSTER_ID = '4L6g3nShT-eMCtK--X86sw'

const folder = temporaryFolder()
/** Programs that run for seconds start faster with the simple compiler and collector. */
const JVM = [
  '-Xmx256m',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
  '-cp',
  [CLASSPATH ?? '', folder.path].join(delimiter),
]
/** Guards against a hang. A test starts up to ten programs, which take minutes on a busy machine. */
const TIMEOUT_MS = 600_000
let broker: ChildProcess | undefined
let plain = ''
let secured = ''
let encrypted = ''

function java(...args: string[]): ChildProcess {
  return spawn('java', [...JVM, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
}

/** The output of a program after it has ended successfully. */
async function output(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, text)
  return text
}

before(
  async () => {
    if (skip !== false) return
    await output(
      spawn('javac', ['-cp', CLASSPATH!, '-d', folder.path, PEER_SOURCE], { stdio: ['ignore', 'pipe', 'inherit'] }),
    )
    const [plainPort, controllerPort, saslPort, tlsPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    plain = `127.0.0.1:${plainPort}`
    secured = `127.0.0.1:${saslPort}`
    encrypted = `127.0.0.1:${tlsPort}`
    writeFileSync(join(folder.path, 'own.pem'), KEY + CERTIFICATE)
    writeFileSync(join(folder.path, 'trusted.pem'), CERTIFICATE)
    const login = 'org.apache.kafka.common.security'
    const settings = join(folder.path, 'server.properties')
    writeFileSync(
      settings,
      `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://${plain},CONTROLLER://127.0.0.1:${controllerPort},SASL_PLAINTEXT://${secured},SSL://${encrypted}
advertised.listeners=PLAINTEXT://${plain},SASL_PLAINTEXT://${secured},SSL://${encrypted}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,SSL:SSL
ssl.keystore.type=PEM
ssl.keystore.location=${join(folder.path, 'own.pem')}
inter.broker.listener.name=PLAINTEXT
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,OAUTHBEARER
listener.name.sasl_plaintext.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_ann="secret";
listener.name.sasl_plaintext.oauthbearer.sasl.jaas.config=${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";
listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config=${login}.scram.ScramLoginModule required;
log.dirs=${join(folder.path, 'logs')}
num.partitions=3
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
`,
    )
    const user = 'SCRAM-SHA-256=[name=bob,password=hush]'
    await output(java('kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', settings, '--add-scram', user))
    broker = java('kafka.Kafka', settings)
    broker.stdout!.resume()
    await until(
      () => canConnect(plainPort),
      () => 'the broker listens',
      120_000,
    )
  },
  { timeout: TIMEOUT_MS },
)

after(async () => {
  if (broker !== undefined && broker.exitCode === null) {
    broker.kill('SIGKILL')
    await once(broker, 'close')
  }
  folder.remove()
})

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

let configurations = 0

/** Starts the tool with its own data folder. */
function start(config: string): Tool {
  const n = ++configurations
  const path = join(folder.path, `${n}.conf`)
  writeFileSync(path, config)
  return new Tool(['-f', path, '--path.data', join(folder.path, `data-${n}`), '--api.enabled', 'false'])
}

function written(tool: Tool): string[] {
  return tool.stdout.split('\n').filter((line) => line !== '')
}

async function produce(topic: string, more = '', servers = plain): Promise<void> {
  const tool = start(`input { generator { count => ${LINES} } }
    output { kafka { bootstrap_servers => "${servers}" topic_id => "${topic}" message_key => "k%{[event][sequence]}"
      codec => plain { format => "m%{[event][sequence]}" } ${more} } }`)
  assert.equal(await tool.ended(), 0, tool.stderr)
}

const reader = (topic: string, more = '', servers = plain) =>
  start(`input { kafka { bootstrap_servers => "${servers}" topics => ["${topic}"] auto_offset_reset => "earliest" ${more} } }
    output { stdout { codec => line { format => "%{message}" } } }`)

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `m${i}`).sort()

test('every event that is written to a topic is read from it once', { skip, timeout: TIMEOUT_MS }, async () => {
  await produce('through', 'compression_type => "gzip" acks => "all"')
  const tool = reader('through', 'consumer_threads => 2 decorate_events => "basic"')
  await until(
    () => written(tool).length >= LINES,
    () => `${written(tool).length} of ${LINES} lines; ${tool.stderr}`,
  )
  assert.equal(await tool.stop(), 0, tool.stderr)
  assert.deepEqual(written(tool).sort(), numbered(LINES))
  // The offsets are committed, so the group has nothing left to read.
  const again = reader('through')
  await again.logged('reading')
  await sleep(1000)
  assert.equal(await again.stop(), 0, again.stderr)
  assert.deepEqual(written(again), [])
})

test('SASL authentication works with three mechanisms, and wrong passwords are rejected', {
  skip,
  timeout: TIMEOUT_MS,
}, async () => {
  const login = (mechanism: string, module: string, user: string, password: string) =>
    `security_protocol => "SASL_PLAINTEXT" sasl_mechanism => "${mechanism}"
     sasl_jaas_config => 'org.apache.kafka.common.security.${module} required username="${user}" password="${password}";'`
  await produce('secured', login('PLAIN', 'plain.PlainLoginModule', 'ann', 'secret'), secured)
  const tool = reader('secured', login('SCRAM-SHA-256', 'scram.ScramLoginModule', 'bob', 'hush'), secured)
  await until(
    () => written(tool).length >= LINES,
    () => `${written(tool).length} of ${LINES} lines; ${tool.stderr}`,
  )
  assert.equal(await tool.stop(), 0, tool.stderr)
  const token = `security_protocol => "SASL_PLAINTEXT" sasl_mechanism => "OAUTHBEARER"
    sasl_jaas_config => 'x.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="ann";'`
  const bearer = reader('secured', `${token} group_id => "bearers"`, secured)
  await until(
    () => written(bearer).length >= LINES,
    () => `${written(bearer).length} of ${LINES} lines; ${bearer.stderr}`,
  )
  assert.equal(await bearer.stop(), 0, bearer.stderr)
  const wrong = reader('secured', login('PLAIN', 'plain.PlainLoginModule', 'ann', 'guess'), secured)
  await until(
    () => /SASL authentication of ann.*SASL_AUTHENTICATION_FAILED/.test(wrong.stderr),
    () => `a refusal; ${wrong.stderr}`,
  )
  await wrong.ended()
})

test('a TLS connection trusts only the configured certificates', {
  skip,
  timeout: TIMEOUT_MS,
}, async () => {
  const trusting = `security_protocol => "SSL" ssl_truststore_type => "PEM"
    ssl_truststore_location => "${join(folder.path, 'trusted.pem')}"`
  await produce('encrypted', trusting, encrypted)
  const tool = reader('encrypted', trusting, encrypted)
  await until(
    () => written(tool).length >= LINES,
    () => `${written(tool).length} of ${LINES} lines; ${tool.stderr}`,
  )
  assert.equal(await tool.stop(), 0, tool.stderr)
  const careful = reader('encrypted', 'security_protocol => "SSL"', encrypted)
  await careful.logged('self-signed certificate')
  await careful.kill()
})

test('records written by the Java client can be read, and the reverse', { skip, timeout: TIMEOUT_MS }, async () => {
  for (const compression of ['snappy', 'lz4', 'zstd', 'none']) {
    const topic = `java-${compression}`
    await output(java(PEER, 'produce', plain, topic, compression, String(LINES)))
    const tool = reader(topic, 'group_id => "ours"')
    await until(
      () => written(tool).length >= LINES,
      () => `${written(tool).length} of ${LINES} lines packed with ${compression}; ${tool.stderr}`,
    )
    assert.equal(await tool.stop(), 0, tool.stderr)
    assert.deepEqual(written(tool).sort(), numbered(LINES))
  }
  await produce('ours', 'compression_type => "gzip"')
  const read = async (topic: string) =>
    (await output(java(PEER, 'consume', plain, topic, 'theirs', String(LINES)))).trim().split('\n').sort()
  const [ours, theirs] = [await read('ours'), await read('java-none')]
  // Keys are assigned to the same partitions by both clients.
  assert.deepEqual(ours, theirs)
})

// Goal: no record is lost when the consumers of a group change. Method: records arrive continuously while consumers
// join, leave and are killed. With ids the index must end up with every record once.
test('no record is lost when consumers join, leave and are killed', { skip, timeout: TIMEOUT_MS }, async (t) => {
  const search = new FakeElasticsearch()
  const hosts = await search.start()
  t.after(() => search.stop())
  const member = () =>
    start(`input { kafka { bootstrap_servers => "${plain}" topics => ["busy"] auto_offset_reset => "earliest" group_id => "busy"
        session_timeout_ms => 6000 heartbeat_interval_ms => 500 auto_commit_interval_ms => 200 } }
      output { elasticsearch { hosts => ["${hosts}"] index => "lines" document_id => "%{message}"
        retry_initial_interval => 1 } }`)
  search.bulkStatus = () => (Math.random() < 0.1 ? 503 : 200)
  const writer = start(`input { generator { count => 40000 } }
    output { kafka { bootstrap_servers => "${plain}" topic_id => "busy" message_key => "%{[event][sequence]}"
      codec => plain { format => "m%{[event][sequence]}" } } }`)
  const first = member()
  const second = member()
  await first.logged('reading')
  await second.logged('reading')
  await first.kill()
  const third = member()
  await third.logged('reading')
  assert.equal(await second.stop(), 0, second.stderr)
  assert.equal(await writer.ended(), 0, writer.stderr)
  search.bulkStatus = () => 200
  const stored = () => search.indices.get('lines')?.size ?? 0
  await until(
    () => stored() === 40_000,
    () => `40000 lines, ${stored()} are there; ${third.stderr.slice(-3000)}`,
  )
  assert.equal(await third.stop(), 0, third.stderr)
})

// Goal: a group of three instances delivers every record at least once when one is killed, and with document ids each is stored once.
// Method: records arrive continuously; an instance is killed while it reads; what is stored is compared with what was written.
for (const strategy of ['range', 'cooperative_sticky']) {
  const name = `a group of three with one killed delivers every record, with the strategy ${strategy}`
  test(name, { skip, timeout: TIMEOUT_MS }, async (t) => {
    const search = new FakeElasticsearch()
    const hosts = await search.start()
    t.after(() => search.stop())
    const topic = `three-${strategy}`
    const member = () =>
      start(`input { kafka { bootstrap_servers => "${plain}" topics => ["${topic}"] auto_offset_reset => "earliest"
          group_id => "${topic}" session_timeout_ms => 6000 heartbeat_interval_ms => 500 auto_commit_interval_ms => 200
          partition_assignment_strategy => "${strategy}" } }
        output { elasticsearch { hosts => ["${hosts}"] index => "lines" document_id => "%{message}" } }`)
    const count = 30_000
    const writer = start(`input { generator { count => ${count} } }
      output { kafka { bootstrap_servers => "${plain}" topic_id => "${topic}" message_key => "%{[event][sequence]}" acks => "all"
        codec => plain { format => "m%{[event][sequence]}" } } }`)
    const members = [member(), member(), member()]
    for (const tool of members) await tool.logged('reading')
    const stored = () => search.indices.get('lines')?.size ?? 0
    await until(
      () => stored() > 1000,
      () => `the group reads; ${members[0]!.stderr.slice(-2000)}`,
    )
    await members[1]!.kill()
    assert.equal(await writer.ended(), 0, writer.stderr)
    await until(
      () => stored() === count,
      () => `${count} lines, ${stored()} are there; ${members[0]!.stderr.slice(-3000)}`,
      60_000,
    )
    const ids = [...search.indices.get('lines')!.keys()].sort()
    assert.deepEqual(ids, numbered(count))
    for (const tool of [members[0]!, members[2]!]) assert.equal(await tool.stop(), 0, tool.stderr)
  })
}
