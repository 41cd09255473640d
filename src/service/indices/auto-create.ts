/** `action.auto_create_index`: whether a write may create its index. */

import type { ApiError } from '../../base/api-error.ts'
import { autoCreateForbidden, templateForbidsCreation } from '../../base/errors/index-errors.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import { listOf, textOf } from '../settings/flat-settings.ts'
import type { NamedTemplate } from '../templates/compose-template.ts'

const SETTING = 'action.auto_create_index'

/**
 * The reason a write may not create the index; undefined if it may. `allow_auto_create` of a template overrides the
 * setting.
 */
export function autoCreateProblem(
  name: string,
  match: NamedTemplate | undefined,
  clusterSettings: FlatSettings,
): ApiError | undefined {
  const allowed = match?.template.allowAutoCreate
  if (allowed === true) return undefined
  if (allowed === false) return templateForbidsCreation(match!.template.patterns)
  const value = clusterSettings[SETTING] ?? 'true'
  if (value === 'true') return undefined
  if (value === 'false') return autoCreateForbidden(name, `[${SETTING}] is [false]`)
  for (const pattern of listOf(value)) {
    const forbids = pattern.startsWith('-')
    if (!namePattern(pattern.replace(/^[+-]/, ''))(name)) continue
    if (!forbids) return undefined
    return autoCreateForbidden(name, `[${SETTING}] contains [${pattern}] which forbids automatic creation of the index`)
  }
  return autoCreateForbidden(name, `[${SETTING}] ([${textOf(value)}]) doesn't match`)
}
