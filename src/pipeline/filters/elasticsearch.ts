/** `elasticsearch`: searches for documents related to an event and copies their fields into it. */
import { readFileSync } from 'node:fs'
import { ElasticsearchConnection } from '../elasticsearch/connection.ts'
import { CONNECTION_OPTIONS, connectionSettings } from '../elasticsearch/connection-options.ts'
import type { Event } from '../event/event.ts'
import { fieldReference, referenceWithin } from '../event/field-reference.ts'
import { type Fields, type FieldValue, isFields } from '../event/fields.ts'
import { parseJson } from '../event/json-text.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const RETRYABLE = [429, 500, 502, 503, 504]

export const elasticsearch = filterPlugin({
  name: 'elasticsearch',
  touches: 'network',
  options: {
    ...CONNECTION_OPTIONS,
    index: option.string({ default: '' }),
    query: option.string(),
    query_template: option.path(),
    query_type: option.words(['dsl'], { default: 'dsl' }),
    /** The parent field for the targets of `fields`, `docinfo_fields` and `aggregation_fields`. */
    target: option.field(),
    sort: option.string({ default: '@timestamp:desc' }),
    enable_sort: option.boolean({ default: true }),
    result_size: option.number({ default: 1 }),
    fields: option.hash(),
    docinfo_fields: option.hash(),
    aggregation_fields: option.hash(),
    retry_on_failure: option.number({ default: 0 }),
    retry_on_status: option.array({ default: RETRYABLE }),
    tag_on_failure: option.strings({ default: ['_elasticsearch_lookup_failure'] }),
  },
  create(options, { log }) {
    if (options.query !== undefined && options.query_template !== undefined) {
      throw new PluginOptionError('Both `query` and `query_template` are set, please only use one of them')
    }
    const connection = new ElasticsearchConnection(connectionSettings(options), log)
    const template = options.query_template === undefined ? undefined : readFileSync(options.query_template, 'utf8')
    const retryable = new Set(options.retry_on_status.map(Number))

    const ask = async (event: Event): Promise<Fields> => {
      const index = event.expand(options.index)
      const path = index === '' ? '/_search' : `/${index.split(',').map(encodeURIComponent).join(',')}/_search`
      const query: Record<string, string> = {}
      if (template === undefined) {
        query['q'] = event.expand(options.query ?? '')
        query['size'] = String(options.result_size)
        if (options.enable_sort) query['sort'] = options.sort
      }
      const body = template === undefined ? undefined : event.expand(template)
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      for (let attempt = 0; ; attempt++) {
        const isLast = attempt >= options.retry_on_failure
        const method = body === undefined ? 'GET' : 'POST'
        const answer = await connection.send({ method, path, query, headers, body })
        if (answer.status < 300) return parseJson(answer.text) as Fields
        if (isLast || !retryable.has(answer.status)) {
          throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
        }
      }
    }

    const place = (name: string) => referenceWithin(options.target, name)
    /** Returns whether something was found. */
    const take = (event: Event, answer: Fields): boolean => {
      const hits = hitsOf(answer)
      event.metadata['total_hits'] = totalOf(answer)
      for (const [from, to] of hits.length === 0 ? [] : (options.fields ?? [])) {
        copy(event, place(to as string), hits, (hit) => valueAt(hit['_source'], from))
      }
      for (const [from, to] of hits.length === 0 ? [] : (options.docinfo_fields ?? [])) {
        copy(event, place(to as string), hits, (hit) => valueAt(hit, from))
      }
      const aggregations = answer['aggregations']
      for (const [name, to] of isFields(aggregations) ? (options.aggregation_fields ?? []) : []) {
        const found = (aggregations as Fields)[name]
        if (found !== undefined) event.set(place(String(to)), found)
      }
      return hits.length > 0 || isFields(aggregations)
    }

    return {
      async filter(event) {
        try {
          return take(event, await ask(event))
        } catch (error) {
          log.warn(`Failed to query elasticsearch for previous event: ${(error as Error).message}`)
          for (const tag of options.tag_on_failure) event.tag(tag)
          return false
        }
      },
      async close() {
        connection.close()
      },
    }
  },
})

/** Copies the value of a single hit, or an array of the values of several hits. */
function copy(event: Event, to: string, hits: readonly Fields[], find: (hit: Fields) => FieldValue | undefined): void {
  const values = hits.map((hit) => find(hit) ?? null)
  event.set(String(to), values.length === 1 ? values[0]! : values)
}

function valueAt(source: FieldValue | undefined, name: string): FieldValue | undefined {
  let value = source
  for (const part of fieldReference(name).path) value = isFields(value) ? value[part] : undefined
  return value
}

function hitsOf(answer: Fields): Fields[] {
  const outer = answer['hits']
  const hits = isFields(outer) ? outer['hits'] : undefined
  return Array.isArray(hits) ? hits.filter(isFields) : []
}

function totalOf(answer: Fields): FieldValue {
  const outer = answer['hits']
  const total = isFields(outer) ? outer['total'] : undefined
  return (isFields(total) ? total['value'] : total) ?? 0
}
