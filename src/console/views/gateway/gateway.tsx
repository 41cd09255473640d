/** Gateway: the cluster behind the service, its nodes, the ways that requests take, and the differences that are bridged. */
import type { ComponentChildren } from 'preact'
import { call } from '../../api/client.ts'
import { count, counted, duration, timeOfDay } from '../../api/format.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useLoad } from '../../components/load.ts'
import { ShowRequest } from '../../components/show-request.tsx'
import { useTitle } from '../../state/title.ts'

interface GatewayNode {
  readonly url: string
  readonly alive: boolean
  readonly requests_under_way: number
  readonly requests: number
  readonly failures: number
  readonly resting_since?: string
  readonly last_failure?: string
}

interface Way {
  readonly count: number
  readonly time_in_millis: number
  readonly added_in_micros: { readonly p50: number; readonly p99: number }
}

interface GatewayState {
  readonly cluster: {
    readonly distribution: string
    readonly version: string
    readonly name: string
    readonly gone_since?: string
  }
  readonly nodes: readonly GatewayNode[]
  readonly waiting: number
  readonly metadata: {
    readonly read_at?: string
    readonly indices: number
    readonly not_understood: readonly { readonly index: string; readonly reason: string }[]
  }
  readonly requests: Readonly<Record<WayName, Way>>
  readonly differences: Readonly<Record<string, number>>
  readonly compared?: Readonly<Record<string, number>>
}

type WayName = 'pass' | 'rewrite' | 'own'

const PATH = '/_sandpiper/gateway'
const EVERY_MS = 2000
const WAYS: readonly (readonly [name: WayName, label: string, meaning: string])[] = [
  ['pass', 'Passed', 'sent on and answered unchanged'],
  ['rewrite', 'Rewritten', 'the request or the answer was changed'],
  ['own', 'Answered here', 'from the metadata of the cluster'],
]

export default function Gateway() {
  useTitle('Gateway')
  const { value, failure } = useLoad((abort) => call<GatewayState>('GET', PATH, undefined, abort), PATH, EVERY_MS)
  return (
    <>
      <header class="bar">
        <h1>Gateway</h1>
        {value !== undefined && (
          <span class="quiet wide-only clip">
            {value.cluster.distribution} {value.cluster.version}, {value.cluster.name}
          </span>
        )}
        <span class="push" />
        <ShowRequest requests={() => [{ method: 'GET', path: PATH }]} />
      </header>
      <div class="scroll" role="group" tabIndex={0} aria-label="State of the gateway">
        <div class="pad stack top gateway">
          {failure !== undefined && <ErrorPanel error={failure} />}
          {value !== undefined && <State state={value} />}
        </div>
      </div>
    </>
  )
}

function State({ state }: { readonly state: GatewayState }) {
  const { cluster, nodes, metadata, requests, differences, compared } = state
  const bridged = Object.entries(differences).sort(([, a], [, b]) => b - a)
  return (
    <>
      {cluster.gone_since !== undefined && (
        <div class="banner warn" role="alert">
          No node of the cluster has answered since {timeOfDay(Date.parse(cluster.gone_since))}.
        </div>
      )}
      <Figures state={state} />
      <NodesPanel nodes={nodes} />
      <div class="split-6">
        <HandlingPanel requests={requests} />
        <Panel title="Differences bridged" hint="between the cluster and Elasticsearch">
          {bridged.length === 0 ? (
            <p class="quiet inner">None since the start.</p>
          ) : (
            <ul class="plainlist">
              {bridged.map(([name, times]) => (
                <li key={name}>
                  <span class="clip grow">{name}</span>
                  <span class="num">{count(times)}</span>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
      {compared !== undefined && (
        <Panel title="Compared with another service" hint="reads that were sent to both">
          <ul class="plainlist">
            {Object.entries(compared).map(([outcome, times]) => (
              <li key={outcome}>
                <span class="grow">{outcome}</span>
                <span class="num">{count(times)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {metadata.not_understood.length > 0 && (
        <Panel title="Indices that are only passed" hint="their definitions are not understood here">
          <ul class="plainlist">
            {metadata.not_understood.map(({ index, reason }) => (
              <li key={index}>
                <b class="strong">{index}</b>
                <span class="clip grow quiet">{reason}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function Figures({ state: { nodes, waiting, metadata, requests } }: { readonly state: GatewayState }) {
  const alive = nodes.filter((node) => node.alive).length
  const all = WAYS.reduce((sum, [name]) => sum + requests[name].count, 0)
  const failures = nodes.reduce((sum, node) => sum + node.failures, 0)
  const slowest = Math.max(...WAYS.map(([name]) => requests[name].added_in_micros.p99))
  return (
    <dl class="figures four">
      <div>
        <dt>Nodes in use</dt>
        <dd class="big">
          <i class={alive === 0 ? 'dot danger' : alive < nodes.length ? 'dot warn' : 'dot ok'} /> {count(alive)}
          <small>of {count(nodes.length)}</small>
        </dd>
        <dd class="hint">{counted(waiting, 'request')} waiting for a node</dd>
      </div>
      <div>
        <dt>Requests</dt>
        <dd class="big">{count(all)}</dd>
        <dd class="hint">{counted(failures, 'failure')} of nodes</dd>
      </div>
      <div>
        <dt>Added time, 99 %</dt>
        <dd class="big">{duration(slowest / 1000)}</dd>
        <dd class="hint">in the gateway, slowest handling</dd>
      </div>
      <div>
        <dt>Indices known</dt>
        <dd class="big">{count(metadata.indices)}</dd>
        <dd class="hint">
          {metadata.read_at === undefined
            ? 'read when a request needs them'
            : `read at ${timeOfDay(Date.parse(metadata.read_at))}`}
        </dd>
      </div>
    </dl>
  )
}

function NodesPanel({ nodes }: Pick<GatewayState, 'nodes'>) {
  return (
    <Panel title="Nodes" hint="a node that failed is tried again after a pause">
      <table class="table access">
        <colgroup>
          <col />
          <col class="w-240" />
          <col class="w-104" />
          <col class="w-104" />
          <col class="w-104" />
        </colgroup>
        <thead>
          <tr>
            <th class="first">Node</th>
            <th>State</th>
            <th class="num">Under way</th>
            <th class="num">Requests</th>
            <th class="num last">Failures</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.url}>
              <td class="first">
                <span class="two-line">
                  <b class="strong mono-s">{node.url}</b>
                  <span class="hint" title={node.last_failure}>
                    {node.last_failure}
                  </span>
                </span>
              </td>
              <td>
                <span class={node.alive ? 'badge ok' : 'badge danger'}>
                  {node.alive ? 'in use' : `resting since ${timeOfDay(Date.parse(node.resting_since ?? ''))}`}
                </span>
              </td>
              <td class="num">{count(node.requests_under_way)}</td>
              <td class="num">{count(node.requests)}</td>
              <td class="num last">{count(node.failures)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function HandlingPanel({ requests }: Pick<GatewayState, 'requests'>) {
  return (
    <Panel title="Requests by handling" hint="with the time that the gateway adds">
      <table class="table access">
        <colgroup>
          <col />
          <col class="w-104" />
          <col class="w-92" />
          <col class="w-92" />
        </colgroup>
        <thead>
          <tr>
            <th class="first">Handling</th>
            <th class="num">Requests</th>
            <th class="num">50 %</th>
            <th class="num last">99 %</th>
          </tr>
        </thead>
        <tbody>
          {WAYS.map(([name, label, meaning]) => (
            <tr key={name}>
              <td class="first">
                <span class="two-line">
                  <b class="strong">{label}</b>
                  <span class="hint">{meaning}</span>
                </span>
              </td>
              <td class="num">{count(requests[name].count)}</td>
              <td class="num">{duration(requests[name].added_in_micros.p50 / 1000)}</td>
              <td class="num last">{duration(requests[name].added_in_micros.p99 / 1000)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

interface PanelProps {
  readonly title: string
  readonly hint: string
  readonly children: ComponentChildren
}

function Panel({ title, hint, children }: PanelProps) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="hint">{hint}</span>
      </header>
      {children}
    </section>
  )
}
