/** The list of char filters. */
import { htmlStripCharFilter } from '../char-filters/html-strip.ts'
import { mappingCharFilter } from '../char-filters/mapping.ts'
import { patternReplaceCharFilter } from '../char-filters/pattern-replace.ts'
import type { CharFilterType } from './component-types.ts'

export const CHAR_FILTER_TYPES: Readonly<Record<string, CharFilterType>> = {
  html_strip: { build: htmlStripCharFilter },
  mapping: { build: mappingCharFilter, normalizes: true, named: false },
  pattern_replace: { build: patternReplaceCharFilter, normalizes: true, named: false },
}
