/** Sends requests to the service that served this page, and tracks whether it responds. */
import { signal } from '@preact/signals'
import { type Json, parseJson, writeJson } from './lossless-json.ts'

export interface ApiRequest {
  readonly method: string
  /** Path and query, with a leading slash. */
  readonly path: string
  /** JSON, or text that is sent unchanged (as NDJSON if it has several lines). */
  readonly body?: Json | string | undefined
}

export interface ApiAnswer {
  readonly status: number
  readonly ok: boolean
  /** The time from sending to the last byte. */
  readonly ms: number
  readonly bytes: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
  /** Undefined if the response is not JSON. */
  readonly json: Json
}

/** A response with a status of 400 or more. */
export class ApiFault extends Error {
  readonly answer: ApiAnswer
  readonly request: ApiRequest

  constructor(request: ApiRequest, answer: ApiAnswer) {
    super(reasonOf(answer))
    this.request = request
    this.answer = answer
  }
}

/** The service did not respond. */
export class NoAnswer extends Error {}

export interface Connection {
  readonly state: 'up' | 'down'
  /** The time of the last response. */
  readonly lastAnswerMs: number
}

export const connection = signal<Connection>({ state: 'up', lastAnswerMs: Date.now() })
/** True if the service requires credentials that this browser has not sent. */
export const needsSignIn = signal(false)

/** Sends a request and returns the response, whatever its status. */
export async function send(request: ApiRequest, abort?: AbortSignal): Promise<ApiAnswer> {
  const startedMs = performance.now()
  const { method, path, body } = request
  const text = body === undefined ? undefined : typeof body === 'string' ? body : writeJson(body)
  const isLines = typeof body === 'string' && /_bulk|_msearch/.test(path)
  let response: Response
  let answered: string
  try {
    response = await fetch(path, {
      // Browsers send no body with GET. The API accepts the same requests as POST.
      method: method === 'GET' && text !== undefined && text !== '' ? 'POST' : method,
      headers: {
        accept: 'application/json, text/plain, */*;q=0.5',
        'x-opaque-id': 'console',
        ...(text === undefined ? {} : { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' }),
        ...authorization(),
      },
      ...(text === undefined ? {} : { body: text }),
      ...(abort === undefined ? {} : { signal: abort }),
      // With its own credentials the browser would show its own password dialog.
      credentials: 'omit',
      cache: 'no-store',
      // Requests that close something are sent even while the page is being closed.
      keepalive: method === 'DELETE',
    })
    answered = await response.text()
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    if (connection.value.state === 'up') connection.value = { ...connection.value, state: 'down' }
    throw new NoAnswer(`No answer from ${location.host}`)
  }
  connection.value = { state: 'up', lastAnswerMs: Date.now() }
  if (response.status === 401) needsSignIn.value = true
  return {
    status: response.status,
    ok: response.ok,
    ms: performance.now() - startedMs,
    bytes: new Blob([answered]).size,
    headers: [...response.headers.entries()],
    text: answered,
    json: /json/.test(response.headers.get('content-type') ?? '') ? parsed(answered) : undefined,
  }
}

/** The JSON of a successful response. Throws the error of others. */
export async function call<T = Json>(method: string, path: string, body?: Json, abort?: AbortSignal): Promise<T> {
  const request = { method, path, body }
  const answer = await send(request, abort)
  if (!answer.ok) throw new ApiFault(request, answer)
  return answer.json as T
}

function parsed(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

interface ErrorBody {
  readonly error?: { readonly reason?: string; readonly type?: string } | string
}

export function reasonOf({ json, status }: ApiAnswer): string {
  const { error } = (json ?? {}) as ErrorBody
  if (typeof error === 'string') return error
  return error?.reason ?? error?.type ?? `status ${status}`
}

// --- signing in ---

const KEY = 'sandpiper.authorization'

/** The authorization header of the signed-in user, kept for this tab only. */
function authorization(): Record<string, string> {
  const value = sessionStorage.getItem(KEY)
  return value === null ? {} : { authorization: value }
}

export function setAuthorization(value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, value)
  needsSignIn.value = false
}

export function isSignedIn(): boolean {
  return sessionStorage.getItem(KEY) !== null
}

/** The authorization header of a user with a password. Both may contain any character, so they are encoded as UTF-8. */
export function basic(user: string, password: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`
}

/** Replaces the password of the signed-in user after it was changed. */
export function renewPassword(user: string, password: string): void {
  if (sessionStorage.getItem(KEY)?.startsWith('Basic ') === true) setAuthorization(basic(user, password))
}

/** A name as a path segment. */
export function segment(name: string): string {
  return encodeURIComponent(name).replaceAll('%2C', ',').replaceAll('%2A', '*').replaceAll('%3A', ':')
}
