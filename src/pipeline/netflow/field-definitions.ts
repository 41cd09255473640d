/** The name and value format of each template field. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** u unsigned integer, 4 and 6 addresses, m MAC address, s text, d float, f, a and c Cisco's own forms, o octets, x left out. */
export type FieldForm = 'u' | '4' | '6' | 'm' | 's' | 'd' | 'f' | 'a' | 'c' | 'o' | 'x'

export interface FieldDefinition {
  readonly name: string
  readonly form: FieldForm
}

/** By enterprise (0 is IANA), then by number. */
export type FieldDefinitions = Map<number, Map<number, FieldDefinition>>

/** Reads a table whose lines have a number and the names of it and the following numbers. */
export function definitionsOf(table: string): FieldDefinitions {
  const fields = new Map<number, FieldDefinition>()
  for (const line of table.trim().split('\n')) {
    const [first, ...names] = line.split(' ')
    names.forEach((entry, i) => {
      const [name, form = 'u'] = entry.split(':')
      fields.set(Number(first) + i, { name: name!, form: form as FieldForm })
    })
  }
  return new Map([[0, fields]])
}

const FORMS: Readonly<Record<string, FieldForm>> = {
  ip4_addr: '4',
  ip6_addr: '6',
  mac_addr: 'm',
  string: 's',
  double: 'd',
  forwarding_status: 'f',
  application_id: 'a',
  acl_id_asa: 'c',
  octetarray: 'o',
  skip: 'x',
}

/** Adds the definitions of a YAML file in Logstash's form: `1: [:uint32, :name]`, for IPFIX below the number of an enterprise. */
export function addDefinitionFile(definitions: FieldDefinitions, path: string, byEnterprise: boolean): void {
  const content = parse(readFileSync(path, 'utf8')) as Record<string, unknown> | null
  const enterprises = byEnterprise ? Object.entries(content ?? {}) : [['0', content ?? {}] as const]
  for (const [enterprise, list] of enterprises) {
    const fields = definitions.get(Number(enterprise)) ?? new Map<number, FieldDefinition>()
    definitions.set(Number(enterprise), fields)
    for (const [number, entry] of Object.entries(list as Record<string, unknown>)) {
      const [form, name] = Array.isArray(entry) ? entry.map((part) => String(part).replace(/^:/, '')) : []
      const known = /^(?:uint\d+|\d+)$/.test(form ?? '') ? 'u' : FORMS[form ?? '']
      if (known === undefined || (name === undefined && known !== 'x')) {
        throw new Error(`${path}: field ${number} must be a list of a type and a name, such as [:uint32, :name]`)
      }
      fields.set(Number(number), { name: name ?? '-', form: known })
    }
  }
}
