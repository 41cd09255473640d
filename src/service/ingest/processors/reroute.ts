/** reroute: sends a document to another index or data stream. The pipelines of the new target run next. */
import { illegalArgument } from '../../../base/api-error.ts'
import { JHashMap, JMap } from '../../../engine/painless/index.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import type { ConfigReader } from '../pipeline/config-reader.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

const PART_MAX = 100

interface PartRule {
  readonly option: 'type' | 'dataset' | 'namespace'
  readonly illegal: RegExp
}

const TYPE: PartRule = { option: 'type', illegal: /[\\/*?"<>|, #:-]/g }
const DATASET: PartRule = { option: 'dataset', illegal: /[\\/*?"<>|, #:-]/g }
const NAMESPACE: PartRule = { option: 'namespace', illegal: /[\\/*?"<>|, #:]/g }

export const reroute: ProcessorFactory = (reader) => {
  const type = sources(reader, TYPE)
  const dataset = sources(reader, DATASET)
  const namespace = sources(reader, NAMESPACE)
  const destination = reader.optionalString('destination')
  if (destination !== undefined) {
    if ([type, dataset, namespace].some((list) => list.isGiven)) {
      throw reader.error('destination', 'can only be set if type, dataset, and namespace are not set')
    }
    return (document) => {
      document.set('_index', destination)
      document.isRerouted = true
    }
  }
  return (document) => {
    const current = document.index ?? ''
    const parts = streamParts(current)
    if (parts === undefined) {
      throw illegalArgument(
        `invalid data stream name: [${current}]; must follow naming scheme <type>-<dataset>-<namespace>`,
      )
    }
    const named = {
      type: type.resolve(document) ?? parts.type,
      dataset: dataset.resolve(document) ?? parts.dataset,
      namespace: namespace.resolve(document) ?? parts.namespace,
    }
    document.set('_index', `${named.type}-${named.dataset}-${named.namespace}`)
    document.isRerouted = true
    const stream = document.find('data_stream', true)
    const fields = stream instanceof JMap ? stream : new JHashMap()
    for (const [name, value] of Object.entries(named)) {
      if (document.ctx.containsKey_1(`data_stream.${name}`)) document.ctx.put_2(`data_stream.${name}`, value)
      else fields.put_2(name, value)
    }
    if (fields.size_0() > 0) document.set('data_stream', fields)
    if (document.find('event.dataset', true) != null) document.set('event.dataset', named.dataset)
  }
}

/** Parses a name such as `logs-nginx-prod`. Only the namespace may contain hyphens. */
function streamParts(name: string) {
  const first = name.indexOf('-')
  const second = first < 0 ? -1 : name.indexOf('-', first + 1)
  if (second < 0) return undefined
  return { type: name.slice(0, first), dataset: name.slice(first + 1, second), namespace: name.slice(second + 1) }
}

interface PartSources {
  readonly isGiven: boolean
  resolve(document: IngestDocument): string | undefined
}

/**
 * A part of the name of the data stream: the first of its sources that has a value. A source is a constant, or a field
 * in double braces. Without a source, the part of the current name is used.
 */
function sources(reader: ConfigReader, { option, illegal }: PartRule): PartSources {
  const list = reader.optionalStringOrList(option) ?? []
  const all = list.length === 0 ? [`{{data_stream.${option}}}`] : list
  const resolvers = all.map((source) => {
    const field = /^\{\{\{?\s*([^{}]+?)\s*\}?\}\}$/.exec(source)?.[1]
    if (field === undefined && /\{\{|\}\}/.test(source)) {
      throw reader.error(option, `'${source}' is not a valid field reference`)
    }
    if (field === undefined) {
      if (source.replace(illegal, '_').slice(0, PART_MAX) !== source) {
        throw reader.error(option, `'${source}' contains disallowed characters`)
      }
      return () => source
    }
    return (document: IngestDocument) => {
      const value = document.find(field, true)
      if (value === undefined || value === null || value === '') return undefined
      if (typeof value !== 'string') throw illegalArgument(`field [${field}] is not a string`)
      return value.toLowerCase().replace(illegal, '_').slice(0, PART_MAX)
    }
  })
  return {
    isGiven: list.length > 0,
    resolve: (document) => {
      for (const resolve of resolvers) {
        const value = resolve(document)
        if (value !== undefined) return value
      }
      return undefined
    },
  }
}
