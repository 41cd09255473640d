/** Exports all documents of a selection as NDJSON or CSV, page by page through a point in time. */
import { signal } from '@preact/signals'
import { isObject, type Json, writeJson } from '../api/lossless-json.ts'
import { csvLine } from './csv.ts'
import { type Hit, HitPages, type HitsRequest } from './hits.ts'

export interface ExportJob {
  readonly name: string
  readonly format: 'ndjson' | 'csv'
  readonly done: number
  readonly expected: number | undefined
  readonly startedMs: number
  readonly state: 'running' | 'done' | 'stopped' | 'failed'
  readonly failure?: string
  readonly stop: () => void
}

/** There is one export at a time. */
export const exportJob = signal<ExportJob | undefined>(undefined)

const PAGE = 1000

interface ExportOptions {
  readonly request: HitsRequest
  readonly name: string
  readonly format: 'ndjson' | 'csv'
  /** The columns of CSV, or the fields of NDJSON; whole documents if absent. */
  readonly columns: readonly string[] | undefined
  readonly expected: number | undefined
}

export async function startExport({ request, name, format, columns, expected }: ExportOptions): Promise<void> {
  const abort = new AbortController()
  const base: ExportJob = {
    name,
    format,
    done: 0,
    expected,
    startedMs: Date.now(),
    state: 'running',
    stop: () => abort.abort(),
  }
  exportJob.value = base
  const pages = new HitPages({ ...request, hasHighlights: false })
  const parts: string[] = []
  let done = 0
  if (format === 'csv') parts.push(csvLine(['_index', '_id', ...(columns ?? [])]))
  try {
    while (!pages.isAtEnd) {
      const { hits } = (await pages.next(PAGE, abort.signal)).hits
      parts.push(hits.map((hit) => lineOf(hit, format, columns)).join(''))
      done += hits.length
      exportJob.value = { ...base, done }
    }
    download(new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }), `${name}.${format}`)
    exportJob.value = { ...base, done, state: 'done' }
  } catch (error) {
    exportJob.value = abort.signal.aborted
      ? { ...base, done, state: 'stopped' }
      : { ...base, done, state: 'failed', failure: (error as Error).message }
  } finally {
    await pages.close()
  }
}

function lineOf(hit: Hit, format: ExportOptions['format'], columns: readonly string[] | undefined): string {
  const source = hit._source ?? {}
  if (format === 'csv') return csvLine([hit._index, hit._id, ...(columns ?? []).map((name) => valueAt(source, name))])
  const document =
    columns === undefined ? source : Object.fromEntries(columns.map((name) => [name, valueAt(source, name)]))
  return `${writeJson({ _index: hit._index, _id: hit._id, _source: document })}\n`
}

/** The value of a dotted name. If an array is on the path, the values of all its elements. */
export function valueAt(source: Json, name: string): Json {
  if (isObject(source) && name in source) return source[name]
  const dot = name.indexOf('.')
  if (Array.isArray(source)) {
    const values = source.map((item) => valueAt(item, name)).filter((value) => value !== undefined)
    return values.length === 0 ? undefined : values.flat()
  }
  if (dot < 0 || !isObject(source)) return undefined
  for (let at = dot; at > 0; at = name.indexOf('.', at + 1)) {
    const head = name.slice(0, at)
    if (head in source) {
      const found = valueAt(source[head], name.slice(at + 1))
      if (found !== undefined) return found
    }
  }
  return undefined
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
