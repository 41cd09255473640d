/**
 * `azure_event_hubs`: reads Event Hubs by the Kafka side that each of them has. Positions are kept in the consumer group at the
 * event hub, and not in a storage account.
 */
import { Fields } from '../event/fields.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type ConfigHash, type ConfigValue, type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { kafka } from './kafka.ts'

const IN_GROUP = 'Positions are kept in the consumer group at the event hub.'
const BY_FETCH = 'Events are fetched as they come, by the size of a fetch.'

const OPTIONS = {
  codec: option.codec({ default: 'json' }),
  config_mode: option.words(['basic', 'advanced'], { default: 'basic' }),
  event_hub_connections: option.strings({ default: [] }),
  event_hubs: option.array({ default: [] }),
  consumer_group: option.string({ default: '$Default' }),
  initial_position: option.words(['beginning', 'end', 'look_back'], { default: 'beginning' }),
  decorate_events: option.boolean({ default: false }),
  initial_position_look_back: option.ignored('`look_back` is not possible by way of Kafka.'),
  storage_connection: option.ignored(IN_GROUP),
  storage_container: option.ignored(IN_GROUP),
  checkpoint_interval: option.ignored(IN_GROUP),
  threads: option.ignored('One thread does the work of all inputs.'),
  max_batch_size: option.ignored(BY_FETCH),
  prefetch_count: option.ignored(BY_FETCH),
  receive_timeout: option.ignored(BY_FETCH),
} as const

type Options = OptionValues<typeof OPTIONS>

interface Hub {
  readonly server: string
  readonly name: string
  readonly connection: string
  readonly group: string
  readonly position: string
  readonly decorates: boolean
}

export const azureEventHubs = inputPlugin({
  name: 'azure_event_hubs',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new EventHubsInput(options, hubsOf(options), context),
})

class EventHubsInput implements Input {
  readonly #inputs: readonly Input[]

  constructor({ codec }: Options, hubs: readonly Hub[], context: PluginContext) {
    this.#inputs = hubs.map((hub) => inputOf(hub, codec, context))
  }

  async run(sink: InputSink): Promise<void> {
    await Promise.all(this.#inputs.map((input) => input.run(sink)))
  }

  stop(): void {
    for (const input of this.#inputs) input.stop()
  }

  async close(): Promise<void> {
    await Promise.all(this.#inputs.map((input) => input.close?.()))
  }
}

function inputOf(hub: Hub, codec: Options['codec'], context: PluginContext): Input {
  const given = {
    codec,
    bootstrap_servers: hub.server,
    topics: [hub.name],
    group_id: hub.group,
    auto_offset_reset: hub.position === 'end' ? 'latest' : 'earliest',
    decorate_events: hub.decorates ? 'basic' : 'none',
    auto_create_topics: false,
    security_protocol: 'SASL_SSL',
    sasl_mechanism: 'PLAIN',
    sasl_jaas_config: `org.apache.kafka.common.security.plain.PlainLoginModule required username="$ConnectionString" password="${hub.connection}";`,
  }
  const input = kafka.create(withDefaults(kafka.options, given), context)
  if (!hub.decorates) return input
  return {
    ...{ stop: () => input.stop(), close: async () => input.close?.() },
    run: (sink) =>
      input.run({
        push(events, onAcknowledged) {
          for (const { metadata } of events) describe(metadata, hub)
          return sink.push(events, onAcknowledged)
        },
      }),
  }
}

/** Names what Kafka says about an event as Logstash's plugin does. */
function describe(metadata: Fields, { name, group }: Hub): void {
  const { partition, offset, timestamp } = metadata['kafka'] as Fields
  delete metadata['kafka']
  const about = { name, consumer_group: group, partition: partition!, offset: offset!, timestamp: timestamp! }
  metadata['azure_event_hubs'] = Object.assign(new Fields(), about)
}

function hubsOf(options: Options): Hub[] {
  const { consumer_group, initial_position, decorate_events } = options
  const common = { consumer_group, initial_position, decorate_events }
  if (options.config_mode === 'basic') {
    if (options.event_hub_connections.length === 0) {
      throw new PluginOptionError('event_hub_connections is needed with config_mode => "basic"')
    }
    return options.event_hub_connections.map((connection) =>
      hubOf(undefined, { ...common, event_hub_connection: connection }),
    )
  }
  const hubs = options.event_hubs.flatMap((item) => {
    const isHash = typeof item === 'object' && !Array.isArray(item)
    if (!isHash) throw new PluginOptionError('event_hubs is a list of hashes, each with the name of an event hub')
    return Object.entries(item as ConfigHash).map(([name, own]) =>
      hubOf(name, { ...common, ...(typeof own === 'object' && !Array.isArray(own) ? own : {}) }),
    )
  })
  if (hubs.length === 0) throw new PluginOptionError('event_hubs is needed with config_mode => "advanced"')
  return hubs
}

function hubOf(name: string | undefined, settings: Readonly<Record<string, ConfigValue>>): Hub {
  const connection = String(settings['event_hub_connection'] ?? '')
  const server = /(?:^|;)\s*Endpoint=sb:\/\/([^/;]+)/i.exec(connection)?.[1]
  const path = name ?? /(?:^|;)\s*EntityPath=([^;]+)/i.exec(connection)?.[1]
  if (server === undefined) throw new PluginOptionError('a connection of an event hub has no "Endpoint=sb://NAME/"')
  if (path === undefined) throw new PluginOptionError(`the connection to ${server} has no "EntityPath=NAME"`)
  const position = String(settings['initial_position'])
  if (position === 'look_back') {
    throw new PluginOptionError(
      'initial_position => "look_back" is not possible by way of Kafka: use "beginning" or "end"',
    )
  }
  return {
    // The port of the Kafka side.
    server: server.includes(':') ? server : `${server}:9093`,
    name: path.trim(),
    connection,
    group: String(settings['consumer_group']),
    position,
    decorates: String(settings['decorate_events']) === 'true',
  }
}
