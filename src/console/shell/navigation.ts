/** The views in the order of the rail. */
import type { IconName } from '../components/icon.tsx'

export interface NavigationItem {
  readonly path: string
  readonly label: string
  readonly icon: IconName
  /** The heading it stands below. */
  readonly group: string | undefined
}

export const NAVIGATION: readonly NavigationItem[] = [
  { path: '', label: 'Overview', icon: 'overview', group: undefined },
]
