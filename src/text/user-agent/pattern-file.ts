/**
 * Reads pattern files in the format of uap-core (`regexes.yaml`): lists of expressions with replacements for each part.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { UserAgent, Versioned } from './user-agent.ts'

interface Entry {
  readonly regex: RegExp
  /** The name, then the parts of the version: a text with `$n`, or undefined for the group at the same position. */
  readonly parts: readonly (string | undefined)[]
}

const PROGRAM_PARTS = [
  'family_replacement',
  'v1_replacement',
  'v2_replacement',
  'v3_replacement',
  'v4_replacement',
] as const
const OS_PARTS = [
  'os_replacement',
  'os_v1_replacement',
  'os_v2_replacement',
  'os_v3_replacement',
  'os_v4_replacement',
] as const
const DEVICE_PARTS = ['device_replacement'] as const

export function patternFile(path: string): (text: string) => UserAgent {
  // Loaded on demand: loading the YAML parser would add a tenth to the start time of every node.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  const text = readFileSync(path, 'utf8')
  const content = plainLists(text) ?? (parse(text) as Record<string, unknown>)
  const programs = entries(content['user_agent_parsers'], PROGRAM_PARTS)
  const systems = entries(content['os_parsers'], OS_PARTS)
  const devices = entries(content['device_parsers'], DEVICE_PARTS)
  return (agent) => ({ ...find(programs, agent), os: find(systems, agent), device: find(devices, agent).name })
}

/**
 * Reads the plain form that uap-core has: lists of entries, a line per member. YAML of this size takes a second, these lines take
 * milliseconds. Undefined for any other form.
 */
function plainLists(text: string): Record<string, Record<string, string>[]> | undefined {
  const lists: Record<string, Record<string, string>[]> = {}
  let list: Record<string, string>[] | undefined
  for (const line of text.split('\n')) {
    if (/^\s*(?:#.*)?$/.test(line)) continue
    const head = /^(\w+):\s*$/.exec(line)?.[1]
    if (head !== undefined) {
      list = []
      lists[head] = list
      continue
    }
    const member = /^( {2}- | {4})(\w+): *(?:'((?:[^']|'')*)'|([^\s'"#&*!|>%@`[{][^#'"]*?))\s*(?:#.*)?$/.exec(line)
    if (member === null || list === undefined) return undefined
    const [, indent, name, quoted, plain] = member
    if (indent !== '    ') list.push({})
    const entry = list.at(-1)
    if (entry === undefined) return undefined
    entry[name!] = quoted?.replaceAll("''", "'") ?? plain!
  }
  return lists
}

function entries(list: unknown, names: readonly string[]): Entry[] {
  if (!Array.isArray(list)) return []
  return (list as Record<string, unknown>[]).map((item) => ({
    regex: new RegExp(String(item['regex']), item['regex_flag'] === 'i' ? 'i' : ''),
    parts: names.map((name) => (item[name] === undefined ? undefined : String(item[name]))),
  }))
}

function find(list: readonly Entry[], text: string): Versioned {
  for (const { regex, parts } of list) {
    const match = regex.exec(text)
    if (match === null) continue
    const values = parts.map((part, i) =>
      part === undefined ? match[i + 1] : part.replaceAll(/\$(\d)/g, (_, n) => match[Number(n)] ?? '').trim(),
    )
    const [name, ...version] = values
    const end = version.findIndex((part) => part === undefined || part === '')
    return { name: name || 'Other', version: (end < 0 ? version : version.slice(0, end)) as string[] }
  }
  return { name: 'Other', version: [] }
}
