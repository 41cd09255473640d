/** The named grok patterns. In Elasticsearch their field names are `process.pid` and not `[process][pid]`. */
import { type EcsMode, stockPatternNames, stockPatterns } from '../../../text/grok/stock-patterns.ts'

const NESTED_FIELD = /%\{(\w+):(\[[^}]*\])(:\w+)?\}/g
const GROUP = /\(\?<(\[[^>]*\])>/g

const dotted = (reference: string): string => reference.slice(1, -1).replaceAll('][', '.')

const withDots = (pattern: string): string =>
  pattern
    .replace(NESTED_FIELD, (_whole, name: string, field: string, type = '') => {
      const end = field.lastIndexOf(']') + 1
      return `%{${name}:${dotted(field.slice(0, end))}${field.slice(end)}${type}}`
    })
    .replace(GROUP, (_whole, field: string) => `(?<${dotted(field)}>`)

const banks = new Map<EcsMode, ReadonlyMap<string, string>>()

/** Patterns by name, in the order of the library. */
export function grokPatterns(ecs: 'disabled' | 'v1'): ReadonlyMap<string, string> {
  let bank = banks.get(ecs)
  if (bank === undefined) {
    const find = stockPatterns(ecs)
    bank = new Map(stockPatternNames(ecs).map((name) => [name, withDots(find(name)!)]))
    banks.set(ecs, bank)
  }
  return bank
}
