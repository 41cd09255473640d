/** Setting updates: what may change when, and how an update applies. */

import { ApiError, illegalArgument, illegalRequestState } from '../../base/api-error.ts'
import { validationException } from '../../base/errors/index-errors.ts'
import { copyMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { checkUnsetComponents } from '../../engine/analysis/registry/analysis-settings.ts'
import type { FlatSettings, IndexMetadata, SettingValue } from '../metadata/metadata.ts'
import { type SettingsUpdate, textOf } from './flat-settings.ts'
import { checkIndexMode } from './index-setting-checks.ts'
import { INDEX_SETTING_GROUPS, INDEX_SETTINGS } from './index-settings.ts'
import { SettingRegistry } from './setting-registry.ts'

export const indexSettings = new SettingRegistry(INDEX_SETTINGS, INDEX_SETTING_GROUPS)

/**
 * Checks the settings of a new index or of a template: every name known, every value valid, nothing private. Settings that
 * are null (`unset`) must exist, too.
 */
export function checkNewIndexSettings(settings: FlatSettings, unset: readonly string[] = []): void {
  checkEachSetting(settings, unset)
  const problems = privateSettingProblems(settings, unset)
  if (problems.length > 0) throw validationException(...problems)
  checkUnsetComponents(unset)
  checkTogether(settings)
  for (const name of CHECKED_LAST) {
    const value = settings[name]
    if (value !== undefined) indexSettings.find(name)!.check(value, name)
  }
}

/** Elasticsearch reads these when it creates the index, after all others and after it has looked for an index of this name. */
const CHECKED_LAST = ['index.recovery.type', 'index.store.type']

export function privateSettingProblems(settings: FlatSettings, unset: readonly string[] = []): string[] {
  return [...Object.keys(settings), ...unset]
    .filter((name) => indexSettings.find(name)?.scope === 'private')
    .map((name) => `private index setting [${name}] can not be set explicitly`)
}

/** A null removes the default, without which Elasticsearch fails with status 500. */
export function checkCounts(unset: readonly string[]): void {
  if (unset.includes('index.number_of_shards'))
    throw illegalRequestState('you must set the number of shards before setting/reading primary terms')
  if (unset.includes('index.number_of_replicas')) {
    const call = 'org.elasticsearch.common.settings.Settings.getAsInt(String, java.lang.Integer)'
    const reason = `Cannot invoke "java.lang.Integer.intValue()" because the return value of "${call}" is null`
    throw new ApiError(400, 'null_pointer_exception', reason)
  }
}

/**
 * Of several invalid settings, throws for the one that Elasticsearch reports: the number of shards first, then from the
 * last name to the first.
 */
export function checkEachSetting(settings: FlatSettings, unset: readonly string[] = []): void {
  checkIndexMode(settings['index.mode'], settings['index.number_of_shards'])
  const names = [...Object.keys(settings), ...unset].sort().reverse()
  const shards = names.indexOf('index.number_of_shards')
  if (shards > 0) names.unshift(...names.splice(shards, 1))
  for (const name of names) {
    const known = indexSettings.find(name)
    if (known === undefined) throw indexSettings.unknown(name)
    const value = settings[name]
    if (value !== undefined && !CHECKED_LAST.includes(name)) known.check(value, name)
  }
}

/** Rules over several settings. */
function checkTogether(settings: FlatSettings): void {
  if (settings['index.soft_deletes.enabled'] === 'false') {
    throw illegalArgument(
      'Creating indices with soft-deletes disabled is no longer supported. Please do not specify a value for setting ' +
        '[index.soft_deletes.enabled].',
    )
  }
  if (
    settings['index.translog.retention.age'] !== undefined ||
    settings['index.translog.retention.size'] !== undefined
  ) {
    throw illegalArgument(
      'Translog retention settings [index.translog.retention.age] and [index.translog.retention.size] are no longer ' +
        'supported. Please do not specify values for these settings',
    )
  }
  const threads = Number(indexSettings.value(settings, 'index.merge.scheduler.max_thread_count'))
  const merges = Number(settings['index.merge.scheduler.max_merge_count'] ?? threads + 5)
  if (threads > merges) {
    throw illegalArgument(`maxThreadCount (= ${threads}) should be <= maxMergeCount (= ${merges})`)
  }
}

export interface UpdateOptions {
  readonly preserveExisting: boolean
  /** Whether static settings may change too, because the index is closed or will be closed and reopened. */
  readonly allowStatic: boolean
}

/** Checks that the names exist and may be updated at all. */
export function checkUpdate(update: SettingsUpdate): void {
  for (const name of Object.keys(update).sort()) {
    if (update[name] === null && name.includes('*')) continue
    const known = indexSettings.find(name)
    if (known === undefined) throw indexSettings.unknown(name)
    if (known.scope === 'private') {
      throw illegalArgument(`can not update private setting [${name}]; this setting is managed by Elasticsearch`)
    }
    if (known.scope === 'internal') {
      throw illegalArgument(`can not update internal setting [${name}]; this setting is managed via a dedicated API`)
    }
    const value = update[name]
    if (known.scope === 'dynamic' && value !== null) known.check(value!, name)
  }
}

/** The settings of the update that an open index cannot accept. */
export function staticNames(update: SettingsUpdate): string[] {
  return Object.keys(update).filter((name) => !name.includes('*') && indexSettings.find(name)?.scope !== 'dynamic')
}

/** The settings of `index` after the update. Throws if the index cannot accept it. */
export function applyUpdate(index: IndexMetadata, update: SettingsUpdate, options: UpdateOptions): FlatSettings {
  const settings = copyMembers<SettingValue>(index.settings)
  for (const [name, value] of Object.entries(update)) {
    if (name.includes('*')) {
      resetMatching(settings, name)
      continue
    }
    const known = indexSettings.find(name)!
    if (known.scope === 'final') throw illegalArgument(`final ${index.name} setting [${name}], not updateable`)
    if (known.scope !== 'dynamic' && !options.allowStatic) continue
    if (value === null) delete settings[name]
    else if (!(options.preserveExisting && (settings[name] !== undefined || index.unsetSettings?.includes(name)))) {
      known.check(value, name)
      settings[name] = value
    }
  }
  settings['index.number_of_replicas'] = replicaCount(settings)
  // States that the write block was in force on every shard; without the block it is meaningless.
  if (settings['index.blocks.write'] !== 'true') delete settings['index.verified_read_only']
  checkTogether(settings)
  return { ...settings }
}

/** With `auto_expand_replicas` the lower end of the range applies, because one node holds no second copy. */
export function replicaCount(settings: FlatSettings): SettingValue {
  const range = /^(\d+)-/.exec(textOf(settings['index.auto_expand_replicas'] ?? ''))
  return range?.[1] ?? settings['index.number_of_replicas'] ?? '1'
}

/** `index.blocks.*: null` resets all matching dynamic settings. */
function resetMatching(settings: Record<string, SettingValue>, pattern: string): void {
  const matches = namePattern(pattern)
  for (const name of Object.keys(settings)) {
    if (matches(name) && indexSettings.find(name)?.scope === 'dynamic') delete settings[name]
  }
}

/** The current numeric and boolean settings in typed form. */
export const integerSetting = (settings: FlatSettings, name: string): number =>
  Number(textOf(indexSettings.value(settings, name) ?? '0'))

export const booleanSetting = (settings: FlatSettings, name: string): boolean =>
  indexSettings.value(settings, name) === 'true'
