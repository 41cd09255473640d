/** The frame around every view: rail, sheet, layers, keyboard shortcuts, and the loading of views. */
import { useSignalEffect } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks'
import { needsSignIn } from '../api/client.ts'
import { ErrorPanel } from '../components/error-panel.tsx'
import { Toasts } from '../components/toasts.tsx'
import { missingFeature } from '../state/features.ts'
import type { FeatureName, ViewName, ViewProps } from '../state/navigation.ts'
import { address, followLinks, href, navigate, route } from '../state/router.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { layer, onKeyDown } from './keys.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { Palette } from './palette.tsx'
import { BottomBar, MoreDialog, Rail } from './rail.tsx'
import { VIEWS } from './views.ts'

const loaded = new Map<ViewName, ComponentType<ViewProps>>()

export function App() {
  // Before the first paint: keys and links work as soon as anything can be seen.
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('click', followLinks)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('click', followLinks)
    }
  }, [])
  useSignalEffect(() => {
    const { path, query, hash } = address.peek()
    const asked = `/${path}${query === '' ? '' : `?${query}`}${hash}`
    if (needsSignIn.value && path !== 'sign-in') navigate(`/sign-in?next=${encodeURIComponent(asked)}`, 'replace')
  })
  const close = () => (layer.value = undefined)
  const { view, rest } = route.value
  return (
    <>
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <div class="app">
        <Rail />
        <main class="sheet" id="view" tabIndex={-1}>
          <ConnectionBanner />
          <Sheet view={view} rest={rest} />
        </main>
        <BottomBar />
      </div>
      <Toasts />
      {layer.value === 'keys' && <KeysDialog onClose={close} />}
      {layer.value === 'palette' && <Palette onClose={close} />}
      {layer.value === 'more' && <MoreDialog onClose={close} />}
    </>
  )
}

function Sheet({ view, rest }: { readonly view: ViewName | undefined; readonly rest: readonly string[] }) {
  if (view === undefined) return <NoView />
  const missing = missingFeature(view)
  return missing === undefined ? <View key={view} name={view} rest={rest} /> : <NoFeature {...FEATURES[missing]} />
}

const FEATURES: Readonly<Record<FeatureName, { readonly title: string; readonly remedy: string }>> = {
  security: {
    title: 'Security is off',
    remedy:
      'Everyone who reaches this service may read and change everything. Users, roles and API keys exist once it is started with --security true.',
  },
  gateway: {
    title: 'This service is not a gateway',
    remedy: 'It answers from its own data. Started with --cluster ADDRESSES, a service passes requests to a cluster.',
  },
}

function NoFeature({ title, remedy }: { readonly title: string; readonly remedy: string }) {
  return (
    <div class="empty">
      <h1>{title}</h1>
      <p class="quiet">{remedy}</p>
    </div>
  )
}

function View({ name, rest }: { readonly name: ViewName; readonly rest: readonly string[] }) {
  const [Component, setComponent] = useState<ComponentType<ViewProps> | undefined>(() => loaded.get(name))
  const [failure, setFailure] = useState<unknown>()
  const [broken, reset] = useErrorBoundary((error) => console.error(error))
  useEffect(() => {
    if (Component !== undefined) return
    VIEWS[name]().then((module) => {
      loaded.set(name, module.default)
      setComponent(() => module.default)
    }, setFailure)
  }, [name, Component])
  if (failure !== undefined || broken !== undefined) {
    return (
      <div class="pad">
        <ErrorPanel error={failure ?? broken}>
          <p>This view stopped working. Reload the page; what is stored in the service is not touched.</p>
          <button
            type="button"
            class="button"
            onClick={() => {
              reset()
              location.reload()
            }}
          >
            Reload
          </button>
        </ErrorPanel>
      </div>
    )
  }
  return Component === undefined ? <Skeleton /> : <Component rest={rest} />
}

/** A placeholder with the layout of the view. Its style shows it after 200 ms. */
function Skeleton() {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      <i class="bone" />
      <i class="bone" />
      <i class="bone" />
    </div>
  )
}

function NoView() {
  return (
    <div class="empty">
      <h1>There is no such view</h1>
      <p class="quiet">
        Nothing is at this address. The <a href={href('/')}>overview</a> shows what there is.
      </p>
    </div>
  )
}
