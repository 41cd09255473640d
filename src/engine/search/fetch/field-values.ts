/** The values of a field in a parsed `_source`, in the form of its type. */
import { ApiError } from '../../../base/api-error.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import type { Mapping } from '../../mapping/mapping-api.ts'
import { type SourceObject, valueFor, valuesAt } from '../../mapping/source/source-values.ts'

/** The source paths of a field: its own, and those of fields copied to it. */
export function sourcePathsOf(mapping: Mapping, type: FieldType): string[] {
  const copied = type.copiedFrom.map((name) => mapping.field(name)?.sourcePath ?? name)
  return [...new Set([type.sourcePath, ...copied])]
}

/** Values that the index ignored are omitted here too. */
export function fieldTexts(mapping: Mapping, type: FieldType, source: SourceObject): string[] {
  const texts: string[] = []
  for (const path of sourcePathsOf(mapping, type)) {
    for (const raw of valuesAt(source, path)) addTexts(type, raw, texts)
  }
  return texts
}

function addTexts(type: FieldType, raw: unknown, texts: string[]): void {
  if (Array.isArray(raw)) {
    for (const element of raw) addTexts(type, element, texts)
    return
  }
  try {
    const value = type.formatSourceValue(valueFor(type, raw), undefined)
    if (value !== undefined) texts.push(String(value))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
