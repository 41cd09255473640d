/**
 * Finds the point in time or scroll of a request without parsing the request, because the thread that parses it needs
 * the context first.
 */
import type { IncomingRequest } from '../../http/dispatcher.ts'

/** Whether a request opens a scroll. */
export function opensScroll({ uri, body }: IncomingRequest): boolean {
  return uri.includes('scroll=') && /[?&]scroll=/.test(uri) && /\/_search\/?\?/.test(uri) && !body.includes('"pit"')
}

export const isScrollPage = ({ uri }: IncomingRequest): boolean => uri.startsWith('/_search/scroll')

/** Whether the body of a request, as Latin-1 text, may name a point in time. */
export const mayNamePointInTime = (text: string): boolean => text.includes('"pit"')

/** The id of the context that a request reads; undefined if none is recognized. */
export function contextIdOf({ method, uri, body }: IncomingRequest): string | undefined {
  if (method !== 'GET' && method !== 'POST') return undefined
  const text = body.toString('latin1')
  if (uri.startsWith('/_search/scroll')) return firstGroup(SCROLL_IN_BODY, text) ?? firstGroup(SCROLL_IN_URI, uri)
  if (!/\/_search\/?(?:\?|$)/.test(uri)) return undefined
  return firstGroup(PIT_IN_BODY, text)
}

const SCROLL_IN_BODY = /"scroll_id"\s*:\s*"([\w-]+)"/
const SCROLL_IN_URI = /^\/_search\/scroll(?:\/|.*[?&]scroll_id=)([\w-]+)/
const PIT_IN_BODY = /"pit"\s*:\s*\{[^{}]*"id"\s*:\s*"([\w-]+)"/

const firstGroup = (pattern: RegExp, text: string) => pattern.exec(text)?.[1]
