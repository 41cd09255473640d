/**
 * Patterns of Zeek, formerly Bro: tab-separated columns. Each column is defined once for the patterns of both product
 * names.
 */
import { orDash, type PatternTable } from './notation.ts'

/** Builds a line pattern of the legacy set from columns of pattern and field name. */
function legacyLine(columns: string): string {
  return columns
    .trim()
    .split(/\s+/)
    .map((column) => {
      const [name, type = 'GREEDYDATA'] = column.split('=') as [string, string?]
      return `%{${type}:${name}}`
    })
    .join('\\t')
}

const ENDPOINTS = 'orig_h=IP orig_p=INT resp_h=IP resp_p=INT'

const LEGACY_HTTP = `ts=NUMBER uid=NOTSPACE ${ENDPOINTS} trans_depth=INT method domain uri referrer user_agent
  request_body_len=NUMBER response_body_len=NUMBER status_code status_msg info_code info_msg filename bro_tags username
  password proxied orig_fuids orig_mime_types resp_fuids resp_mime_types`
const LEGACY_DNS = `ts=NUMBER uid=NOTSPACE ${ENDPOINTS} proto=WORD trans_id=INT query qclass qclass_name qtype qtype_name
  rcode rcode_name AA TC RD RA Z answers TTLs rejected`
const LEGACY_CONN = `ts=NUMBER uid=NOTSPACE ${ENDPOINTS} proto=WORD service duration=NUMBER orig_bytes=NUMBER
  resp_bytes=NUMBER conn_state local_orig missed_bytes history orig_pkts orig_ip_bytes resp_pkts resp_ip_bytes
  tunnel_parents`
const LEGACY_FILES = `ts=NUMBER fuid=NOTSPACE tx_hosts=IP rx_hosts=IP conn_uids=NOTSPACE source depth analyzers mime_type
  filename duration local_orig is_orig seen_bytes total_bytes missing_bytes overflow_bytes timedout parent_fuid md5 sha1
  sha256 extracted`

type Column = string

const always = (pattern: string): Column => pattern
/** A value or a dash. */
const maybe = (type: string, field: string): Column => orDash(`%{${type}:${field}}`)
const whole = (field: string): Column => maybe('INT', `${field}:int`)

/** The ECS columns under one of the two product names. They differ only in two helper patterns and a few columns. */
function ecsTables(brand: 'BRO' | 'ZEEK'): Record<'http' | 'dns' | 'conn' | 'files', string> {
  const isNew = brand === 'ZEEK'
  const data = (field: string): Column => maybe(`${brand}_DATA`, field)
  const flag = (field: string): Column => maybe(`${brand}_BOOL`, field)
  const onlyNew = (...columns: Column[]): Column[] => (isNew ? columns : [])
  const onlyOld = (...columns: Column[]): Column[] => (isNew ? [] : columns)
  const time = always('%{NUMBER:timestamp}')
  const session = [time, '%{NOTSPACE:[zeek][session_id]}']
  const side = (name: string): Column[] => [`%{IP:[${name}][ip]}`, `%{INT:[${name}][port]:int}`]
  const ends = [...session, ...side('source'), ...side('destination')]
  const emptyOr = (field: string): Column => `(?:\\(empty\\)|%{${brand}_DATA:${field}})`

  const http = [
    ...[...ends, '%{INT:[zeek][http][trans_depth]:int}', maybe('WORD', '[http][request][method]')],
    ...[data('[url][domain]'), data('[url][original]'), data('[http][request][referrer]')],
    ...onlyNew(maybe('NUMBER', '[http][version]')),
    data('[user_agent][original]'),
    ...onlyNew(data('[zeek][http][origin]')),
    ...['request', 'response'].map((half) => maybe('NUMBER', `[http][${half}][body][bytes]:int`)),
    ...[maybe('POSINT', '[http][response][status_code]:int'), maybe('DATA', '[zeek][http][status_msg]')],
    ...[maybe('POSINT', '[zeek][http][info_code]:int'), maybe('DATA', '[zeek][http][info_msg]')],
    ...onlyOld(data('[zeek][http][filename]')),
    ...[emptyOr('[zeek][http][tags]'), data('[url][username]'), data('[url][password]'), data('[zeek][http][proxied]')],
    data('[zeek][http][orig_fuids]'),
    ...onlyNew(data('[zeek][http][orig_filenames]')),
    ...[data('[http][request][mime_type]'), data('[zeek][http][resp_fuids]')],
    ...onlyNew(data('[zeek][http][resp_filenames]')),
    data('[http][response][mime_type]'),
  ]
  const dnsFlag = (name: string) => (isNew ? `%{ZEEK_BOOL:[zeek][dns][${name}]}` : flag(`[zeek][dns][${name}]`))
  const dns = [
    ...[...ends, '%{WORD:[network][transport]}', whole('[dns][id]')],
    ...onlyNew(maybe('NUMBER', '[zeek][dns][rtt]:float')),
    ...[data('[dns][question][name]'), whole('[zeek][dns][qclass]'), data('[zeek][dns][qclass_name]')],
    ...[whole('[zeek][dns][qtype]'), data('[dns][question][type]'), whole('[zeek][dns][rcode]')],
    ...[data('[dns][response_code]'), ...['AA', 'TC', 'RD', 'RA'].map(dnsFlag)],
    isNew ? '%{NONNEGINT:[zeek][dns][Z]:int}' : maybe('NONNEGINT', '[zeek][dns][Z]:int'),
    ...[data('[zeek][dns][answers]'), maybe('DATA', '[zeek][dns][TTLs]'), flag('[zeek][dns][rejected]')],
  ]
  const localResponse = flag('[zeek][connection][local_resp]')
  const conn = [
    ...[...ends, '%{WORD:[network][transport]}', data('[network][protocol]')],
    maybe('NUMBER', '[zeek][connection][duration]:float'),
    ...[whole('[zeek][connection][orig_bytes]'), whole('[zeek][connection][resp_bytes]')],
    ...[data('[zeek][connection][state]'), flag('[zeek][connection][local_orig]')],
    // Old files may lack this column, so its tab is part of the optional group.
    ...(isNew
      ? [localResponse, whole('[zeek][connection][missed_bytes]')]
      : [`(?:${localResponse}\\t)?${whole('[zeek][connection][missed_bytes]')}`]),
    data('[zeek][connection][history]'),
    ...['source', 'destination'].flatMap((name) => [whole(`[${name}][packets]`), whole(`[${name}][bytes]`)]),
    isNew ? data('[zeek][connection][tunnel_parents]') : emptyOr('[zeek][connection][tunnel_parents]'),
  ]
  const macs = ['source', 'destination'].map((name) => `\\t${maybe('COMMONMAC', `[${name}][mac]`)}`).join('')
  const files = [
    ...[time, '%{NOTSPACE:[zeek][files][fuid]}'],
    ...(isNew
      ? ['%{ZEEK_FILES_TX_HOSTS}', '%{ZEEK_FILES_RX_HOSTS}']
      : [maybe('IP', '[server][ip]'), maybe('IP', '[client][ip]')]),
    ...[data('[zeek][files][session_ids]'), data('[zeek][files][source]'), whole('[zeek][files][depth]')],
    ...[data('[zeek][files][analyzers]'), data('[file][mime_type]'), data('[file][name]')],
    ...[maybe('NUMBER', '[zeek][files][duration]:float'), data('[zeek][files][local_orig]')],
    ...[flag('[zeek][files][is_orig]'), whole('[zeek][files][seen_bytes]'), whole('[file][size]')],
    ...[whole('[zeek][files][missing_bytes]'), whole('[zeek][files][overflow_bytes]'), flag('[zeek][files][timedout]')],
    ...[data('[zeek][files][parent_fuid]'), ...['md5', 'sha1', 'sha256'].map((hash) => data(`[file][hash][${hash}]`))],
    data('[zeek][files][extracted]'),
  ]
  const cut = `\\t${flag('[zeek][files][extracted_cutoff]')}\\t${whole('[zeek][files][extracted_size]')}`
  return {
    http: http.join('\\t'),
    dns: dns.join('\\t'),
    conn: conn.join('\\t') + (isNew ? `(?:${macs})?` : ''),
    files: files.join('\\t') + (isNew ? `(?:${cut})?` : ''),
  }
}

const bro = ecsTables('BRO')
const zeek = ecsTables('ZEEK')

/** One host, or several: the first is the host, and all of them are kept. */
const hosts = (side: string, role: string): string =>
  `(?:-|%{IP:[${role}][ip]})|(?<[zeek][files][${side}_hosts]>%{IP:[${role}][ip]}(?:[\\s,]%{IP})+)`

export const ZEEK: PatternTable = {
  BRO_BOOL: [undefined, '[TF]'],
  BRO_DATA: [undefined, '[^\\t]+'],
  BRO_HTTP: [legacyLine(LEGACY_HTTP), bro.http],
  BRO_DNS: [legacyLine(LEGACY_DNS), bro.dns],
  BRO_CONN: [legacyLine(LEGACY_CONN), bro.conn],
  BRO_FILES: [legacyLine(LEGACY_FILES), bro.files],
  ZEEK_BOOL: [undefined, '[TF]'],
  ZEEK_DATA: [undefined, '[^\\t]+'],
  ZEEK_HTTP: [undefined, zeek.http],
  ZEEK_DNS: [undefined, zeek.dns],
  ZEEK_CONN: [undefined, zeek.conn],
  ZEEK_FILES_TX_HOSTS: [undefined, hosts('tx', 'server')],
  ZEEK_FILES_RX_HOSTS: [undefined, hosts('rx', 'client')],
  ZEEK_FILES: [undefined, zeek.files],
}
