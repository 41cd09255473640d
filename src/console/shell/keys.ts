/** Global keyboard shortcuts. Elements declare a key with `data-hotkey`; pressing it clicks the first visible one. */
import { signal } from '@preact/signals'
import { toggleDensity, toggleTheme } from '../state/preferences.ts'
import { navigate } from '../state/router.ts'

/** The open layer of the shell. */
export const layer = signal<'keys' | 'palette' | 'more' | undefined>(undefined)

const GO: Readonly<Record<string, string>> = {
  o: '/',
  r: '/requests',
  d: '/discover',
  a: '/aggregations',
  i: '/indices',
  c: '/contexts',
  t: '/tasks',
  u: '/users',
  l: '/roles',
  k: '/keys',
  w: '/gateway',
}
const GO_PIPELINES: Readonly<Record<string, string>> = {
  g: '/pipelines/grok',
  c: '/pipelines/config',
  r: '/pipelines/running',
}

const SEQUENCE_MS = 1200
let pending = ''
let pendingAtMs = 0

export function onKeyDown(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand && event.key.toLowerCase() === 'k') {
    event.preventDefault()
    layer.value = 'palette'
    return
  }
  if (event.altKey && !isCommand) {
    if (event.code === 'KeyT') toggleTheme()
    else if (event.code === 'KeyD') toggleDensity()
    else return
    event.preventDefault()
    return
  }
  if (isCommand || event.altKey || event.defaultPrevented || isTyping(event)) return
  const sequence = performance.now() - pendingAtMs < SEQUENCE_MS ? pending : ''
  pending = ''
  const target = sequence === 'g' ? GO[event.key] : sequence === 'gp' ? GO_PIPELINES[event.key] : undefined
  if (target !== undefined) navigate(target)
  else if (event.key === 'g' || (sequence === 'g' && event.key === 'p')) {
    pending = sequence + event.key
    pendingAtMs = performance.now()
    return
  } else if (event.key === '?') layer.value = 'keys'
  else if (!press(event.key)) return
  event.preventDefault()
}

function press(key: string): boolean {
  for (const element of document.querySelectorAll<HTMLElement>(`[data-hotkey="${CSS.escape(key)}"]`)) {
    if (element.offsetParent === null) continue
    if (element instanceof HTMLInputElement) {
      element.focus()
      element.select()
    } else element.click()
    return true
  }
  return false
}

function isTyping(event: KeyboardEvent): boolean {
  const element = event.composedPath()[0]
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLElement && element.isContentEditable)
  )
}
