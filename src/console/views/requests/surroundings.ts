/**
 * The data that completion loads from the service: its routes once, index and field names when they are older than a
 * few seconds.
 */
import { call, segment } from '../../api/client.ts'
import { readRoutes } from '../../state/features.ts'
import type { Surroundings } from './completion.ts'
import type { ConsoleRequest } from './console-text.ts'

const FRESH_MS = 10_000

interface Cached<T> {
  readonly atMs: number
  readonly value: Promise<T>
}

let indices: Cached<readonly string[]> | undefined
const fields = new Map<string, Cached<Surroundings['fields']>>()

export async function surroundings(request: ConsoleRequest | undefined): Promise<Surroundings> {
  if (indices === undefined || isOld(indices)) indices = { atMs: Date.now(), value: readIndices() }
  return {
    routes: (await readRoutes()).routes,
    indices: await indices.value,
    fields: await fieldsOf(targetOf(request)),
  }
}

/** The indices in a path; all indices if the path contains none. */
export function targetOf(request: Pick<ConsoleRequest, 'path'> | undefined): string {
  const [, first = ''] = (request?.path ?? '').split('?', 1).join('').split('/')
  return first === '' || first.startsWith('_') ? '_all' : first
}

function isOld({ atMs }: Cached<unknown>): boolean {
  return Date.now() - atMs > FRESH_MS
}

async function readIndices(): Promise<readonly string[]> {
  try {
    const [all, streams] = await Promise.all([
      call<Record<string, { aliases: Record<string, unknown> }>>('GET', '/_alias?expand_wildcards=all'),
      call<{ data_streams: { name: string }[] }>('GET', '/_data_stream'),
    ])
    const names = new Set<string>(streams.data_streams.map(({ name }) => name))
    for (const [name, { aliases }] of Object.entries(all)) {
      names.add(name)
      for (const alias of Object.keys(aliases)) names.add(alias)
    }
    return [...names].sort()
  } catch {
    return []
  }
}

async function fieldsOf(target: string): Promise<Surroundings['fields']> {
  const cached = fields.get(target)
  if (cached !== undefined && !isOld(cached)) return cached.value
  const value = call<{ fields: Record<string, Record<string, unknown>> }>(
    'GET',
    `/${segment(target)}/_field_caps?fields=*&ignore_unavailable=true`,
  ).then(
    (answer) =>
      Object.entries(answer.fields)
        .filter(([name]) => !name.startsWith('_'))
        .map(([name, types]) => ({ name, type: Object.keys(types).join(', ') })),
    () => [],
  )
  fields.set(target, { atMs: Date.now(), value })
  return value
}
