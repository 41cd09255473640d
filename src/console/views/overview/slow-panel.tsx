/** The slowest searches of the last hour; each opens in Requests with `profile` set. */
import { call } from '../../api/client.ts'
import { duration, timeOfDay } from '../../api/format.ts'
import { isObject, type Json, parseJson } from '../../api/lossless-json.ts'
import { useLoad } from '../../components/load.ts'
import { openInRequests } from '../../components/show-request.tsx'

interface SlowSearch {
  readonly path: string
  readonly body?: string
  readonly at: string
  readonly took_in_millis: number
}

const SHOWN = 5
const LOOK_MS = 5000

export function SlowPanel() {
  const { value } = useLoad(
    (abort) => call<{ searches: SlowSearch[] }>('GET', '/_sandpiper/slow_searches', undefined, abort),
    'slow',
    LOOK_MS,
  )
  const searches = (value?.searches ?? []).slice(0, SHOWN)
  return (
    <section class="panel" aria-label="Slowest searches">
      <header>
        <h2>Slowest searches</h2>
        <span class="hint">last hour</span>
      </header>
      {value !== undefined && searches.length === 0 && <p class="inner quiet">None took longer than 5 ms.</p>}
      <ul class="slow">
        {searches.map((search) => (
          <li key={`${search.at} ${search.path} ${search.took_in_millis}`}>
            <span class="num strong">{duration(search.took_in_millis)}</span>
            <span class="slowtext">
              <span class="clip">{summary(search)}</span>
              <span class="hint clip">
                {search.path.split('?')[0]} · {timeOfDay(Date.parse(search.at))}
              </span>
            </span>
            <button
              type="button"
              class="button small plain"
              aria-label={`Open the search of ${duration(search.took_in_millis)}`}
              onClick={() => open(search)}
            >
              Open
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function bodyOf({ body }: SlowSearch): Record<string, Json> | undefined {
  try {
    const parsed = body === undefined ? undefined : parseJson(body)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** A short description of the query and the aggregations of a search. */
function summary(search: SlowSearch): string {
  const body = bodyOf(search)
  if (body === undefined) return search.path.split('?')[1] ?? 'search without a body'
  const { query, aggs, aggregations } = body
  const parts = [
    isObject(query) ? wordsOf(query) : undefined,
    ...Object.entries(isObject(aggs) ? aggs : isObject(aggregations) ? aggregations : {}).map(([, one]) =>
      isObject(one) ? Object.keys(one)[0] : undefined,
    ),
  ].filter((part) => part !== undefined)
  return parts.join(', ') || 'every document'
}

function wordsOf(query: Record<string, Json>): string {
  const [name, inner] = Object.entries(query)[0] ?? ['match_all', {}]
  if (!isObject(inner)) return name
  const [field, value] = Object.entries(inner)[0] ?? []
  if (field === undefined) return name
  return typeof value === 'string' ? `${name} ${field}: ${value}` : `${name} ${field}`
}

function open(search: SlowSearch): void {
  const body = bodyOf(search)
  openInRequests([{ method: 'POST', path: search.path.split('?')[0]!, body: { ...body, profile: true } }])
}
