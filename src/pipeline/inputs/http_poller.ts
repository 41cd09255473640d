/** `http_poller`: requests URLs on a schedule and decodes the responses to events. */
import { STATUS_CODES } from 'node:http'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, toFieldValue } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { basicAuthorization, HTTP_CLIENT_OPTIONS, httpClient } from '../net/http-client-options.ts'
import type { HttpAnswer } from '../net/http-request.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { type ConfigHash, type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { scheduleOf, waitForTurn } from '../plugin/schedule.ts'

interface Request {
  readonly name: string
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

export const httpPoller = inputPlugin({
  name: 'http_poller',
  touches: 'network',
  options: {
    urls: option.hash({ required: true }),
    schedule: option.hash({ required: true }),
    codec: option.codec({ default: 'json' }),
    target: option.field(),
    metadata_target: option.string({ default: '@metadata' }),
    ...HTTP_CLIENT_OPTIONS,
  },
  create(options, context) {
    const requests = [...options.urls].map(([name, given]) => requestOf(name, given, basicAuthorization(options)))
    const turns = turnsOf(options.schedule)
    const client = httpClient(options)
    const stopping = new AbortController()
    const isEcs = context.ecs !== 'disabled'
    const setMetadata = (event: Event, request: Request, answer: HttpAnswer | undefined, tookMs: number) => {
      if (options.metadata_target === '') return
      const place = options.metadata_target.startsWith('[') ? options.metadata_target : `[${options.metadata_target}]`
      for (const [where, value] of (isEcs ? ecsMetadata : classicMetadata)(request, answer, tookMs)) {
        event.set(place + where, toFieldValue(value))
      }
    }
    const ask = async (request: Request): Promise<Event[]> => {
      const startMs = performance.now()
      const { url, method, headers, body } = request
      try {
        const answer = await client.send({ method, url, headers, body, timeoutMs: options.request_timeout * 1000 })
        const decoder = options.codec.createDecoder()
        const events: Event[] = []
        decoder.decode(Buffer.from(answer.text), events)
        decoder.flush(events)
        const tookMs = performance.now() - startMs
        const made = options.target === undefined ? events : events.map((event) => below(event, options.target!))
        for (const event of made) setMetadata(event, request, answer, tookMs)
        return made
      } catch (error) {
        context.log.error(`Cannot read from ${url.href}: ${(error as Error).message}`)
        const event = Event.ofFields(new Fields(), new Timestamp(context.clock.nowMs()))
        event.tag('_http_request_failure')
        const tookMs = performance.now() - startMs
        setMetadata(event, request, undefined, tookMs)
        for (const [where, value] of (isEcs ? ecsFailure : classicFailure)(request, error as Error, tookMs)) {
          event.set(where, toFieldValue(value))
        }
        return [event]
      }
    }
    return {
      async run(sink) {
        while (await turns(stopping.signal)) {
          await Promise.all(requests.map(async (request) => sink.push(await ask(request))))
        }
      },
      stop: () => stopping.abort(),
      async close() {
        client.close()
      },
    }
  },
})

type Placed = readonly (readonly [field: string, value: unknown])[]

const describeRequest = ({ method, url, headers }: Request) => ({ method, url: url.href, headers })

function classicMetadata(request: Request, answer: HttpAnswer | undefined, tookMs: number): Placed {
  const asked: Placed = [
    ['[name]', request.name],
    ['[host]', hostname()],
    ['[url]', request.url.href],
    ['[request]', describeRequest(request)],
    ['[runtime_seconds]', tookMs / 1000],
  ]
  if (answer === undefined) return asked
  return [
    ...asked,
    ['[code]', answer.status],
    ['[response_headers]', answer.headers],
    ['[response_message]', STATUS_CODES[answer.status] ?? ''],
    ['[times_retried]', 0],
  ]
}

/** Metadata avoids the fields that the response itself may have. */
function ecsMetadata(request: Request, answer: HttpAnswer | undefined, tookMs: number): Placed {
  const place = '[input][http_poller]'
  const asked: Placed = [
    [`${place}[request][host][hostname]`, hostname()],
    [`${place}[response][elapsed_time_ns]`, Math.floor(tookMs * 1e6)],
    [`${place}[request][name]`, request.name],
    [`${place}[request][original]`, describeRequest(request)],
  ]
  if (answer === undefined) return asked
  return [
    ...asked,
    [`${place}[response][status_code]`, answer.status],
    [`${place}[response][headers]`, answer.headers],
    [`${place}[response][status_message]`, STATUS_CODES[answer.status] ?? ''],
    [`${place}[request][retry_count]`, 0],
  ]
}

function classicFailure(request: Request, { message }: Error, tookMs: number): Placed {
  return [
    ['[http_request_failure][request]', describeRequest(request)],
    ['[http_request_failure][name]', request.name],
    ['[http_request_failure][runtime_seconds]', tookMs / 1000],
    ['[http_request_failure][error]', message],
  ]
}

function ecsFailure({ url, method }: Request, { message }: Error, tookMs: number): Placed {
  return [
    ['[url][full]', url.href],
    ['[http][request][method]', method.toLowerCase()],
    ['[host][hostname]', hostname()],
    ['[event][duration]', Math.floor(tookMs * 1e6)],
    ['[error][message]', message],
  ]
}

/** Moves all fields of the event below one field. */
function below(event: Event, target: string): Event {
  const made = Event.ofFields(new Fields(), event.timestamp ?? new Timestamp(Date.now()))
  const { '@timestamp': _time, '@version': _version, ...fields } = event.fields
  made.set(target, Object.assign(new Fields(), fields) as FieldValue)
  return made
}

function requestOf(name: string, given: ConfigValue, authorization: Record<string, string>): Request {
  const spec: ConfigHash = typeof given === 'object' && !Array.isArray(given) ? given : { url: given }
  const address = String(spec['url'] ?? '')
  if (!URL.canParse(address))
    throw new PluginOptionError(`urls: "${name}" has no address that can be asked: ${address}`)
  const user = spec['user'] === undefined ? undefined : String(spec['user'])
  const own = user === undefined ? {} : basicAuthorization({ user, password: String(spec['password'] ?? '') })
  const headers: Record<string, string> = { ...authorization, ...own }
  for (const [header, value] of Object.entries((spec['headers'] as ConfigHash | undefined) ?? {})) {
    headers[header.toLowerCase()] = String(value)
  }
  const body = spec['body'] === undefined ? undefined : String(spec['body'])
  return { name, url: new URL(address), method: String(spec['method'] ?? 'get').toUpperCase(), headers, body }
}

/** Waits for the next scheduled time; false if there is none. */
function turnsOf(schedule: ReadonlyMap<string, ConfigValue>): (signal: AbortSignal) => Promise<boolean> {
  const [kind, value] = [...schedule][0] ?? []
  if (schedule.size !== 1 || !['cron', 'every', 'in', 'at'].includes(kind!)) {
    throw new PluginOptionError('schedule must be a hash with one of the keys cron, every, at or in')
  }
  if (kind === 'cron') {
    const cron = scheduleOf(String(value))!
    return (signal) => waitForTurn(cron, signal)
  }
  let turn = 0
  const wait = async (ms: number, signal: AbortSignal) => {
    await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {})
    return !signal.aborted
  }
  if (kind === 'every') {
    const everyMs = spanMs(String(value))
    return (signal) => wait(turn++ === 0 ? 0 : everyMs, signal)
  }
  const atMs = kind === 'in' ? Date.now() + spanMs(String(value)) : Date.parse(String(value))
  if (Number.isNaN(atMs)) throw new PluginOptionError(`schedule: "${String(value)}" is no time`)
  return async (signal) => turn++ === 0 && wait(atMs - Date.now(), signal)
}

/** Parses `1h30m`, `5s`. */
function spanMs(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([smhdw])/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new PluginOptionError(`schedule: "${text}" is no span of time; write 30s, 5m or 1h30m`)
  }
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit!]! * 1000, 0)
}
