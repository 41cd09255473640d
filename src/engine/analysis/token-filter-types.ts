/** Every token filter that settings can name. */
import type { TokenFilterType } from './component-types.ts'
import { lowercaseFilter, uppercaseFilter } from './token-filters/lowercase.ts'
import { stopFilter } from './token-filters/stop.ts'

export const TOKEN_FILTER_TYPES: Readonly<Record<string, TokenFilterType>> = {
  lowercase: { build: lowercaseFilter, normalizes: true },
  stop: { build: stopFilter },
  uppercase: { build: uppercaseFilter, normalizes: true },
}
