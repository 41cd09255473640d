/** Encodes a mail: headers in ASCII, texts as base64, and several parts if needed. */
import { randomUUID } from 'node:crypto'

export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface Mail {
  readonly from: string
  readonly to: string
  readonly cc?: string | undefined
  readonly replyTo?: string | undefined
  readonly subject: string
  readonly body: string
  readonly contentType: string
  readonly htmlBody: string
  readonly attachments: readonly Attachment[]
  readonly dateMs: number
  readonly domain: string
}

export function mailText(mail: Mail): string {
  const headers: [string, string | undefined][] = [
    ['Date', new Date(mail.dateMs).toUTCString().replace('GMT', '+0000')],
    ['From', mail.from],
    ['Reply-To', mail.replyTo],
    ['To', mail.to],
    ['Cc', mail.cc],
    ['Message-ID', `<${randomUUID()}@${mail.domain}>`],
    ['Subject', mail.subject],
    ['MIME-Version', '1.0'],
  ]
  const head = headers
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${headerText(value!)}`)
  return `${head.join('\r\n')}\r\n${bodyPart(mail)}`
}

function bodyPart({ body, contentType, htmlBody, attachments }: Mail): string {
  const texts = [
    ...(body !== '' || htmlBody === ''
      ? [part(htmlBody === '' ? contentType : 'text/plain; charset=UTF-8', body)]
      : []),
    ...(htmlBody === '' ? [] : [part('text/html; charset=UTF-8', htmlBody)]),
  ]
  const text = texts.length === 1 ? texts[0]! : multipart('alternative', texts)
  if (attachments.length === 0) return text
  return multipart('mixed', [text, ...attachments.map(attachmentPart)])
}

function part(type: string, text: string): string {
  return `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(Buffer.from(text))}`
}

function attachmentPart({ name, bytes }: Attachment): string {
  const quoted = headerText(name).replaceAll('"', '')
  const head = `Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${quoted}"`
  return `${head}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(Buffer.from(bytes))}`
}

function multipart(kind: string, parts: readonly string[]): string {
  const boundary = `=_${randomUUID()}`
  const inner = parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('')
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${inner}--${boundary}--`
}

function base64Lines(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
}

/**
 * Encodes a header value. A line break would start a header of an attacker's choice. Non-ASCII text is encoded (RFC
 * 2047).
 */
function headerText(value: string): string {
  const line = value.replaceAll(/[\r\n]+/g, ' ')
  if (/^[\x20-\x7e]*$/.test(line)) return line
  const words = line.match(/.{1,15}/gsu) ?? []
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}

/** Extracts the bare addresses of `Ann <ann@example.com>, bob@example.com`. */
export function addressesOf(list: string): string[] {
  return list
    .split(/[,;]/)
    .map((one) => (/<([^<>]*)>/.exec(one)?.[1] ?? one).replaceAll(/[\s<>]/g, ''))
    .filter((address) => address !== '')
}
