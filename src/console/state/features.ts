/** What the service has: its routes tell whether security is on and whether it is a gateway. */
import { computed, signal } from '@preact/signals'
import { call, isSignedIn } from '../api/client.ts'
import { type FeatureName, NAVIGATION, type NavigationItem, type ViewName } from './navigation.ts'

export const features = signal<ReadonlySet<FeatureName>>(new Set())
/** Whether the features have been read. Until then a missing one is unknown, not absent. */
export const areFeaturesKnown = signal(false)
/** The name of the user whose credentials this tab has. */
export const signedInAs = signal<string | undefined>(undefined)

/** The views that rail, dialogs and search list. */
export const listed = computed<readonly NavigationItem[]>(() =>
  NAVIGATION.filter(({ isHidden, needs }) => isHidden !== true && (needs === undefined || features.value.has(needs))),
)

/** The feature that a view needs and the service lacks; addresses and keys lead to views that the rail does not list. */
export function missingFeature(view: ViewName): FeatureName | undefined {
  const needs = NAVIGATION.find((item) => item.view === view)?.needs
  return needs === undefined || !areFeaturesKnown.value || features.value.has(needs) ? undefined : needs
}

interface ServiceRoutes {
  /** Each as `GET /path`. */
  readonly routes: readonly string[]
  readonly is_gateway?: boolean
}

let routes: Promise<ServiceRoutes> | undefined

/** Every route of the service. Requested once, and again after a failure. */
export function readRoutes(): Promise<ServiceRoutes> {
  routes ??= call<ServiceRoutes>('GET', '/_sandpiper/routes').catch(() => {
    routes = undefined
    return { routes: [] }
  })
  return routes
}

export async function readFeatures(): Promise<void> {
  const known = await readRoutes()
  const found = new Set<FeatureName>()
  if (known.routes.includes('GET /_security/user')) found.add('security')
  if (known.is_gateway === true) found.add('gateway')
  features.value = found
  areFeaturesKnown.value = known.routes.length > 0
  signedInAs.value = undefined
  if (!found.has('security') || !isSignedIn()) return
  const { username } = await call<{ username: string }>('GET', '/_security/_authenticate')
  signedInAs.value = username
}
