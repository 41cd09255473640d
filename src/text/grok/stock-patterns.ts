/** The pattern library: every pattern of the legacy set and of the ECS set. */
import { BACULA } from './patterns/bacula.ts'
import { BASICS } from './patterns/basics.ts'
import { FIREWALLS } from './patterns/firewalls.ts'
import { NAGIOS } from './patterns/nagios.ts'
import { inSet, type PatternSet, type PatternTable } from './patterns/notation.ts'
import { PROGRAMS } from './patterns/programs.ts'
import { SYSTEM } from './patterns/system.ts'
import { WEB } from './patterns/web.ts'
import { ZEEK } from './patterns/zeek.ts'

/** Which layout of fields the names of captures follow: `disabled` is the older one. */
export type EcsMode = 'disabled' | 'v1' | 'v8'

const TABLES: readonly PatternTable[] = [BASICS, SYSTEM, WEB, PROGRAMS, ZEEK, NAGIOS, BACULA, FIREWALLS]

/** Looks up a pattern in the set of a layout; undefined if the set lacks it. */
export function stockPatterns(ecs: EcsMode): (name: string) => string | undefined {
  const set: PatternSet = ecs === 'disabled' ? 'legacy' : 'ecs'
  return (name) => {
    for (const table of TABLES) if (Object.hasOwn(table, name)) return inSet(table[name]!, set)
    return undefined
  }
}

export function stockPatternNames(ecs: EcsMode): string[] {
  const find = stockPatterns(ecs)
  return TABLES.flatMap((table) => Object.keys(table)).filter((name) => find(name) !== undefined)
}
