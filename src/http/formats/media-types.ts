/**
 * Content negotiation: the format of a body, the format of its response, and the accepted client versions.
 *
 * Official clients send their major version in `compatible-with`. Elasticsearch 8 accepts 7 and 8. We also accept 9,
 * because that client sends the same requests, unless `strict` requires Elasticsearch's behaviour.
 */
import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { invalidMediaType, invalidMediaTypeHeader, mediaTypeStatus } from '../../base/errors/http-errors.ts'

export type Format = 'json' | 'yaml' | 'cbor' | 'smile'

export interface MediaType {
  /** Lower case, without parameters. */
  readonly name: string
  /** `;charset=utf-8`, written without spaces; empty if there are none. */
  readonly parameters: string
  readonly compatibleWith: string | undefined
  readonly text: string
}

export interface Negotiated {
  /** The format of the request's body; undefined if the type is unknown, which matters only if there is a body. */
  readonly bodyFormat: Format | undefined
  /** The explicitly requested format. Without one, cat tables are text. */
  readonly accepted: Format | undefined
  /** The client asks for compatibility with Elasticsearch 7, where documents have a `_type`. */
  readonly addsTypes: boolean
  /** The content type of a response in a format, with echoed parameters. */
  answerType(format: Format): string
}

const FORMATS: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'application/*': 'json',
  'application/x-ndjson': 'json',
  'application/vnd.elasticsearch+json': 'json',
  'application/vnd.elasticsearch+x-ndjson': 'json',
  'application/yaml': 'yaml',
  'application/vnd.elasticsearch+yaml': 'yaml',
  'application/cbor': 'cbor',
  'application/vnd.elasticsearch+cbor': 'cbor',
  'application/smile': 'smile',
  'application/vnd.elasticsearch+smile': 'smile',
}

/** Supported major versions, newest last. */
const MAJORS_STRICT = ['7', '8']
const MAJORS = ['7', '8', '9']

/** Cached by header values, because a client sends the same headers with every request. */
const agreed = new Map<string, Negotiated>()
const AGREED_MAX = 100

interface LastNegotiated {
  readonly contentType: string | undefined
  readonly accept: string | undefined
  readonly hasBody: boolean
  readonly strict: boolean
  readonly negotiated: Negotiated
}

/** To compare the headers with the last ones costs less than to make and hash a key. */
let last: LastNegotiated | undefined

export function negotiate(
  contentType: string | undefined,
  accept: string | undefined,
  options: { hasBody: boolean; strict: boolean },
): Negotiated {
  const { hasBody, strict } = options
  if (last !== undefined && last.contentType === contentType && last.accept === accept)
    if (last.hasBody === hasBody && last.strict === strict) return last.negotiated
  const fresh = knownOrNegotiated(contentType, accept, options)
  last = { contentType, accept, hasBody, strict, negotiated: fresh }
  return fresh
}

function knownOrNegotiated(
  contentType: string | undefined,
  accept: string | undefined,
  options: { hasBody: boolean; strict: boolean },
): Negotiated {
  // A header value cannot contain a newline.
  const said = `${contentType ?? ''}\n${accept ?? ''}\n${options.hasBody}${options.strict}`
  const known = agreed.get(said)
  if (known !== undefined) return known
  const parsedAccept = parseHeader('Accept', accept)
  const parsedContentType = parseHeader('Content-Type', contentType)
  checkVersions(parsedAccept, parsedContentType, options)
  const fresh = negotiated(parsedContentType, parsedAccept)
  if (agreed.size >= AGREED_MAX) agreed.clear()
  agreed.set(said, fresh)
  return fresh
}

/** The format of a media type; undefined for unsupported types. */
export function formatOf(mediaType: string): Format | undefined {
  const name = mediaType.split(';', 1)[0]!.trim().toLowerCase()
  return FORMATS[name]
}

function negotiated(contentType: MediaType | undefined, accept: MediaType | undefined): Negotiated {
  const bodyFormat = contentType === undefined ? undefined : FORMATS[contentType.name]
  const accepted = accept === undefined || accept.name === 'application/*' ? undefined : FORMATS[accept.name]
  return {
    bodyFormat,
    accepted,
    addsTypes: (accept?.compatibleWith ?? contentType?.compatibleWith) === '7',
    answerType(format) {
      if (accept !== undefined && accept.name !== 'text/plain' && accept.name !== 'application/*') {
        return `${vendorOr(accept, format)}${accepted === undefined ? compatibleOnly(accept) : accept.parameters}`
      }
      return contentType === undefined ? `application/${format}` : vendorOr(contentType, format)
    },
  }
}

/** The response to a vendor type has that vendor type. */
function vendorOr(asked: MediaType, format: Format): string {
  const isVendor = asked.name.startsWith('application/vnd.elasticsearch+') && FORMATS[asked.name] !== undefined
  return isVendor ? `application/vnd.elasticsearch+${format}` : `application/${format}`
}

function compatibleOnly(type: MediaType): string {
  return type.compatibleWith === undefined ? '' : `;compatible-with=${type.compatibleWith}`
}

/** A list of types, or a wildcard for both parts, selects nothing definite and counts as absent. */
function parseHeader(header: 'Accept' | 'Content-Type', text: string | undefined): MediaType | undefined {
  if (text === undefined || text.trim() === '' || text === '*/*' || text.includes(',')) return undefined
  try {
    return parseMediaType(text)
  } catch (error) {
    throw invalidMediaTypeHeader(header, error as ApiError)
  }
}

function parseMediaType(text: string): MediaType {
  const [head, ...rest] = text.toLowerCase().split(';')
  const name = head!.trim()
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+\/[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw invalidMediaType(text)
  let parameters = ''
  let compatibleWith: string | undefined
  for (const part of rest) {
    const parameter = part.trim()
    if (parameter === '') continue
    const pair = /^([^\s=]+)=([^\s=]+)$/.exec(parameter)
    if (pair === null) throw illegalArgument(`invalid parameters for header [${text}]`)
    parameters += `;${pair[1]}=${pair[2]}`
    if (pair[1] === 'compatible-with') compatibleWith = pair[2]
  }
  return { name, parameters, compatibleWith, text }
}

function checkVersions(
  accept: MediaType | undefined,
  contentType: MediaType | undefined,
  { hasBody, strict }: { hasBody: boolean; strict: boolean },
): void {
  const acceptVersion = accept?.compatibleWith
  const contentVersion = contentType?.compatibleWith
  if (acceptVersion === undefined && contentVersion === undefined) return
  const majors = strict ? MAJORS_STRICT : MAJORS
  const complain = (reason: string) => invalidMediaTypeHeader('Accept, Content-Type', mediaTypeStatus(reason))
  const wrongMajor = (header: string, type: MediaType) =>
    complain(
      `${header} version must be either version ${[...majors].reverse().join(' or ')}, but found ` +
        `${type.compatibleWith}. ${header}=${type.text}`,
    )

  if (acceptVersion !== undefined && !majors.includes(acceptVersion)) throw wrongMajor('Accept', accept!)
  if (!hasBody) return
  if (contentVersion !== undefined && !majors.includes(contentVersion)) throw wrongMajor('Content-Type', contentType!)

  const both = `Accept=${accept?.text ?? null}, Content-Type=${contentType?.text ?? null}`
  const needed =
    'A compatible version is required on both Content-Type and Accept headers if either one has requested a'
  if ((acceptVersion ?? '8') !== (contentVersion ?? '8') && !isNewestAlone(acceptVersion, contentVersion)) {
    throw complain(`${needed} compatible version and the compatible versions must match. ${both}`)
  }
  if ((acceptVersion === undefined) !== (contentVersion === undefined)) {
    throw complain(`${needed} compatible version. ${both}`)
  }
}

/**
 * A header without a version means 8, so that version 9 in the other header would be a mismatch rather than an
 * omission.
 */
function isNewestAlone(acceptVersion: string | undefined, contentVersion: string | undefined): boolean {
  return (
    (acceptVersion === undefined && contentVersion === '9') || (contentVersion === undefined && acceptVersion === '9')
  )
}
