/**
 * The dictionary of the Common Event Format: the long name of each field, its short key on the wire, and its place in the Elastic
 * Common Schema.
 */

export type Device = 'observer' | 'host'

/** A line per field: name, key (`-` if it has none), place. Where names share a place, the first one is written. */
const TABLE = `
agentAddress agt [agent][ip]
agentDnsDomain - [cef][agent][registered_domain]
agentHostName ahost [agent][name]
agentId aid [agent][id]
agentMacAddress amac [agent][mac]
agentNtDomain - [cef][agent][registered_domain]
agentReceiptTime art [event][created]
agentTimeZone atz [cef][agent][timezone]
agentTranslatedAddress - [cef][agent][nat][ip]
agentTranslatedZoneExternalID - [cef][agent][translated_zone][external_id]
agentTranslatedZoneURI - [cef][agent][translated_zone][uri]
agentType at [agent][type]
agentVersion av [agent][version]
agentZoneExternalID - [cef][agent][zone][external_id]
agentZoneURI - [cef][agent][zone][uri]
applicationProtocol app [network][protocol]
baseEventCount cnt [cef][base_event_count]
bytesIn in [source][bytes]
bytesOut out [destination][bytes]
categoryDeviceType catdt [cef][device_type]
customerExternalID - [organization][id]
customerURI - [organization][name]
destinationAddress dst [destination][ip]
destinationDnsDomain - [destination][registered_domain]
destinationGeoLatitude dlat [destination][geo][location][lat]
destinationGeoLongitude dlong [destination][geo][location][lon]
destinationHostName dhost [destination][domain]
destinationMacAddress dmac [destination][mac]
destinationNtDomain dntdom [destination][registered_domain]
destinationPort dpt [destination][port]
destinationProcessId dpid [destination][process][pid]
destinationProcessName dproc [destination][process][name]
destinationServiceName - [destination][service][name]
destinationTranslatedAddress - [destination][nat][ip]
destinationTranslatedPort - [destination][nat][port]
destinationTranslatedZoneExternalID - [cef][destination][translated_zone][external_id]
destinationTranslatedZoneURI - [cef][destination][translated_zone][uri]
destinationUserId duid [destination][user][id]
destinationUserName duser [destination][user][name]
destinationUserPrivileges dpriv [destination][user][group][name]
destinationZoneExternalID - [cef][destination][zone][external_id]
destinationZoneURI - [cef][destination][zone][uri]
deviceAction act [event][action]
deviceAddress dvc [DEVICE][ip]
deviceDirection - [network][direction]
deviceDnsDomain - [DEVICE][registered_domain]
deviceEventCategory cat [cef][category]
deviceExternalId - [DEVICE][ID]
deviceFacility - [log][syslog][facility][code]
deviceHostName dvchost [DEVICE][HOSTNAME]
deviceInboundInterface - [observer][ingress][interface][name]
deviceMacAddress dvcmac [DEVICE][mac]
deviceNtDomain - [cef][nt_domain]
deviceOutboundInterface - [observer][egress][interface][name]
devicePayloadId - [cef][payload_id]
deviceProcessId dvcpid [process][pid]
deviceProcessName - [process][name]
deviceReceiptTime rt @timestamp
deviceTimeZone dtz [event][timezone]
deviceTranslatedAddress - [host][nat][ip]
deviceTranslatedZoneExternalID - [cef][translated_zone][external_id]
deviceTranslatedZoneURI - [cef][translated_zone][uri]
deviceZoneExternalID - [cef][zone][external_id]
deviceZoneURI - [cef][zone][uri]
endTime end [event][end]
eventId - [event][id]
eventOutcome outcome [event][outcome]
externalId - [cef][external_id]
fileCreateTime - [file][created]
fileHash - [file][hash]
fileId - [file][inode]
fileModificationTime - [file][mtime]
fileName fname [file][name]
filePath - [file][path]
filePermission - [file][group]
fileSize fsize [file][size]
fileType - [file][extension]
managerReceiptTime mrt [event][ingested]
message msg message
oldFileCreateTime - [cef][old_file][created]
oldFileHash - [cef][old_file][hash]
oldFileId - [cef][old_file][inode]
oldFileModificationTime - [cef][old_file][mtime]
oldFileName - [cef][old_file][name]
oldFilePath - [cef][old_file][path]
oldFilePermission - [cef][old_file][group]
oldFileSize - [cef][old_file][size]
oldFileType - [cef][old_file][extension]
rawEvent - [event][original]
Reason reason [event][reason]
requestClientApplication - [user_agent][original]
requestContext - [http][request][referrer]
requestCookies - [cef][request][cookies]
requestMethod - [http][request][method]
requestUrl request [url][original]
sourceAddress src [source][ip]
sourceDnsDomain - [source][registered_domain]
sourceGeoLatitude slat [source][geo][location][lat]
sourceGeoLongitude slong [source][geo][location][lon]
sourceHostName shost [source][domain]
sourceMacAddress smac [source][mac]
sourceNtDomain sntdom [source][registered_domain]
sourcePort spt [source][port]
sourceProcessId spid [source][process][pid]
sourceProcessName sproc [source][process][name]
sourceServiceName - [source][service][name]
sourceTranslatedAddress - [source][nat][ip]
sourceTranslatedPort - [source][nat][port]
sourceTranslatedZoneExternalID - [cef][source][translated_zone][external_id]
sourceTranslatedZoneURI - [cef][source][translated_zone][uri]
sourceUserId suid [source][user][id]
sourceUserName suser [source][user][name]
sourceUserPrivileges spriv [source][user][group][name]
sourceZoneExternalID - [cef][source][zone][external_id]
sourceZoneURI - [cef][source][zone][uri]
startTime start [event][start]
transportProtocol proto [network][transport]
type - [cef][type]`

/** Custom fields of devices: fifteen of each kind, each with a label. */
const CUSTOM = [
  ['deviceCustomFloatingPoint', 'cfp', 'device_custom_floating_point'],
  ['deviceCustomIPv6Address', 'c6a', 'device_custom_ipv6_address'],
  ['deviceCustomNumber', 'cn', 'device_custom_number'],
  ['deviceCustomString', 'cs', 'device_custom_string'],
] as const
const CUSTOM_MAX = 15

/** Fields with a time, which is parsed under the Elastic Common Schema. */
const TIMES: ReadonlySet<string> = new Set([
  'agentReceiptTime',
  'deviceReceiptTime',
  'endTime',
  'fileModificationTime',
  'managerReceiptTime',
  'oldFileCreateTime',
  'oldFileModificationTime',
  'startTime',
])

export const CEF_HEADERS: readonly (readonly [name: string, place: string])[] = [
  ['cefVersion', '[cef][version]'],
  ['deviceVendor', '[observer][vendor]'],
  ['deviceProduct', '[observer][product]'],
  ['deviceVersion', '[observer][version]'],
  ['deviceEventClassId', '[event][code]'],
  ['name', '[cef][name]'],
  ['severity', '[event][severity]'],
]

export interface CefField {
  readonly name: string
  readonly key: string | undefined
  readonly isTime: boolean
  place(device: Device): string
}

const FIELDS: readonly CefField[] = [
  ...TABLE.trim()
    .split('\n')
    .map((line) => {
      const [name, key, place] = line.split(' ') as [string, string, string]
      return fieldOf(name, key === '-' ? undefined : key, place)
    }),
  ...CUSTOM.flatMap(([name, key, place]) =>
    Array.from({ length: CUSTOM_MAX }, (_, i) => i + 1).flatMap((n) => [
      fieldOf(`${name}${n}`, `${key}${n}`, `[cef][${place}_${n}][value]`),
      fieldOf(`${name}${n}Label`, `${key}${n}Label`, `[cef][${place}_${n}][label]`),
    ]),
  ),
]

function fieldOf(name: string, key: string | undefined, place: string): CefField {
  const places = {
    observer: place.replace('DEVICE', 'observer').replace('HOSTNAME', 'hostname').replace('ID', 'name'),
    host: place.replace('DEVICE', 'host').replace('HOSTNAME', 'name').replace('ID', 'id'),
  }
  const hasDevice = place.includes('DEVICE')
  return { name, key, isTime: TIMES.has(name), place: (device) => (hasDevice ? places[device] : place) }
}

const BY_NAME: ReadonlyMap<string, CefField> = new Map(FIELDS.map((field) => [field.name, field]))
const BY_KEY: ReadonlyMap<string, CefField> = new Map(
  FIELDS.flatMap((field) => (field.key === undefined ? [] : [[field.key, field] as const])),
)

/** The field with a short key or a long name; undefined for names that the format does not define. */
export function cefField(keyOrName: string): CefField | undefined {
  return BY_KEY.get(keyOrName) ?? BY_NAME.get(keyOrName)
}

/** The fields of an event and the names under which the format has them, for encoding. */
export function encodedNames(isEcs: boolean, usesKeys: boolean): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const field of FIELDS) {
    const written = usesKeys ? (field.key ?? field.name) : field.name
    const places = isEcs ? [field.place('observer'), field.place('host')] : [field.name]
    for (const place of places) if (!names.has(place)) names.set(place, written)
  }
  return names
}
