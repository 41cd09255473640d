/** `rest`: calls a service for each event and stores its response. */
import type { Event } from '../event/event.ts'
import { type Fields, type FieldValue, isFields, toFieldValue } from '../event/fields.ts'
import { jsonText, parseJson } from '../event/json-text.ts'
import { basicAuthorization, HTTP_CLIENT_OPTIONS, httpClient } from '../net/http-client-options.ts'
import type { HttpAnswer } from '../net/http-request.ts'
import { expandValue } from '../plugin/expand-value.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export const rest = filterPlugin({
  name: 'rest',
  touches: 'network',
  options: {
    request: option.hash({ required: true }),
    json: option.boolean({ default: true }),
    sprintf: option.ignored('References to fields are always resolved.'),
    target: option.string({ required: true }),
    fallback: option.hash({ default: new Map<string, ConfigValue>() }),
    tag_on_rest_failure: option.strings({ default: ['_restfailure'] }),
    tag_on_json_failure: option.strings({ default: ['_jsonparsefailure'] }),
    ...HTTP_CLIENT_OPTIONS,
  },
  create(options, { log }) {
    const { json, target } = options
    if (target === '') throw new PluginOptionError('target config string is empty, please set a valid field name')
    const request = readRequest(options.request)
    const client = httpClient(options)
    const place = /^\[.*\]$/.test(target) ? target : `[${target}]`
    const fallback = options.fallback.size === 0 ? undefined : (toFieldValue(options.fallback) as Fields)

    const ask = (event: Event): Promise<HttpAnswer> => {
      const url = new URL(event.expand(request.url))
      const params = request.params === undefined ? undefined : expandValue(request.params, event)
      const headers: Record<string, string> = { ...basicAuthorization(request.auth ?? options) }
      for (const [name, value] of Object.entries(request.headers))
        headers[name.toLowerCase()] = event.expand(String(value))
      let body: string | undefined
      if (request.method === 'POST') {
        const given = params ?? (request.body === undefined ? undefined : expandValue(request.body, event))
        if (given !== undefined)
          body = json || typeof given === 'object' ? jsonText(toFieldValue(given)) : String(given)
        if (body !== undefined) headers['content-type'] ??= json ? 'application/json' : 'text/plain'
      } else if (params !== undefined) {
        for (const [name, value] of Object.entries(params as Record<string, unknown>))
          url.searchParams.append(name, String(value))
      }
      return client.send({ method: request.method, url, headers, body, timeoutMs: options.request_timeout * 1000 })
    }

    const fail = (event: Event, tags: readonly string[]): void => {
      if (fallback !== undefined) event.set(place, toFieldValue(options.fallback))
      else for (const tag of tags) event.tag(tag)
    }

    const take = (event: Event, text: string): void => {
      if (!json) {
        event.set(place, text.trim())
        return
      }
      let value: FieldValue
      try {
        value = parseJson(text)
      } catch {
        if (fallback === undefined) log.warn(`The response of ${request.url} is no JSON`)
        fail(event, options.tag_on_json_failure)
        return
      }
      if (isEmpty(value)) {
        log.warn(`The response of ${request.url} is empty`)
        for (const tag of options.tag_on_rest_failure) event.tag(tag)
      } else event.set(place, value)
    }

    return {
      async filter(event) {
        let problem: string
        try {
          const answer = await ask(event)
          if (answer.status >= 200 && answer.status < 300) {
            take(event, answer.text)
            return true
          }
          problem = `answered ${answer.status}`
        } catch (error) {
          problem = (error as Error).message
        }
        if (fallback === undefined) log.error(`error in rest filter: ${event.expand(request.url)}: ${problem}`)
        fail(event, options.tag_on_rest_failure)
        return true
      },
      async close() {
        client.close()
      },
    }
  },
})

interface RestRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, unknown>>
  readonly params: ConfigValue | undefined
  readonly body: ConfigValue | undefined
  readonly auth: { readonly user: string; readonly password: string } | undefined
}

const KEYS = ['url', 'method', 'headers', 'params', 'body', 'auth']

function readRequest(request: ReadonlyMap<string, ConfigValue>): RestRequest {
  const url = request.get('url')
  if (typeof url !== 'string') throw new PluginOptionError('No URL provided for request!')
  const unknown = [...request.keys()].filter((key) => !KEYS.includes(key))
  if (unknown.length > 0)
    throw new PluginOptionError(`request has no setting ${unknown.join(', ')}; it has ${KEYS.join(', ')}`)
  const method = String(request.get('method') ?? 'get').toUpperCase()
  if (method !== 'GET' && method !== 'POST')
    throw new PluginOptionError(`Not supported request method ${method.toLowerCase()}`)
  const auth = request.get('auth') as Record<string, string> | undefined
  if (auth !== undefined) {
    for (const name of ['user', 'password'])
      if (auth[name] === undefined) throw new PluginOptionError(`Auth was specified, but '${name}' was not!`)
  }
  return {
    url,
    method,
    headers: (request.get('headers') as Record<string, unknown> | undefined) ?? {},
    params: request.get('params'),
    body: request.get('body'),
    auth: auth === undefined ? undefined : { user: String(auth['user']), password: String(auth['password']) },
  }
}

function isEmpty(value: FieldValue): boolean {
  if (Array.isArray(value) || typeof value === 'string') return value.length === 0
  return value === null || (isFields(value) && Object.keys(value).length === 0)
}
