/** Recorded requests, and small changes to requests: what clients send, a little wrong. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ODD_VALUES } from '../hostile/numeric-members.ts'
import type { SentRequest } from '../hostile/watched-service.ts'
import type { Random } from './random.ts'
import { anyField, anyText, anyValue, encoded, INDICES } from './values.ts'

interface Recorded {
  readonly method?: string
  readonly path?: string
  readonly body?: unknown
  readonly request?: unknown
}

/** Requests of the recordings in a folder, for indices of the fuzzer. */
export function recordedRequests(folder: string): SentRequest[] {
  if (!existsSync(folder)) return []
  const found: SentRequest[] = []
  for (const name of readdirSync(folder)) {
    if (!/^(?!searches-documents).*\.ndjson$/.test(name)) continue
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line === '') continue
      const recorded = JSON.parse(line) as Recorded & { steps?: Recorded[]; setup?: unknown }
      const steps = [recorded, ...(Array.isArray(recorded.steps) ? recorded.steps : [])]
      if (Array.isArray(recorded.setup)) steps.push(...(recorded.setup as Recorded[]))
      for (const step of steps) {
        const request = asRequest(step)
        if (request !== undefined && isHarmless(request)) found.push(request)
      }
    }
  }
  return found
}

function asRequest({ method, path, body, request }: Recorded): SentRequest | undefined {
  if (path === undefined) {
    if (request === undefined || typeof request !== 'object' || request === null) return undefined
    if ('path' in request) return asRequest(request as Recorded)
    return { method: 'POST', path: '/fuzz-a/_search', body: JSON.stringify(request) }
  }
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  return { method: method ?? 'GET', path: path.replace(/^\/(?!_)[^/?]+/, '/fuzz-a'), body: text }
}

/** False for requests that wait for an event that never comes, and for those that would affect all later requests. */
const isHarmless = ({ path }: SentRequest) => !/wait_for|timeout=|_shutdown|_snapshot|refresh=wait_for/.test(path)

/** The request with one to three changes. */
export function mutated(random: Random, request: SentRequest): SentRequest {
  let changed = request
  for (let i = random.below(3); i >= 0; i--) changed = mutatedOnce(random, changed)
  return changed
}

function mutatedOnce(random: Random, request: SentRequest): SentRequest {
  const { body } = request
  const choice = random.below(12)
  if (choice === 0) return { ...request, path: request.path.replace(/^\/[^_/?][^/?]*/, `/${random.pick(INDICES)}`) }
  if (choice === 1) return { ...request, method: random.pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD']) }
  if (choice === 2)
    return {
      ...request,
      path: `${request.path}${request.path.includes('?') ? '&' : '?'}${random.pick(['size', 'from', 'q', 'routing', 'refresh', 'version', 'x', 'preference'])}=${encoded(anyText(random))}`,
    }
  if (typeof body !== 'string') return request
  if (choice === 3) return { ...request, body: body.slice(0, random.below(body.length + 1)) }
  if (choice === 4) {
    const at = random.below(body.length + 1)
    return {
      ...request,
      body:
        body.slice(0, at) +
        random.pick(['"', '{', '}', ',', ':', '[', ']', '\\', '0', '\u0000', 'é', '\n']) +
        body.slice(at + 1),
    }
  }
  if (choice === 5)
    return {
      ...request,
      headers: {
        'content-type': random.pick([
          'application/json',
          'application/yaml',
          'application/cbor',
          'text/plain',
          'application/x-ndjson',
          'application/vnd.elasticsearch+json;compatible-with=8',
          'x',
        ]),
      },
    }
  return { ...request, body: mutatedJson(random, body) }
}

/** One value of the JSON replaced, removed, doubled or renamed; of several lines, in one of them. */
function mutatedJson(random: Random, body: string): string {
  const lines = body.split('\n')
  const at = random.below(lines.length)
  try {
    const value = JSON.parse(lines[at]!) as unknown
    const marker = `\u0001${random.below(1e9)}`
    const changed = JSON.stringify(changedValue(random, value, marker))
    lines[at] = changed.replace(JSON.stringify(marker), () => random.pick(ODD_VALUES))
    return lines.join('\n')
  } catch {
    return body
  }
}

function changedValue(random: Random, value: unknown, marker: string): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) {
    return random.chance(0.6) ? marker : anyValue(random)
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return [anyValue(random)]
    const at = random.below(value.length)
    if (random.chance(0.1)) return [...value, value[at]]
    return value.map((item, i) => (i === at ? changedValue(random, item, marker) : item))
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return { [anyField(random)]: anyValue(random) }
  const at = random.below(entries.length)
  if (random.chance(0.08)) entries.splice(at, 1)
  else if (random.chance(0.09)) entries[at] = [anyField(random), entries[at]![1]]
  else entries[at] = [entries[at]![0], changedValue(random, entries[at]![1], marker)]
  return Object.fromEntries(entries)
}
