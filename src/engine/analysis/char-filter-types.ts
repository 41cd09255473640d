/** Every char filter that settings can name. */
import type { CharFilterType } from './component-types.ts'

export const CHAR_FILTER_TYPES: Readonly<Record<string, CharFilterType>> = {}
