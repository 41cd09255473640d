/** Policies of index lifecycle management: phases by age, with actions in a fixed order. */

import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { parseDuration } from '../../base/duration.ts'
import { newMembers } from '../../base/json/members.ts'
import { parseRollover } from '../data-streams/rollover-conditions.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import { isObject } from '../settings/flat-settings.ts'

export const PHASES = ['hot', 'warm', 'cold', 'frozen', 'delete'] as const
export type PhaseName = (typeof PHASES)[number]

/** The actions of each phase, in the order in which they run. */
const ACTIONS: Readonly<Record<PhaseName, readonly string[]>> = {
  hot: ['set_priority', 'unfollow', 'rollover', 'readonly', 'forcemerge'],
  warm: ['set_priority', 'unfollow', 'readonly', 'allocate', 'migrate', 'forcemerge'],
  cold: ['set_priority', 'unfollow', 'readonly', 'allocate', 'migrate'],
  frozen: ['unfollow'],
  delete: ['delete'],
}

/** Actions of Elasticsearch that are not implemented, by phase. */
const MISSING: Readonly<Record<PhaseName, readonly string[]>> = {
  hot: ['downsample', 'shrink', 'searchable_snapshot'],
  warm: ['downsample', 'shrink'],
  cold: ['downsample', 'freeze', 'searchable_snapshot'],
  frozen: ['searchable_snapshot'],
  delete: ['wait_for_snapshot'],
}

/** Actions of the hot phase that need an index that is no longer written to. */
const AFTER_ROLLOVER = ['readonly', 'forcemerge']

export interface PolicyPhase {
  readonly name: PhaseName
  readonly minAgeMs: number
  /** In the order in which they run. */
  readonly actions: readonly { readonly name: string; readonly options: JsonObject }[]
  /** As printed: ages and options with their defaults. */
  readonly shown: JsonObject
}

/** Parses the member `policy` of a request. Throws for what is malformed or not implemented. */
export function parsePolicy(policy: JsonObject): JsonObject {
  for (const name of Object.keys(policy)) {
    if (!['phases', '_meta', 'deprecated'].includes(name)) throw unknownMember('lifecycle_policy', name)
  }
  const phases = policy['phases']
  if (!isObject(phases)) throw illegalArgument('Required [phases]')
  const parsed = Object.entries(phases).map(([name, phase]) => parsePhase(name, phase))
  checkTogether(parsed)
  const inOrder = PHASES.map((name) => parsed.find((phase) => phase.name === name)).filter(
    (phase) => phase !== undefined,
  )
  const { _meta: meta, deprecated } = policy
  return {
    phases: Object.fromEntries(inOrder.map(({ name, shown }) => [name, shown])),
    ...(meta === undefined ? {} : { _meta: meta }),
    ...(deprecated === undefined ? {} : { deprecated }),
  }
}

/** The phases of a stored policy, in order. */
export function phasesOf(policy: JsonObject): PolicyPhase[] {
  const phases = (policy['phases'] ?? {}) as JsonObject
  return PHASES.filter((name) => phases[name] !== undefined).map((name) => parsePhase(name, phases[name]))
}

function parsePhase(name: string, phase: unknown): PolicyPhase {
  if (!PHASES.includes(name as PhaseName))
    throw illegalArgument(`Timeseries lifecycle does not support phase [${name}]`)
  const phaseName = name as PhaseName
  const body = isObject(phase) ? phase : {}
  for (const member of Object.keys(body)) {
    if (member !== 'min_age' && member !== 'actions') throw unknownMember('phase', member)
  }
  const minAge = body['min_age'] ?? '0ms'
  const given = isObject(body['actions']) ? body['actions'] : {}
  const options: Record<string, JsonObject> = newMembers()
  for (const [action, value] of Object.entries(given)) {
    if (MISSING[phaseName].includes(action)) throw notImplemented(action, name)
    if (!ACTIONS[phaseName].includes(action))
      throw illegalArgument(`invalid action [${action}] defined in phase [${name}]`)
    options[action] = parseAction(action, isObject(value) ? value : {})
  }
  const actions = ACTIONS[phaseName]
    .filter((action) => options[action] !== undefined)
    .map((action) => ({ name: action, options: options[action]! }))
  const minAgeMs = parseDuration(String(minAge), 'min_age')
  if (minAgeMs < 0) throw illegalArgument(`[min_age] must be greater or equal to 0: ${minAge}`)
  const shown = { min_age: String(minAge), actions: Object.fromEntries(actions.map((one) => [one.name, one.options])) }
  return { name: phaseName, minAgeMs, actions, shown }
}

function parseAction(action: string, options: JsonObject): JsonObject {
  switch (action) {
    case 'rollover': {
      if (Object.keys(options).length === 0) throw illegalArgument('At least one max_* rollover condition must be set.')
      // Throws for unknown conditions and values.
      parseRollover(Buffer.from(JSON.stringify({ conditions: options })))
      return { ...options }
    }
    case 'forcemerge': {
      const segments = Number(options['max_num_segments'])
      if (options['max_num_segments'] === undefined) throw illegalArgument('Required [max_num_segments]')
      if (!Number.isInteger(segments) || segments <= 0)
        throw illegalArgument('[max_num_segments] must be a positive integer')
      const codec = options['index_codec']
      if (codec !== undefined && codec !== null && codec !== 'best_compression') {
        throw illegalArgument(`unknown index codec: [${codec}]`)
      }
      return { max_num_segments: segments, ...(codec === undefined || codec === null ? {} : { index_codec: codec }) }
    }
    case 'set_priority': {
      const priority = options['priority']
      if (priority === undefined) throw illegalArgument('Required [priority]')
      if (priority !== null && !(Number(priority) >= 0)) throw illegalArgument('[priority] must be 0 or greater')
      return { priority }
    }
    case 'delete':
      return { delete_searchable_snapshot: options['delete_searchable_snapshot'] ?? true }
    case 'allocate':
      return parseAllocate(options)
    case 'migrate':
      return { enabled: options['enabled'] ?? true }
    default:
      return {}
  }
}

function parseAllocate(options: JsonObject): JsonObject {
  const filters = ['include', 'exclude', 'require']
  const known = [...filters, 'number_of_replicas', 'total_shards_per_node']
  for (const name of Object.keys(options)) if (!known.includes(name)) throw unknownMember('allocate', name)
  if (Object.keys(options).length === 0) {
    throw illegalArgument(
      `At least one of include, exclude or require must contain attributes for action allocate, or number_of_replicas must be set`,
    )
  }
  const replicas = options['number_of_replicas']
  if (replicas !== undefined && !(Number(replicas) >= 0)) throw illegalArgument('[number_of_replicas] must be >= 0')
  return { ...options, ...Object.fromEntries(filters.map((name) => [name, options[name] ?? {}])) }
}

function checkTogether(phases: readonly PolicyPhase[]): void {
  const names = (phase: PolicyPhase | undefined) => phase?.actions.map(({ name }) => name) ?? []
  const hot = names(phases.find(({ name }) => name === 'hot'))
  const early = hot.includes('rollover') ? [] : hot.filter((name) => AFTER_ROLLOVER.includes(name))
  if (early.length > 0) {
    throw illegalArgument(
      `the [${early.join(', ')}] action(s) may not be used in the [hot] phase without an accompanying [rollover] action`,
    )
  }
  const last = phases.find(({ name }) => name === 'delete')
  if (last !== undefined && last.actions.length === 0) throw illegalArgument('phase [delete] must define actions')
}

const unknownMember = (parser: string, name: string): ApiError => illegalArgument(`[${parser}] unknown field [${name}]`)

const notImplemented = (action: string, phase: string): ApiError =>
  illegalArgument(`action [${action}] in phase [${phase}] is not supported by Sandpiper`)
