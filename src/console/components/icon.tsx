/** The icons of the console: 16 by 16 pixels, in the colour of the surrounding text. */
import type { JSX } from 'preact'

const PATHS = {
  overview: <path d="M2 13.5h12M3.5 11V7.500M6.5 11V4.500M9.5 11V8.500M12.5 11V3" />,
  requests: <path d="M2.5 4.5 6 8l-3.5 3.500M7.5 12h6" />,
  discover: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.5 3.5" />
    </>
  ),
  aggregations: (
    <>
      <path d="M2.5 3h11M2.5 8h7M2.5 13h4" />
      <circle cx="12.5" cy="11.5" r="2" />
    </>
  ),
  indices: <path d="M2.5 4.5 8 2l5.5 2.500L8 7zM2.5 8 8 10.5 13.5 8M2.5 11.5 8 14l5.5-2.5" />,
  contexts: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 4.8V8l2.2 1.5" />
    </>
  ),
  tasks: <path d="m2.5 4 1.2 1.200L6 3M2.5 11l1.2 1.200L6 10M8.5 4.500h5M8.5 11.500h5" />,
  grok: (
    <path d="M5.5 3c-1.5 0-2 .8-2 2v1.200c0 1-.5 1.8-1.5 1.8 1 0 1.5.8 1.5 1.800V11c0 1.2.5 2 2 2M10.5 3c1.5 0 2 .8 2 2v1.200c0 1 .5 1.8 1.5 1.8-1 0-1.5.8-1.5 1.800V11c0 1.2-.5 2-2 2" />
  ),
  config: <path d="M3 2.5h6.500L13 6v7.500H3zM9.5 2.500V6H13M5.5 9h5M5.5 11.200h3" />,
  running: (
    <>
      <circle cx="3.5" cy="8" r="1.7" />
      <circle cx="12.5" cy="4" r="1.7" />
      <circle cx="12.5" cy="12" r="1.7" />
      <path d="M5.2 8h2.300c2 0 1.3-4 3.3-4M7.5 8c2 0 1.3 4 3.3 4" />
    </>
  ),
  users: (
    <>
      <circle cx="8" cy="5.2" r="2.7" />
      <path d="M2.8 13.500c.6-2.600 2.600-4 5.200-4s4.600 1.400 5.200 4" />
    </>
  ),
  roles: <path d="M8 2 13 4v3.500c0 3-2 5.300-5 6.500-3-1.200-5-3.500-5-6.500V4zM5.800 8l1.600 1.600L10.400 6.500" />,
  keys: (
    <>
      <circle cx="5.2" cy="10.8" r="2.7" />
      <path d="M7.200 8.800 13 3M10.500 5.500l2 2M9 7l1.500 1.500" />
    </>
  ),
  gateway: (
    <>
      <rect x="6" y="2.5" width="4" height="4" rx="1" />
      <rect x="1.8" y="10" width="3.600" height="3.600" rx="1" />
      <rect x="10.600" y="10" width="3.600" height="3.600" rx="1" />
      <path d="M8 6.500v2M3.600 10V8.500h8.800V10" />
    </>
  ),
  signOut: <path d="M6.500 3H3v10h3.500M10 5l3 3-3 3M13 8H6.500" />,
  edit: <path d="M3 13v-2.500L10.500 3l2.500 2.500L5.500 13z" />,
  down: <path d="m4 6 4 4 4-4" />,
  up: <path d="m4 10 4-4 4 4" />,
  right: <path d="m6 4 4 4-4 4" />,
  code: <path d="M5.5 4.5 2 8l3.5 3.500M10.5 4.5 14 8l-3.5 3.5" />,
  export: <path d="M8 2.5v7M5 6.800l3 3 3-3M2.5 12.500h11" />,
  run: <path d="M5 3.2v9.600L12.5 8z" fill="currentColor" />,
  more: <path d="M3.5 8h.1M8 8h.1M12.5 8h.1" stroke-width="2.2" />,
  add: <path d="M8 3v10M3 8h10" />,
  check: <path d="m3 8.5 3.2 3L13 4.5" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 3.5v-1h-8v8h1" />
    </>
  ),
  warn: <path d="M8 2.2 14.3 13H1.700zM8 6.500v3M8 11.200v.1" />,
  fault: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.8v3.700M8 11v.1" />
    </>
  ),
  plug: <path d="M5.5 2.5v3M10.5 2.500v3M4 5.500h8v2a4 4 0 0 1-8 0zM8 11.500v2.500" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  idea: <path d="M6 11.5c0-1.5-2-2.3-2-4.800a4 4 0 0 1 8 0c0 2.5-2 3.3-2 4.800zM6.5 14h3" />,
  history: (
    <>
      <path d="M3 8a5 5 0 1 1 1.5 3.600M3 4.500V8h3.5" />
      <path d="M8 5.5V8l1.8 1" />
    </>
  ),
  book: <path d="M3 3h4c.8 0 1 .5 1 1v9c0-.5-.4-1-1-1H3zM13 3H9c-.8 0-1 .5-1 1v9c0-.5.4-1 1-1h4z" />,
  link: (
    <path d="M6.5 9.5 9.5 6.500M7 4.500l1-1a3 3 0 0 1 4.5 4.200l-1.2 1.200M9 11.500l-1 1A3 3 0 0 1 3.5 8.300l1.2-1.2" />
  ),
  not: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="m4.2 4.2 7.6 7.6" />
    </>
  ),
  column: (
    <>
      <rect x="2.5" y="3" width="11" height="10" rx="1.5" />
      <path d="M7 3v10" />
    </>
  ),
  reload: <path d="M13 8a5 5 0 1 1-1.5-3.600M13 2.500v3h-3" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5v11a5.500 5.500 0 0 0 0-11z" fill="currentColor" />
    </>
  ),
  trash: <path d="M3 4.5h10M6.5 4.500V3h3v1.500M4.500 4.500l.6 8.500h5.800l.6-8.500" />,
} satisfies Record<string, JSX.Element>

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      {PATHS[name]}
    </svg>
  )
}

export function Bird() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M2.5 13.2c2.2-4 5.8-6.2 10-5.6.9-2.2 2.7-3.2 4.4-2.7 1.1.3 1.8 1.1 1.9 2.1L23 8.9l-4.1.3c-.5 3.7-3.3 6.3-7 6.3-3.5 0-6.7-.8-9.4-2.300z"
        fill="currentColor"
        stroke="none"
      />
      <path d="M10.5 15.5V20h2M13.5 15.300v4.200h2" stroke-width="1.3" />
    </svg>
  )
}
