/** The navigation: a rail at the left, or five entries at the bottom of small screens. */
import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call, connection, needsSignIn, setAuthorization } from '../api/client.ts'
import { duration, size } from '../api/format.ts'
import { Dialog } from '../components/dialog.tsx'
import { Bird, Icon, type IconName } from '../components/icon.tsx'
import { listed, readFeatures, signedInAs } from '../state/features.ts'
import type { NavigationItem } from '../state/navigation.ts'
import { toggleTheme } from '../state/preferences.ts'
import { address, href } from '../state/router.ts'
import { railCounts, serviceLine } from '../state/service.ts'
import { layer } from './keys.ts'

function isCurrent({ path }: NavigationItem): boolean {
  const current = address.value.path
  return path === '' ? current === '' : current === path || current.startsWith(`${path}/`)
}

function Entry({ item }: { readonly item: NavigationItem }) {
  const number = railCounts.value[item.path]
  return (
    <a href={href(`/${item.path}`)} aria-current={isCurrent(item) ? 'page' : undefined} title={item.label}>
      <Icon name={item.icon as IconName} />
      <span>{item.label}</span>
      {number !== undefined && number > 0 && <span class="count">{number}</span>}
    </a>
  )
}

export function Rail() {
  useServiceLine()
  const { state } = connection.value
  let group: string | undefined
  return (
    <nav class="rail" aria-label="Views">
      <a class="brand" href={href('/')} aria-label="Sandpiper console">
        <Bird />
        <span>Sandpiper</span>
      </a>
      {listed.value.map((item) => {
        const heading = item.group !== group ? item.group : undefined
        group = item.group
        return [heading !== undefined && <h2 key={heading}>{heading}</h2>, <Entry key={item.path} item={item} />]
      })}
      <div class="railfoot">
        <button
          type="button"
          class="button plain small square"
          aria-label="Switch between light and dark"
          title="Theme (Alt+T)"
          onClick={toggleTheme}
        >
          <Icon name="theme" />
        </button>
        <button
          type="button"
          class="button plain small square"
          aria-label="All keys"
          title="Keys (?)"
          onClick={() => (layer.value = 'keys')}
        >
          ?
        </button>
        {signedInAs.value !== undefined && <SignOut plain />}
      </div>
      <div class="service">
        <b class="row">
          <i class={state === 'up' ? 'dot ok' : 'dot danger'} />
          <span class="clip">{location.host}</span>
        </b>
        {state === 'up' ? serviceLine.value : 'no answer'}
        {signedInAs.value !== undefined && <div class="clip">signed in as {signedInAs.value}</div>}
      </div>
    </nav>
  )
}

function SignOut({ plain = false }: { readonly plain?: boolean }) {
  const label = `Sign out ${signedInAs.value}`
  return (
    <button
      type="button"
      class={plain ? 'button plain small square' : 'button plain'}
      aria-label={label}
      title={label}
      onClick={() => {
        setAuthorization(undefined)
        signedInAs.value = undefined
        needsSignIn.value = true
      }}
    >
      <Icon name="signOut" />
      {!plain && 'Sign out'}
    </button>
  )
}

const LOOK_MS = 30_000

/** Polls uptime and memory. The overview polls them more often. */
function useServiceLine(): void {
  useSignalEffect(() => {
    if (!needsSignIn.value) void readFeatures().catch(() => {})
  })
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return
      const { nodes } = await call<{ nodes: Record<string, NodeFigures> }>('GET', '/_nodes/stats/process,jvm')
      const [node] = Object.values(nodes)
      if (node === undefined) return
      serviceLine.value = `up ${duration(node.jvm.uptime_in_millis)} · ${size(node.process.mem.total_virtual_in_bytes)}`
    }
    const quietly = () => void look().catch(() => {})
    quietly()
    const timer = window.setInterval(quietly, LOOK_MS)
    return () => window.clearInterval(timer)
  }, [])
}

interface NodeFigures {
  readonly jvm: { readonly uptime_in_millis: number }
  readonly process: { readonly mem: { readonly total_virtual_in_bytes: number } }
}

const BOTTOM = ['', 'requests', 'discover', 'aggregations']

export function BottomBar() {
  return (
    <nav class="bottombar" aria-label="Views, short">
      {listed.value
        .filter(({ path }) => BOTTOM.includes(path))
        .map((item) => (
          <a key={item.path} href={href(`/${item.path}`)} aria-current={isCurrent(item) ? 'page' : undefined}>
            <Icon name={item.icon as IconName} />
            {item.label === 'Aggregations' ? 'Aggregate' : item.label}
          </a>
        ))}
      <button type="button" onClick={() => (layer.value = 'more')}>
        <Icon name="more" />
        More
      </button>
    </nav>
  )
}

export function MoreDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Views" onClose={onClose}>
      <nav class="more" aria-label="All views">
        {listed.value.map((item) => (
          <a key={item.path} href={href(`/${item.path}`)} onClick={onClose}>
            <Icon name={item.icon as IconName} />
            {item.label}
          </a>
        ))}
        <button type="button" class="button plain" onClick={toggleTheme}>
          <Icon name="theme" />
          Light or dark
        </button>
        {signedInAs.value !== undefined && <SignOut />}
      </nav>
    </Dialog>
  )
}
