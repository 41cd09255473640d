/** The indices with the most writes, then the largest. */
import { segment } from '../../api/client.ts'
import { count, decimal, size } from '../../api/format.ts'
import { href } from '../../state/router.ts'
import type { IndexFigures } from './live-stats.ts'

const SHOWN = 7
export const HEALTH_DOTS: Readonly<Record<string, string>> = { green: 'dot ok', yellow: 'dot warn', red: 'dot danger' }

export function IndicesPanel({ indices }: { readonly indices: readonly IndexFigures[] }) {
  const shown = [...indices]
    .sort((a, b) => b.writesPerSecond - a.writesPerSecond || b.docs - a.docs || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
  return (
    <section class="panel" aria-label="Indices">
      <header>
        <h2>Indices</h2>
        <span class="hint">by rate of writing</span>
        <span class="push" />
        <a class="button plain small" href={href('/indices')}>
          All {count(indices.length)}
        </a>
      </header>
      <table class="table">
        <colgroup>
          <col />
          <col class="w-104" />
          <col class="w-92" />
          <col class="wide-only w-98" />
          <col class="w-84" />
          <col class="wide-only w-104" />
        </colgroup>
        <thead>
          <tr>
            <th class="first">Name</th>
            <th class="num">Documents</th>
            <th class="num">Size</th>
            <th class="wide-only">
              <span class="sr">Writes, last minute</span>
            </th>
            <th class="num">Writes/s</th>
            <th class="num last wide-only">Searches/s</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, health, docs, bytes, writesPerSecond, searchesPerSecond, recent }) => (
            <tr key={name}>
              <td class="first">
                <span class="row">
                  <i class={HEALTH_DOTS[health] ?? 'dot'} title={health} />
                  <a class="clip" href={href(`/indices/${segment(name)}`)}>
                    {name}
                  </a>
                </span>
              </td>
              <td class="num">{count(docs)}</td>
              <td class="num">{size(bytes)}</td>
              <td class="num wide-only">
                <Spark values={recent} />
              </td>
              <td class="num">{decimal(Math.round(writesPerSecond * 10) / 10)}</td>
              <td class="num last wide-only">{decimal(Math.round(searchesPerSecond * 10) / 10)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Empty if nothing was written. */
function Spark({ values }: { readonly values: readonly number[] }) {
  const max = Math.max(...values)
  if (max === 0 || values.length < 2) return null
  const step = 72 / (values.length - 1)
  const points = values.map((value, i) => `${(i * step).toFixed(1)} ${(16 - (value / max) * 14).toFixed(1)}`)
  return (
    <svg class="spark" viewBox="0 0 72 18" aria-hidden="true">
      <path d={`M${points.join(' L')}`} />
    </svg>
  )
}
