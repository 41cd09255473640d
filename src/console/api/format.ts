/** Formats numbers, sizes and times: numbers with thousands separators, sizes with units. */

const INTEGER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const DECIMAL = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

export function count(value: number): string {
  return INTEGER.format(value)
}

export function decimal(value: number): string {
  return DECIMAL.format(value)
}

/** `1 document`, `1,904 issues`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** A size split into number and unit. */
export function sizeParts(bytes: number): readonly [number: string, unit: string] {
  let value = Math.max(0, bytes)
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  return [value.toFixed(digits), UNITS[unit]!]
}

export function size(bytes: number): string {
  return sizeParts(bytes).join(' ')
}

/** `59 ms`, `2.4 s`, `3 m 12 s`, `2 h 14 m`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1) return `${ms <= 0 ? 0 : ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  const s = Math.round(ms / 1000)
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} m ${s % 60} s`
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} m`
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`
}

/** Remaining minutes and seconds, such as `4:52`. */
export function clockTime(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  const hours = Math.floor(s / 3600)
  const rest = `${String(Math.floor((s % 3600) / 60)).padStart(hours > 0 ? 2 : 1, '0')}:${String(s % 60).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

export function timeOfDay(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB', { hour12: false })
}

/** `15 Nov 21:40`, in the browser's time zone. */
export function shortDate(ms: number): string {
  const date = new Date(ms)
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  return `${day} ${date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`
}

/** A date with milliseconds in the browser's time zone. Text that is not a date is returned unchanged. */
export function localTimestamp(value: string | number): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return String(value)
  const pad = (n: number, width = 2) => String(n).padStart(width, '0')
  return (
    `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ` +
    `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
  )
}

/** Shortens the middle of a long name: `.ds-logs-nginx…000017`. */
export function middleClipped(name: string, max: number): string {
  if (name.length <= max) return name
  const tail = Math.floor((max - 1) / 3)
  return `${name.slice(0, max - 1 - tail)}…${name.slice(name.length - tail)}`
}
