/** The dictionary of the Common Event Format: short keys on the wire, and the long field names they map to. */

const NAMES: Readonly<Record<string, string>> = {
  act: 'deviceAction',
  agt: 'agentAddress',
  ahost: 'agentHostName',
  aid: 'agentId',
  amac: 'agentMacAddress',
  app: 'applicationProtocol',
  art: 'agentReceiptTime',
  at: 'agentType',
  atz: 'agentTimeZone',
  av: 'agentVersion',
  cat: 'deviceEventCategory',
  cnt: 'baseEventCount',
  dhost: 'destinationHostName',
  dlat: 'destinationGeoLatitude',
  dlong: 'destinationGeoLongitude',
  dmac: 'destinationMacAddress',
  dntdom: 'destinationNtDomain',
  dpid: 'destinationProcessId',
  dpriv: 'destinationUserPrivileges',
  dproc: 'destinationProcessName',
  dpt: 'destinationPort',
  dst: 'destinationAddress',
  dtz: 'deviceTimeZone',
  duid: 'destinationUserId',
  duser: 'destinationUserName',
  dvc: 'deviceAddress',
  dvchost: 'deviceHostName',
  dvcmac: 'deviceMacAddress',
  dvcpid: 'deviceProcessId',
  end: 'endTime',
  fname: 'fileName',
  fsize: 'fileSize',
  in: 'bytesIn',
  msg: 'message',
  out: 'bytesOut',
  outcome: 'eventOutcome',
  proto: 'transportProtocol',
  request: 'requestUrl',
  rt: 'deviceReceiptTime',
  shost: 'sourceHostName',
  slat: 'sourceGeoLatitude',
  slong: 'sourceGeoLongitude',
  smac: 'sourceMacAddress',
  sntdom: 'sourceNtDomain',
  spid: 'sourceProcessId',
  spriv: 'sourceUserPrivileges',
  sproc: 'sourceProcessName',
  spt: 'sourcePort',
  src: 'sourceAddress',
  start: 'startTime',
  suid: 'sourceUserId',
  suser: 'sourceUserName',
  ...numbered('c6a', 'deviceCustomIPv6Address', 4),
  ...numbered('cfp', 'deviceCustomFloatingPoint', 4),
  ...numbered('cn', 'deviceCustomNumber', 3),
  ...numbered('cs', 'deviceCustomString', 6),
}

/** Custom fields of devices: a few numbered fields per kind, each with a label. */
function numbered(key: string, name: string, count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  return Object.fromEntries(
    numbers.flatMap((n) => [
      [`${key}${n}`, `${name}${n}`],
      [`${key}${n}Label`, `${name}${n}Label`],
    ]),
  )
}

const KEYS: ReadonlyMap<string, string> = new Map(Object.entries(NAMES).map(([key, name]) => [name, key]))

/** The field name for a key. Most other keys are long names already. */
export function cefNameOf(key: string): string {
  return Object.hasOwn(NAMES, key) ? NAMES[key]! : key
}

export function cefKeyOf(name: string): string {
  return KEYS.get(name) ?? name
}
