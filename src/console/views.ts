/** The views and the modules they live in. A module is loaded when its view is first opened. */
import type { ComponentType } from 'preact'

export interface ViewProps {
  /** What follows the view's own path, decoded: the name of an index, a tab. */
  readonly rest: readonly string[]
}

export interface ViewModule {
  readonly default: ComponentType<ViewProps>
}

export type ViewName = keyof typeof VIEWS

export const VIEWS = {
  overview: () => import('./views/overview/overview.tsx'),
}

/** Paths below the prefix, the longest match wins. */
export const VIEW_PATHS: readonly (readonly [path: string, view: ViewName])[] = [['', 'overview']]
