/**
 * Addresses: a path below the prefix selects the view, and the query contains its state. Both are part of the browser
 * history.
 */
import { computed, signal } from '@preact/signals'
import { NAVIGATION, type ViewName } from './navigation.ts'

export const PREFIX = '/_sandpiper/console'

interface Address {
  /** The path below the prefix, without leading and trailing slashes. */
  readonly path: string
  readonly query: string
  readonly hash: string
}

export const address = signal<Address>(read())

/** The view of an address and the rest of the path; undefined for an unknown address. */
export const route = computed<{ readonly view: ViewName | undefined; readonly rest: readonly string[] }>(() => {
  const { path } = address.value
  const match = [...NAVIGATION]
    .sort((a, b) => b.path.length - a.path.length)
    .find((item) => path === item.path || (item.path !== '' && path.startsWith(`${item.path}/`)))
  if (match === undefined) return { view: undefined, rest: [] }
  const rest = path
    .slice(match.path.length)
    .split('/')
    .filter((part) => part !== '')
  return { view: match.view, rest: rest.map(decoded) }
})

export const query = computed(() => new URLSearchParams(address.value.query))

window.addEventListener('popstate', () => (address.value = read()))

/** Navigates to an address below the prefix, such as `/discover?index=logs`. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  const url = PREFIX + (to.startsWith('/') ? to : `/${to}`)
  if (url === location.pathname + location.search + location.hash) return
  if (how === 'push') history.pushState(null, '', url)
  else history.replaceState(null, '', url)
  address.value = read()
}

/** Changes parameters of the address. Undefined or an empty text removes one; a list is written once per item. */
export function setQuery(
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
  how: 'push' | 'replace' = 'replace',
): void {
  const next = new URLSearchParams(address.value.query)
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) if (one !== '') next.append(name, one)
  }
  const text = next.toString()
  navigate(`/${address.value.path}${text === '' ? '' : `?${text}`}${address.value.hash}`, how)
}

export function href(to: string): string {
  return PREFIX + to
}

/**
 * Makes links below the prefix change the view without a reload. Other links, and clicks with a modifier, are left to
 * the browser.
 */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return
  const link = (event.target as Element).closest('a')
  if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return
  if (!link.pathname.startsWith(`${PREFIX}/`)) return
  event.preventDefault()
  navigate(link.pathname.slice(PREFIX.length) + link.search + link.hash)
}

function read(): Address {
  const path = location.pathname.slice(PREFIX.length).replace(/^\/+|\/+$/g, '')
  return { path, query: location.search.slice(1), hash: location.hash }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
