/** Preferences stored in the browser: theme, density, single-letter shortcuts. */
import { effect, signal } from '@preact/signals'

export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  readonly compact: boolean
}

const KEY = 'sandpiper.preferences'

export const preferences = signal<Preferences>({ theme: 'system', compact: false, ...stored(KEY) })

/** Incremented when colours change, so that charts are redrawn. */
export const themeVersion = signal(0)

effect(() => {
  const { theme, compact } = preferences.value
  const root = document.documentElement
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
  root.classList.toggle('compact', compact)
  localStorage.setItem(KEY, JSON.stringify(preferences.value))
  themeVersion.value = themeVersion.peek() + 1
})

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => themeVersion.value++)

export function toggleTheme(): void {
  const { theme } = preferences.value
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  preferences.value = { ...preferences.value, theme: isDark ? 'light' : 'dark' }
}

export function toggleDensity(): void {
  preferences.value = { ...preferences.value, compact: !preferences.value.compact }
}

/** A JSON object in the browser's storage; empty if it is missing or damaged. */
export function stored<T extends object>(key: string): Partial<T> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>
  } catch {
    return {}
  }
}

/** The current value of a colour token. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}
