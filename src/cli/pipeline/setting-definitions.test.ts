import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlagError, parseFlags, readSettings } from './pipeline-settings.ts'
import { DEFINITIONS, DIFFERENCES, RENAMED } from './setting-definitions.ts'

/** The names of the settings that Logstash 8.19 and 9 register. */
const NAMES = `
allow_superuser node.name path.config path.data config.string modules.cli modules modules_list modules_variable_list cloud.id cloud.auth
modules_setup config.test_and_exit config.reload.automatic config.reload.interval config.support_escapes
config.field_reference.escape_style event_api.tags.illegal metric.collect pipeline.id pipeline.system pipeline.workers
pipeline.batch.size pipeline.batch.delay pipeline.unsafe_shutdown pipeline.reloadable pipeline.plugin_classloaders
pipeline.separate_logs pipeline.ordered pipeline.ecs_compatibility path.plugins interactive config.debug log.level
enable-local-plugin-development log.format log.format.json.fix_duplicate_message_fields api.enabled api.http.host api.http.port
api.environment api.auth.type api.auth.basic.username api.auth.basic.password api.auth.basic.password_policy.mode
api.auth.basic.password_policy.length.minimum api.auth.basic.password_policy.include.upper
api.auth.basic.password_policy.include.lower api.auth.basic.password_policy.include.digit
api.auth.basic.password_policy.include.symbol api.ssl.enabled api.ssl.keystore.path api.ssl.keystore.password
api.ssl.supported_protocols queue.type queue.drain queue.page_capacity queue.max_bytes queue.max_events queue.checkpoint.acks
queue.checkpoint.writes queue.checkpoint.interval queue.checkpoint.retry dead_letter_queue.enable dead_letter_queue.max_bytes
dead_letter_queue.flush_interval dead_letter_queue.storage_policy dead_letter_queue.retain.age slowlog.threshold.warn
slowlog.threshold.info slowlog.threshold.debug slowlog.threshold.trace keystore.classname keystore.file monitoring.cluster_uuid
pipeline.buffer.type path.queue path.dead_letter_queue path.settings path.logs node.uuid http.enabled http.host http.port
http.environment ssl.reload.automatic pipeline.recoverable pipeline.batch.output_chunking.growth_threshold_factor
pipeline.batch.metrics.sampling_mode queue.compression dead_letter_queue.flush_check_interval otel.metrics.enabled
otel.exporter.otlp.endpoint otel.metric.export.interval otel.exporter.otlp.protocol otel.exporter.otlp.headers otel.service.name
otel.resource.attributes otel.exporter.otlp.certificate otel.exporter.otlp.client.key otel.exporter.otlp.client.certificate
xpack.geoip.downloader.enabled xpack.geoip.downloader.endpoint xpack.geoip.downloader.poll.interval xpack.management.enabled
xpack.management.logstash.poll_interval xpack.management.pipeline.id xpack.monitoring.allow_legacy_collection
`.match(/\S+/g)!

const CONNECTION = `
hosts username password proxy cloud_id cloud_auth api_key sniffing ssl.certificate_authority ssl.ca_trusted_fingerprint ssl.truststore.path
ssl.truststore.password ssl.keystore.path ssl.keystore.password ssl.verification_mode ssl.certificate ssl.key ssl.cipher_suites
`.match(/\S+/g)!

const MONITORING = `
enabled collection.interval collection.timeout_interval collection.pipeline.details.enabled collection.config.enabled
`.match(/\S+/g)!

/** The flags of Logstash 8.19 and 9, with a value where they need one. */
const FLAGS = `-n=a --node.name=a --enable-local-plugin-development -f=a --path.config=a -e=a --config.string=a
--field-reference-escape-style=percent --modules=a -M=a --modules.variable=a --setup --cloud.id=a --cloud.auth=a --pipeline.id=a -w=1
--pipeline.workers=1 --pipeline.ordered=auto --plugin-classloaders -b=1 --pipeline.batch.size=1 -u=1 --pipeline.batch.delay=1
--pipeline.unsafe_shutdown --pipeline.ecs_compatibility=v1 --path.data=a -p=a --path.plugins=a -l=a --path.logs=a --log.level=info
--config.debug -i=irb --interactive=irb -V --version -t --config.test_and_exit -r --config.reload.automatic
--config.reload.interval=3s --api.enabled=true --api.http.host=a --api.http.port=9600 --log.format=json
--log.format.json.fix_duplicate_message_fields=true --path.settings=a --verbose --debug --quiet --http.enabled --http.host=a
--http.port=9600 --event_api.tags.illegal=warn -h --help`.match(/\S+/g)!

test('every setting of Logstash is known, once', () => {
  const all = [
    ...NAMES,
    ...['monitoring', 'xpack.monitoring'].flatMap((area) => MONITORING.map((name) => `${area}.${name}`)),
    ...['monitoring', 'xpack.monitoring', 'xpack.management'].flatMap((area) =>
      CONNECTION.map((name) => `${area}.elasticsearch.${name}`),
    ),
  ]
  const tables = [DEFINITIONS, DIFFERENCES, RENAMED]
  for (const name of all) assert.equal(tables.filter((table) => Object.hasOwn(table, name)).length, 1, name)
})

test('every flag of Logstash acts, warns, or is refused with a reason', () => {
  for (const one of FLAGS) {
    const [flag, value] = one.split('=')
    const args = value === undefined ? [flag!] : [flag!, value]
    try {
      parseFlags(args)
    } catch (error) {
      assert.ok(error instanceof FlagError && /cannot be used here: \w/.test(error.message), `${one}: ${error}`)
    }
  }
})

test('the settings file of the Docker image is accepted, with a warning for what has no effect', () => {
  const { values, warnings } = readSettings(
    { 'http.host': '0.0.0.0', xpack: { monitoring: { elasticsearch: { hosts: ['http://elasticsearch:9200'] } } } },
    {},
  )
  assert.deepEqual([...values], [['api.http.host', '0.0.0.0']])
  assert.match(warnings[0]!, /"http.host" is the old name of the setting "api.http.host"/)
  assert.match(warnings[1]!, /"xpack.monitoring.elasticsearch.hosts" has no effect: metrics are not sent/)
  const quiet = { 'xpack.monitoring.enabled': false, 'xpack.management.enabled': false, modules: [] }
  assert.deepEqual(readSettings(quiet, {}).warnings, [])
  assert.throws(() => readSettings({ 'xpack.management.enabled': true }, {}), /list them in pipelines.yml/)
  assert.throws(
    () => readSettings({ modules: [{ name: 'netflow' }] }, {}),
    /write their pipelines as configuration files/,
  )
})
