/**
 * Distinguished names as Elasticsearch prints and compares them: `CN=ann, OU=search, O=Example`, the most specific
 * attribute first, with the keywords and quotes of Java's `X500Principal.toString()`.
 */
import { type DerValue, derText, derValues, dottedIdentifier } from './der-reader.ts'

const KEYWORDS: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SURNAME',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'T',
  '2.5.4.42': 'GIVENNAME',
  '2.5.4.43': 'INITIALS',
  '2.5.4.44': 'GENERATION',
  '2.5.4.46': 'DNQ',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'EMAILADDRESS',
}

/** `[0]`, which precedes the serial number in certificates with extensions. */
const VERSION_TAG = 0xa0
/** The members between version and subject: serial number, algorithm, issuer and validity. */
const MEMBERS_BEFORE_SUBJECT = 4

/** The subject of a certificate in DER. */
export function subjectName(certificate: Buffer): string {
  const [signed] = derValues(derValues(certificate)[0]!.content)
  const members = derValues(signed!.content)
  const subject = members[(members[0]!.tag === VERSION_TAG ? 1 : 0) + MEMBERS_BEFORE_SUBJECT]!
  return derValues(subject.content)
    .map(({ content }) => derValues(content).map(printAttribute).join(' + '))
    .reverse()
    .join(', ')
}

function printAttribute({ content }: DerValue): string {
  const [type, value] = derValues(content) as [DerValue, DerValue]
  const identifier = dottedIdentifier(type.content)
  return `${KEYWORDS[identifier] ?? `OID.${identifier}`}=${printValue(value)}`
}

const NEEDS_QUOTES = /[,+=\n<>#;\\"]|^ | $| {2}/

function printValue(value: DerValue): string {
  const text = derText(value)
  if (text === undefined) return `#${value.content.toString('hex')}`
  return NEEDS_QUOTES.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text
}

/**
 * The form in which names are compared: lower case, without the spaces that mean nothing, attributes of one part in
 * order. Undefined if the text is no distinguished name.
 */
export function normalizeName(name: string): string | undefined {
  const parts = splitName(name)
  if (parts === undefined) return undefined
  return parts.map((attributes) => attributes.sort().join('+')).join(',')
}

/** An attribute up to its end: a quoted or a plain value. */
const ATTRIBUTE = /\s*([\w.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^,;+"\\]|\\.)*?))\s*([,;+]|$)/suy

function splitName(name: string): string[][] | undefined {
  const parts: string[][] = [[]]
  ATTRIBUTE.lastIndex = 0
  for (let separator = ','; separator !== ''; ) {
    const match = ATTRIBUTE.exec(name)
    if (match === null) return undefined
    const [, type, quoted, plain, next] = match as unknown as [string, string, string?, string?, string?]
    parts.at(-1)!.push(`${type.toLowerCase()}=${normalizeValue(quoted ?? plain ?? '')}`)
    if (next !== '+') parts.push([])
    separator = next ?? ''
  }
  return parts.slice(0, -1)
}

function normalizeValue(value: string): string {
  const text = value.replace(/\\([\da-f]{2})|\\(.)/gis, (_, hex: string | undefined, character: string) =>
    hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const plain = text.trim().replace(/\s+/g, ' ').toLowerCase()
  return plain.replace(/[,+=<>#;\\"]/g, '\\$&')
}
