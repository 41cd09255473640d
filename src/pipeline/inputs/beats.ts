/**
 * `beats`: receives events from Filebeat and other Beats, and acknowledges them after the outputs have written them.
 */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { Event } from '../event/event.ts'
import { copyFields, type Fields, isFields } from '../event/fields.ts'
import { parseJson } from '../event/json-text.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { readWindows } from '../lumberjack/windows.ts'
import { ConnectionServer } from '../net/connection-server.ts'
import { OLD_SERVER_TLS_OPTIONS, SERVER_TLS_OPTIONS, serverTls } from '../net/tls-options.ts'
import type { Decoder } from '../plugin/codec-plugin.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { plainAddress } from './network-decoration.ts'

const ONE_THREAD = 'All connections are served by one thread.'

/** What the input can add to events. */
const ENRICHMENTS = ['source_metadata', 'codec_metadata', 'ssl_peer_metadata'] as const
type Enrichment = (typeof ENRICHMENTS)[number]
const ENRICHED_BY_DEFAULT: readonly Enrichment[] = ['source_metadata', 'codec_metadata']
const GROUPS: Readonly<Record<string, readonly Enrichment[]>> = {
  all: ENRICHMENTS,
  default: ENRICHED_BY_DEFAULT,
  none: [],
}
const USE_ENRICH = 'Use `enrich` to say what is added to events.'

export const beats = inputPlugin({
  name: 'beats',
  touches: 'network',
  options: {
    port: option.number({ required: true }),
    host: option.string({ default: '0.0.0.0' }),
    codec: option.codec({ default: 'plain' }),
    client_inactivity_timeout: option.number({ default: 60 }),
    executor_threads: option.ignored(ONE_THREAD),
    event_loop_threads: option.ignored(ONE_THREAD),
    ssl_handshake_timeout: option.number({ default: 10_000 }),
    add_hostname: option.boolean({ default: false }),
    enrich: option.strings(),
    include_codec_tag: option.deprecated(option.boolean(), USE_ENRICH),
    ssl_peer_metadata: option.deprecated(option.boolean(), USE_ENRICH),
    ...SERVER_TLS_OPTIONS,
    ...OLD_SERVER_TLS_OPTIONS,
    ssl_client_authentication: option.words(['none', 'optional', 'required'], { default: 'none' }),
  },
  create(options, context) {
    const { codec } = options
    const { ecs, clock, log } = context
    if (codec.name === 'multiline') {
      throw new PluginOptionError(
        'Multiline codec with beats input is not supported. Join the lines in the Beat that sends them',
      )
    }
    const enrichments = enrichmentsOf(options)
    const tagsCodec = enrichments.has('codec_metadata')
    if (enrichments.has('ssl_peer_metadata') && options.ssl_client_authentication === 'none') {
      throw new PluginOptionError(
        'ssl_peer_metadata needs ssl_client_authentication "optional" or "required": other clients show no certificate',
      )
    }
    const addressField = ecs === 'disabled' ? '[@metadata][ip_address]' : '[@metadata][input][beats][host][ip]'

    /** The fields of a connection's peer, which all its events get. */
    const peerOf = (socket: Socket): (readonly [string, string])[] => [
      ...(enrichments.has('source_metadata') ? [[addressField, plainAddress(socket.remoteAddress)] as const] : []),
      ...(enrichments.has('ssl_peer_metadata') && socket instanceof TLSSocket ? tlsFields(socket, ecs) : []),
    ]

    /** The events of a text that the codec decodes. The fields of the sender win over those of the text. */
    const decoded = ({ message, ...others }: Fields, decoder: Decoder): Event[] => {
      const events: Event[] = []
      decoder.decode(Buffer.from(textForm(message!)), events)
      decoder.flush(events)
      return events.map((event) => {
        const made = Event.ofFields(copyFields(others as Fields), event.timestamp ?? new Timestamp(clock.nowMs()))
        for (const [name, value] of Object.entries(event.fields)) made.fields[name] ??= value
        for (const [name, value] of Object.entries(event.metadataOrNone ?? {})) made.metadata[name] ??= value
        return made
      })
    }

    const keepsOriginal = codec.keepsOriginal === true && tagsCodec
    const keepingOriginal = (event: Event, hasMessage: boolean): Event => {
      if (keepsOriginal && hasMessage) event.setDefault('[event][original]', textForm(event.get('message')!))
      return event
    }

    const eventsOf = (json: string, decoder: Decoder | undefined): Event[] => {
      const fields = parseJson(json)
      if (!isFields(fields)) throw new Error('an event is no JSON object')
      const hasMessage = fields['message'] !== undefined && fields['message'] !== null
      const events =
        hasMessage && decoder !== undefined
          ? decoded(fields, decoder)
          : [keepingOriginal(Event.ofFields(fields, new Timestamp(clock.nowMs())), hasMessage)]
      if (tagsCodec) {
        const tag = hasMessage ? `beats_input_codec_${codec.name}_applied` : 'beats_input_raw_event'
        for (const event of events) event.tag(tag)
      }
      return events
    }

    return new ConnectionServer({
      name: 'beats',
      host: options.host,
      port: options.port,
      tls: options.ssl_enabled ? serverTls(options, options.ssl_client_authentication) : undefined,
      idleMs: options.client_inactivity_timeout * 1000,
      log,
      read(socket: Socket, sink) {
        const peer = peerOf(socket)
        // The plain codec would make an equal message, and keeps the original under ECS.
        const decoder = codec.name === 'plain' ? undefined : codec.createDecoder()
        return readWindows(socket, sink, (frame, out) => {
          if (frame.kind === 'pairs') {
            throw new Error('the sender speaks version 1 of the protocol: use the lumberjack input')
          }
          for (const event of eventsOf(frame.json, decoder)) {
            for (const [field, value] of peer) event.set(field, value)
            const name = event.get('[host][name]')
            if (options.add_hostname && typeof name === 'string') event.setDefault('[agent][hostname]', name)
            out.push(event)
          }
        })
      },
    })
  },
})

interface EnrichOptions {
  readonly enrich: readonly string[] | undefined
  readonly include_codec_tag: boolean | undefined
  readonly ssl_peer_metadata: boolean | undefined
}

function enrichmentsOf(options: EnrichOptions): ReadonlySet<Enrichment> {
  const { enrich, include_codec_tag: tagsCodec, ssl_peer_metadata: addsPeer } = options
  if (enrich === undefined) {
    const enrichments = new Set(ENRICHED_BY_DEFAULT)
    if (tagsCodec === false) enrichments.delete('codec_metadata')
    if (addsPeer === true) enrichments.add('ssl_peer_metadata')
    return enrichments
  }
  if (tagsCodec !== undefined || addsPeer !== undefined) {
    const names = tagsCodec === undefined ? 'ssl_peer_metadata' : 'include_codec_tag'
    throw new PluginOptionError(`both \`enrich\` and (deprecated) ${names} were provided; use only \`enrich\``)
  }
  const unknown = enrich.find((name) => GROUPS[name] === undefined && !ENRICHMENTS.includes(name as Enrichment))
  if (unknown !== undefined) {
    const known = [...ENRICHMENTS, ...Object.keys(GROUPS)].join(', ')
    throw new PluginOptionError(`enrich: "${unknown}" is not one of ${known}`)
  }
  if (enrich.length > 1 && enrich.some((name) => GROUPS[name] !== undefined)) {
    throw new PluginOptionError('when an alias is provided to `enrich`, it must be the only value given')
  }
  return new Set(GROUPS[enrich[0] ?? 'none'] ?? (enrich as Enrichment[]))
}

/** The fields about an encrypted connection and the certificate of the client. */
function tlsFields(socket: TLSSocket, ecs: PluginContext['ecs']): (readonly [string, string])[] {
  const status = '[@metadata][tls_peer][status]'
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  if (certificate === undefined) return [[status, 'unverified']]
  const [protocol, subject, cipher] =
    ecs === 'disabled'
      ? ['[@metadata][tls_peer][protocol]', '[@metadata][tls_peer][subject]', '[@metadata][tls_peer][cipher_suite]']
      : [
          '[@metadata][input][beats][tls][version_protocol]',
          '[@metadata][input][beats][tls][client][subject]',
          '[@metadata][input][beats][tls][cipher]',
        ]
  return [
    [status, 'verified'],
    [protocol, socket.getProtocol() ?? ''],
    // Java prints the parts of a name from the last to the first.
    [subject, certificate.subject.split('\n').reverse().join(',')],
    [cipher, socket.getCipher().standardName],
  ] as (readonly [string, string])[]
}
