/** community_id: the Community ID hash of a network flow. */
import { createHash } from 'node:crypto'
import { illegalArgument } from '../../../base/api-error.ts'
import { javaString } from '../../../engine/painless/index.ts'
import { requireIp } from '../../../engine/values/ip.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

const PROTOCOLS: Readonly<Record<string, number>> = {
  eigrp: 88,
  esp: 50,
  gre: 47,
  icmp: 1,
  igmp: 2,
  'ipv6-icmp': 58,
  icmpv6: 58,
  ospf: 89,
  pim: 103,
  sctp: 132,
  tcp: 6,
  udp: 17,
}
const WITH_PORTS = new Set([6, 17, 132])
const ICMP = 1
const ICMP_V6 = 58

/** The ICMP response type of a request type. Both directions of a flow have the same hash. */
const ICMP_ANSWERS: Readonly<Record<number, number>> = {
  8: 0,
  0: 8,
  9: 10,
  10: 9,
  13: 14,
  14: 13,
  15: 16,
  16: 15,
  17: 18,
  18: 17,
}
const ICMP_V6_ANSWERS: Readonly<Record<number, number>> = {
  128: 129,
  129: 128,
  133: 134,
  134: 133,
  135: 136,
  136: 135,
  130: 131,
  131: 130,
  139: 140,
  140: 139,
  144: 145,
  145: 144,
}

const FIELDS = {
  source_ip: 'source.ip',
  source_port: 'source.port',
  destination_ip: 'destination.ip',
  destination_port: 'destination.port',
  iana_number: 'network.iana_number',
  icmp_type: 'icmp.type',
  icmp_code: 'icmp.code',
  transport: 'network.transport',
} as const

type FieldNames = Record<keyof typeof FIELDS, string>

export const communityId: ProcessorFactory = (reader) => {
  const fields = Object.fromEntries(
    Object.entries(FIELDS).map(([option, absent]) => [option, reader.optionalString(option) ?? absent]),
  ) as FieldNames
  const target = reader.optionalString('target_field') ?? 'network.community_id'
  const seed = reader.optionalInt('seed') ?? 0
  if (seed < 0 || seed > 65_535) throw reader.error('seed', 'must be a value between 0 and 65535')
  const ignoresMissing = reader.boolean('ignore_missing', true)
  return (document) => {
    const flow = flowOf(document, fields, ignoresMissing)
    if (flow !== undefined) document.set(target, flowHash(flow, seed))
    else if (!ignoresMissing) throw illegalArgument('unable to construct flow from document')
  }
}

interface Flow {
  source: Uint8Array
  destination: Uint8Array
  protocol: number
  sourcePort: number
  destinationPort: number
  isOneWay: boolean
}

function flowOf(document: IngestDocument, fields: FieldNames, ignoresMissing: boolean): Flow | undefined {
  const read = (field: string, isNeeded = true) => {
    const value = document.find(field, ignoresMissing || !isNeeded)
    return value === undefined || value === null ? undefined : value
  }
  const sourceText = read(fields.source_ip)
  if (sourceText === undefined) return undefined
  const destinationText = read(fields.destination_ip)
  if (destinationText === undefined) return undefined
  const number = read(fields.iana_number, false)
  const protocol = number === undefined ? protocolOf(read(fields.transport)) : protocolNumber(number)
  if (protocol === undefined) return undefined
  if (protocol > 255) throw illegalArgument(`invalid transport protocol number [${protocol}]`)
  const flow: Flow = {
    source: addressBytes(javaString(sourceText)),
    destination: addressBytes(javaString(destinationText)),
    protocol,
    sourcePort: 0,
    destinationPort: 0,
    isOneWay: false,
  }
  if (WITH_PORTS.has(protocol)) {
    flow.sourcePort = port(read(fields.source_port), 'source')
    flow.destinationPort = port(read(fields.destination_port), 'destination')
  } else if (protocol === ICMP || protocol === ICMP_V6) {
    const type = wholeNumber(read(fields.icmp_type)) ?? 0
    const code = wholeNumber(read(fields.icmp_code)) ?? 0
    const answer = (protocol === ICMP ? ICMP_ANSWERS : ICMP_V6_ANSWERS)[type]
    flow.sourcePort = type
    flow.destinationPort = answer ?? code
    flow.isOneWay = answer === undefined
  }
  return flow
}

function protocolOf(transport: unknown): number | undefined {
  if (transport === undefined) return undefined
  const text = javaString(transport)
  const known = PROTOCOLS[text.toLowerCase()]
  if (known !== undefined) return known
  const number = wholeNumber(text)
  if (number === undefined) throw illegalArgument(`could not convert string [${text}] to transport protocol`)
  return number
}

const protocolNumber = (value: unknown) => {
  const number = wholeNumber(value)
  if (number === undefined)
    throw illegalArgument(`could not convert string [${javaString(value)}] to transport protocol`)
  return number
}

function wholeNumber(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const text = javaString(value)
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function port(value: unknown, which: string): number {
  const number = wholeNumber(value) ?? 0
  if (number < 1 || number > 65_535)
    throw illegalArgument(`invalid ${which} port [${value === undefined ? null : javaString(value)}]`)
  return number
}

function addressBytes(text: string): Uint8Array {
  const bytes = requireIp(text)
  return text.includes(':') ? bytes : bytes.subarray(12)
}

function flowHash(flow: Flow, seed: number): string {
  const { protocol, isOneWay } = flow
  const order = Buffer.compare(flow.source, flow.destination)
  const swaps = !isOneWay && (order > 0 || (order === 0 && flow.sourcePort > flow.destinationPort))
  const [first, second] = swaps ? [flow.destination, flow.source] : [flow.source, flow.destination]
  const ports = swaps ? [flow.destinationPort, flow.sourcePort] : [flow.sourcePort, flow.destinationPort]
  const head = Buffer.alloc(2)
  head.writeUInt16BE(seed)
  const parts: Uint8Array[] = [head, first!, second!, Uint8Array.of(protocol, 0)]
  if (WITH_PORTS.has(protocol) || protocol === ICMP || protocol === ICMP_V6) {
    const tail = Buffer.alloc(4)
    tail.writeUInt16BE(ports[0]!)
    tail.writeUInt16BE(ports[1]!, 2)
    parts.push(tail)
  }
  return `1:${createHash('sha1').update(Buffer.concat(parts)).digest('base64')}`
}
