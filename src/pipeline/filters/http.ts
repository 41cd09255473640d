/** `http`: sends a request for each event and stores the response. */
import type { Event } from '../event/event.ts'
import { Fields, type FieldValue, toFieldValue } from '../event/fields.ts'
import { jsonText, parseJson } from '../event/json-text.ts'
import { basicAuthorization, HTTP_CLIENT_OPTIONS, httpClient } from '../net/http-client-options.ts'
import type { HttpAnswer } from '../net/http-request.ts'
import { expandValue } from '../plugin/expand-value.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export const http = filterPlugin({
  name: 'http',
  touches: 'network',
  options: {
    url: option.string({ required: true }),
    verb: option.words(['GET', 'HEAD', 'PATCH', 'DELETE', 'POST', 'PUT'], { default: 'GET' }),
    body: option.any(),
    body_format: option.words(['text', 'json'], { default: 'text' }),
    headers: option.hash(),
    query: option.hash(),
    target_body: option.field(),
    target_headers: option.field(),
    tag_on_request_failure: option.strings({ default: ['_httprequestfailure'] }),
    tag_on_json_failure: option.strings({ default: ['_jsonparsefailure'] }),
    ...HTTP_CLIENT_OPTIONS,
  },
  create(options, { ecs, log }) {
    const { verb, body, body_format: format, target_body: givenBody, target_headers: givenHeaders } = options
    const isClassic = ecs === 'disabled'
    if (!isClassic && givenBody === undefined) {
      throw new PluginOptionError(
        `target_body is needed because ecs_compatibility is ${ecs}: write, for example, target_body => "[@metadata][body]"`,
      )
    }
    const headersField = givenHeaders ?? (isClassic ? '[headers]' : '[@metadata][filter][http][response][headers]')
    if (format === 'text' && typeof body === 'object') {
      throw new PluginOptionError('`body` must be a text unless body_format is "json"')
    }
    const client = httpClient(options)
    const authorization = basicAuthorization(options)

    const ask = (event: Event): Promise<HttpAnswer> => {
      const url = new URL(event.expand(options.url))
      for (const [name, value] of options.query ?? []) url.searchParams.append(name, event.expand(String(value)))
      const headers: Record<string, string> = { ...authorization }
      if (body !== undefined) headers['content-type'] = format === 'json' ? 'application/json' : 'text/plain'
      for (const [name, value] of options.headers ?? []) headers[name.toLowerCase()] = event.expand(String(value))
      const text = body === undefined ? undefined : bodyText(expandValue(body, event), format)
      return client.send({ method: verb, url, headers, body: text, timeoutMs: options.request_timeout * 1000 })
    }
    const take = (event: Event, { headers, text }: HttpAnswer): void => {
      event.set(headersField, headerFields(headers))
      if (verb === 'HEAD') return
      const target = givenBody ?? 'body'
      if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
        event.set(target, text.trim())
        return
      }
      try {
        event.set(target, parseJson(text))
      } catch (error) {
        log.warn(`The answer of ${options.url} is no JSON: ${(error as Error).message}`)
        for (const tag of options.tag_on_json_failure) event.tag(tag)
      }
    }
    return {
      async filter(event) {
        let problem: string
        try {
          const answer = await ask(event)
          if (answer.status >= 200 && answer.status < 300) {
            take(event, answer)
            return true
          }
          problem = `answered ${answer.status}`
        } catch (error) {
          problem = (error as Error).message
        }
        log.error(`error during HTTP request: ${event.expand(options.url)}: ${problem}`)
        for (const tag of options.tag_on_request_failure) event.tag(tag)
        return false
      },
      async close() {
        client.close()
      },
    }
  },
})

function bodyText(value: unknown, format: 'text' | 'json'): string {
  return format === 'text' ? String(value) : jsonText(toFieldValue(value))
}

function headerFields(headers: HttpAnswer['headers']): Fields {
  const fields = new Fields()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) fields[name] = value as FieldValue
  return fields
}
