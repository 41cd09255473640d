/** `netflow`: datagrams of NetFlow 5, 9 and IPFIX. An event per flow. */
import { join } from 'node:path'
import type { Event } from '../event/event.ts'
import { decodeFlows, type FlowSettings } from '../netflow/decode-flows.ts'
import { addDefinitionFile, definitionsOf } from '../netflow/field-definitions.ts'
import { IPFIX_FIELDS } from '../netflow/ipfix-fields.ts'
import { Templates } from '../netflow/templates.ts'
import { V9_FIELDS } from '../netflow/v9-fields.ts'
import { utf8 } from '../plugin/charset.ts'
import { type Codec, codecPlugin, type Decoder } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const MINUTE_MS = 60_000
const VERSIONS = [5, 9, 10]

export const netflow = codecPlugin({
  name: 'netflow',
  touches: 'nothing',
  options: {
    /** Minutes after which a template is forgotten. */
    cache_ttl: option.number({ default: 4000 }),
    cache_save_path: option.path(),
    target: option.field({ default: 'netflow' }),
    include_flowset_id: option.boolean({ default: false }),
    versions: option.array({ default: [5, 9, 10] }),
    netflow_definitions: option.path(),
    ipfix_definitions: option.path(),
  },
  create(options, { clock, log }) {
    const versions = options.versions.map(Number)
    const unknown = versions.find((version) => !VERSIONS.includes(version))
    if (unknown !== undefined) throw new PluginOptionError(`versions: ${unknown} is not one of ${VERSIONS.join(', ')}`)
    const v9Fields = definitionsOf(V9_FIELDS)
    const ipfixFields = definitionsOf(IPFIX_FIELDS)
    const templates = (name: string) =>
      new Templates({
        ttlMs: options.cache_ttl * MINUTE_MS,
        path: options.cache_save_path === undefined ? undefined : join(options.cache_save_path, name),
        clock,
      })
    let settings: FlowSettings
    try {
      if (options.netflow_definitions !== undefined) addDefinitionFile(v9Fields, options.netflow_definitions, false)
      if (options.ipfix_definitions !== undefined) addDefinitionFile(ipfixFields, options.ipfix_definitions, true)
      settings = {
        target: options.target,
        versions,
        includesFlowSetId: options.include_flowset_id,
        v9Fields,
        ipfixFields,
        v9Templates: templates('netflow_templates.cache'),
        ipfixTemplates: templates('ipfix_templates.cache'),
        log,
      }
    } catch (error) {
      throw new PluginOptionError((error as Error).message)
    }
    const decoderFor = (source: string): Decoder => ({
      charset: utf8,
      pending: false,
      decode: (bytes: Uint8Array, out: Event[]) =>
        decodeFlows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), source, settings, out),
      decodeLine: (line: string, out: Event[]) => decodeFlows(Buffer.from(line, 'latin1'), source, settings, out),
      flush() {},
    })
    const codec: Codec = {
      name: 'netflow',
      createDecoder: (source = '') => decoderFor(source),
      encode() {
        throw new Error('the netflow codec only decodes')
      },
      forStream: () => codec,
    }
    return codec
  },
})
