/** Reads the `Authorization` header. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'apiKey'; readonly id: string; readonly secret: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** A known scheme with invalid content. */
  | { readonly kind: 'malformed'; readonly scheme: 'basic' | 'apiKey'; readonly problem: string }

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export function readCredentials(header: string | undefined): Credentials {
  const match = /^([A-Za-z]+)(?:\s+(.*))?$/s.exec(header?.trim() ?? '')
  if (match === null) return NONE
  const content = (match[2] ?? '').trim()
  switch (match[1]!.toLowerCase()) {
    case 'basic':
      return readBasic(content)
    case 'apikey':
      return readApiKey(content)
    case 'bearer':
      return content === '' ? NONE : { kind: 'bearer', token: content }
    default:
      return NONE
  }
}

const NONE: Credentials = { kind: 'none' }

function readBasic(content: string): Credentials {
  const malformed = (problem: string): Credentials => ({ kind: 'malformed', scheme: 'basic', problem })
  if (content === '') return malformed('invalid basic authentication header value')
  const text = decode(content)
  if (text === undefined) return malformed('invalid basic authentication header encoding')
  const colon = text.indexOf(':')
  if (colon < 0) return malformed('invalid basic authentication header value')
  return { kind: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function readApiKey(content: string): Credentials {
  const malformed = (problem: string): Credentials => ({ kind: 'malformed', scheme: 'apiKey', problem })
  const text = decode(content)
  if (text === undefined) return malformed(decoderComplaint(content))
  const colon = text.indexOf(':')
  if (colon <= 0) return malformed('invalid ApiKey value')
  return { kind: 'apiKey', id: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** Decodes standard base64; undefined for anything else. */
function decode(content: string): string | undefined {
  if (!BASE64.test(content) || content.replace(/=+$/, '').length % 4 === 1) return undefined
  const text = Buffer.from(content, 'base64').toString('utf8')
  return text.includes('\u0000') ? undefined : text
}

/** The error message of Java's decoder. */
function decoderComplaint(content: string): string {
  const at = content.search(/[^A-Za-z0-9+/=]/)
  if (at >= 0) return `Illegal base64 character ${content.charCodeAt(at).toString(16)}`
  if (/=[^=]/.test(content)) return `Input byte array has incorrect ending byte at ${content.indexOf('=') + 1}`
  return 'Last unit does not have enough valid bits'
}
