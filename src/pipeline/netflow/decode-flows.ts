/** Decodes datagrams of NetFlow 5 and 9 and of IPFIX (version 10) to events. */
import type { Log } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { Fields } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { FieldDefinitions, FieldForm } from './field-definitions.ts'
import { readValue } from './field-value.ts'
import { recordBytesMin, type Template, type TemplateField, type Templates, VARIABLE_LENGTH } from './templates.ts'

export interface FlowSettings {
  readonly target: string
  readonly versions: readonly number[]
  readonly includesFlowSetId: boolean
  readonly v9Fields: FieldDefinitions
  readonly ipfixFields: FieldDefinitions
  readonly v9Templates: Templates
  readonly ipfixTemplates: Templates
  readonly log: Log
}

const V5_HEADER_BYTES = 24
const V5_RECORD_BYTES = 48
/** Name, offset, length and form of the fields of a version 5 record. */
const V5_RECORD: readonly (readonly [string, number, number, FieldForm])[] = [
  ['ipv4_src_addr', 0, 4, '4'],
  ['ipv4_dst_addr', 4, 4, '4'],
  ['ipv4_next_hop', 8, 4, '4'],
  ['input_snmp', 12, 2, 'u'],
  ['output_snmp', 14, 2, 'u'],
  ['in_pkts', 16, 4, 'u'],
  ['in_bytes', 20, 4, 'u'],
  ['first_switched', 24, 4, 'u'],
  ['last_switched', 28, 4, 'u'],
  ['l4_src_port', 32, 2, 'u'],
  ['l4_dst_port', 34, 2, 'u'],
  ['tcp_flags', 37, 1, 'u'],
  ['protocol', 38, 1, 'u'],
  ['src_tos', 39, 1, 'u'],
  ['src_as', 40, 2, 'u'],
  ['dst_as', 42, 2, 'u'],
  ['src_mask', 44, 1, 'u'],
  ['dst_mask', 45, 1, 'u'],
]

const V9_SCOPES = ['scope_system', 'scope_interface', 'scope_line_card', 'scope_netflow_cache', 'scope_template']
const ENTERPRISE_BIT = 0x8000
const NTP_EPOCH_S = Date.UTC(1900, 0, 1) / 1000

/** `source` keeps templates of different exporters apart. */
export function decodeFlows(bytes: Buffer, source: string, settings: FlowSettings, out: Event[]): void {
  const version = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  if (!settings.versions.includes(version)) {
    settings.log.warn(`Ignoring Netflow version v${version}`)
    return
  }
  try {
    if (version === 5) decodeV5(bytes, settings, out)
    else if (version === 9) decodeV9(bytes, source, settings, out)
    else decodeIpfix(bytes, source, settings, out)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    settings.log.warn(`Invalid netflow packet received (${error.message})`)
  }
}

function decodeV5(bytes: Buffer, { target }: FlowSettings, out: Event[]): void {
  const count = bytes.readUInt16BE(2)
  const uptimeMs = bytes.readUInt32BE(4)
  const seconds = bytes.readUInt32BE(8)
  const micros = Math.floor(bytes.readUInt32BE(12) / 1000)
  const sampling = bytes.readUInt16BE(22)
  for (let i = 0; i < count; i++) {
    const at = V5_HEADER_BYTES + i * V5_RECORD_BYTES
    if (at + V5_RECORD_BYTES > bytes.length) throw new RangeError('the last record is cut off')
    const flow: Fields = Object.assign(new Fields(), {
      version: 5,
      flow_seq_num: bytes.readUInt32BE(16),
      engine_type: bytes[20]!,
      engine_id: bytes[21]!,
      sampling_algorithm: sampling >> 14,
      sampling_interval: sampling & 0x3fff,
      flow_records: count,
    })
    for (const [name, offset, length, form] of V5_RECORD) {
      const value = readValue(bytes.subarray(at + offset, at + offset + length), form)
      if (!name.endsWith('_switched')) flow[name] = value
      else {
        const agoMs = uptimeMs - (value as number)
        // Logstash counts the rest of a second in microseconds, so the milliseconds are those of the header.
        const rest = micros - modulo(agoMs, 1000)
        flow[name] = isoTime(seconds - Math.floor(agoMs / 1000), rest < 0 ? rest + 1_000_000 : rest)
      }
    }
    out.push(eventOf(flow, target, seconds * 1000 + Math.floor(micros / 1000)))
  }
}

function decodeV9(bytes: Buffer, source: string, settings: FlowSettings, out: Event[]): void {
  const uptimeMs = bytes.readUInt32BE(4)
  const seconds = bytes.readUInt32BE(8)
  const sequence = bytes.readUInt32BE(12)
  const key = (id: number) => `${bytes.readUInt32BE(16)}|${id}|${source}`
  forEachSet(bytes, 20, (id, set) => {
    if (id === 0) readV9Templates(set, false, settings, (n, template) => settings.v9Templates.set(key(n), template))
    else if (id === 1) readV9Templates(set, true, settings, (n, template) => settings.v9Templates.set(key(n), template))
    else if (id >= 256) {
      const template = settings.v9Templates.get(key(id))
      if (template === undefined) return void warnMissing(settings, id, `source id ${bytes.readUInt32BE(16)}`)
      forEachRecord(
        set,
        template,
        (name, value) => {
          if (!name.endsWith('_switched') || typeof value !== 'number') return value
          const agoMs = uptimeMs - value
          return isoTime(seconds - Math.floor(agoMs / 1000), 1_000_000 - modulo(agoMs, 1000))
        },
        (fields) => {
          const flow: Fields = Object.assign(
            new Fields(),
            { version: 9, flow_seq_num: sequence, flowset_id: id },
            fields,
          )
          out.push(eventOf(flow, settings.target, seconds * 1000))
        },
      )
    } else settings.log.warn(`Unsupported flowset id ${id}`)
  })
}

function decodeIpfix(bytes: Buffer, source: string, settings: FlowSettings, out: Event[]): void {
  const seconds = bytes.readUInt32BE(4)
  const key = (id: number) => `${bytes.readUInt32BE(12)}|${id}|${source}`
  const end = Math.min(bytes.length, bytes.readUInt16BE(2))
  forEachSet(bytes.subarray(0, end), 16, (id, set) => {
    const keep = (n: number, template: Template) => settings.ipfixTemplates.set(key(n), template)
    if (id === 2 || id === 3) readIpfixTemplates(set, id === 3, settings, keep)
    else if (id >= 256) {
      const template = settings.ipfixTemplates.get(key(id))
      if (template === undefined)
        return void warnMissing(settings, id, `observation domain id ${bytes.readUInt32BE(12)}`)
      forEachRecord(set, template, ipfixTime, (fields) => {
        const flow: Fields = Object.assign(new Fields(), { version: 10 })
        if (settings.includesFlowSetId) flow['flowset_id'] = id
        out.push(eventOf(Object.assign(flow, fields), settings.target, seconds * 1000))
      })
    } else settings.log.warn(`Unsupported flowset id ${id}`)
  })
}

function forEachSet(bytes: Buffer, from: number, take: (id: number, set: Buffer) => void): void {
  for (let at = from; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 2)
    if (length < 4 || at + length > bytes.length) throw new RangeError('a flow set is cut off')
    take(bytes.readUInt16BE(at), bytes.subarray(at + 4, at + length))
    at += length
  }
}

type Keep = (id: number, template: Template) => void

function readV9Templates(set: Buffer, isOptions: boolean, settings: FlowSettings, keep: Keep): void {
  for (let at = 0; at + (isOptions ? 6 : 4) <= set.length; ) {
    const id = set.readUInt16BE(at)
    // Bytes after the last template are padding to a multiple of four.
    if (id < 256) return
    const scopeCount = isOptions ? set.readUInt16BE(at + 2) / 4 : 0
    const count = isOptions ? scopeCount + set.readUInt16BE(at + 4) / 4 : set.readUInt16BE(at + 2)
    at += isOptions ? 6 : 4
    const fields: (TemplateField | undefined)[] = []
    for (let i = 0; i < count; i++, at += 4) {
      const number = set.readUInt16BE(at)
      const bytes = set.readUInt16BE(at + 2)
      if (i < scopeCount) fields.push({ name: V9_SCOPES[number - 1] ?? `scope_${number}`, form: 'u', bytes })
      else if (bytes > 0) fields.push(definedField(settings.v9Fields, 0, number, bytes, id, settings))
    }
    if (!fields.includes(undefined)) keep(id, fields as Template)
  }
}

function readIpfixTemplates(set: Buffer, isOptions: boolean, settings: FlowSettings, keep: Keep): void {
  for (let at = 0; at + 4 <= set.length; ) {
    const id = set.readUInt16BE(at)
    if (id < 256) return
    const count = set.readUInt16BE(at + 2)
    at += isOptions ? 6 : 4
    const fields: (TemplateField | undefined)[] = []
    for (let i = 0; i < count; i++) {
      const word = set.readUInt16BE(at)
      const bytes = set.readUInt16BE(at + 2)
      const hasEnterprise = (word & ENTERPRISE_BIT) !== 0
      const enterprise = hasEnterprise ? set.readUInt32BE(at + 4) : 0
      at += hasEnterprise ? 8 : 4
      fields.push(definedField(settings.ipfixFields, enterprise, word & ~ENTERPRISE_BIT, bytes, id, settings))
    }
    if (!fields.includes(undefined)) keep(id, fields as Template)
  }
}

/** A template with an unknown field cannot be used, because its records would be read wrongly by name. */
function definedField(
  definitions: FieldDefinitions,
  enterprise: number,
  number: number,
  bytes: number,
  template: number,
  { log }: FlowSettings,
): TemplateField | undefined {
  const known = definitions.get(enterprise)?.get(number)
  if (known !== undefined) return { ...known, bytes }
  log.warn(`Unsupported field in template ${template}`, { type: number, enterprise, length: bytes })
  return undefined
}

type FlowValue = ReturnType<typeof readValue>

function forEachRecord(
  set: Buffer,
  template: Template,
  convert: (name: string, value: FlowValue) => FlowValue,
  take: (fields: Fields) => void,
): void {
  const least = recordBytesMin(template)
  if (least === 0) return
  for (let at = 0; at + least <= set.length; ) {
    const fields = new Fields()
    for (const { name, form, bytes } of template) {
      let length = bytes
      if (bytes === VARIABLE_LENGTH) {
        length = set.readUInt8(at++)
        if (length === 255) {
          length = set.readUInt16BE(at)
          at += 2
        }
      }
      if (at + length > set.length) throw new RangeError('a record is cut off')
      if (form !== 'x') fields[name] = convert(name, readValue(set.subarray(at, at + length), form))
      at += length
    }
    take(fields)
  }
}

function ipfixTime(name: string, value: FlowValue): FlowValue {
  const unit = /^flow(?:Start|End)(Seconds|Milliseconds|Microseconds|Nanoseconds)$/.exec(name)?.[1]
  if (unit === undefined) return value
  if (unit === 'Seconds') return isoTime(Number(value), 0)
  if (unit === 'Milliseconds') return new Timestamp(Number(value)).toString()
  // NTP time: seconds since 1900 and a binary fraction.
  const ntp = BigInt(value as number | bigint)
  return isoTime(NTP_EPOCH_S + Number(ntp >> 32n), (Number(ntp & 0xffffffffn) / 2 ** 32) * 1e6)
}

function isoTime(seconds: number, micros: number): string {
  return new Timestamp(seconds * 1000 + Math.floor(micros / 1000)).toString()
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

function eventOf(flow: Fields, target: string, timeMs: number): Event {
  const event = Event.ofFields(new Fields(), new Timestamp(timeMs))
  event.set(target, flow)
  return event
}

function warnMissing({ log }: FlowSettings, id: number, from: string): void {
  log.warn(
    `Can't (yet) decode flowset id ${id} from ${from}, because no template to decode it with has been received. ` +
      'This message will usually go away after 1 minute.',
  )
}
