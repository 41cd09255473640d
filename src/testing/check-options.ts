/** Rejects options that a test without types may misspell, instead of ignoring them. */
import { closestWords } from '../base/suggest.ts'
import type { StartSearchOptions } from './types.ts'

const OPTIONS: Readonly<Record<keyof StartSearchOptions, true>> = {
  listen: true,
  port: true,
  dataFolder: true,
  refresh: true,
  reindexRemoteWhitelist: true,
  errorHelp: true,
  record: true,
}
const REFRESH = ['default', 'immediate', 'manual']

export function checkOptions(options: StartSearchOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(OPTIONS, name))
      throw new Error(`startSearch has no option ${name}${hint(name, Object.keys(OPTIONS))}`)
  }
  const { refresh } = options
  if (refresh !== undefined && !REFRESH.includes(refresh)) {
    throw new Error(`refresh is ${REFRESH.join(', ')}, not ${refresh}${hint(refresh, REFRESH)}`)
  }
}

function hint(word: string, known: readonly string[]): string {
  const [close] = closestWords(word, known)
  return close === undefined ? '' : ` (did you mean ${close}?)`
}
