/**
 * Reads message definitions from the Ruby files that protoc writes (`*_pb.rb`), which configurations of Logstash name. Older
 * files define messages with calls, newer ones hold a serialized descriptor.
 */

/** A namespace of protobufjs in its JSON form. */
export interface NamespaceJson {
  nested?: Record<string, NamespaceJson>
  fields?: Record<string, { id: number; type: string; rule?: string; keyType?: string }>
  oneofs?: Record<string, { oneof: string[] }>
  values?: Record<string, number>
}

/** The serialized descriptor of a file, or undefined if it defines messages with calls. */
export function serializedDescriptor(ruby: string): Buffer | undefined {
  const literal = /descriptor_data\s*=\s*"((?:[^"\\]|\\[\s\S])*)"/.exec(ruby)?.[1]
  return literal === undefined ? undefined : Buffer.from(unescaped(literal), 'latin1')
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  e: '\x1b',
  f: '\f',
  v: '\v',
  a: '\x07',
  b: '\b',
  s: ' ',
}

/** Text outside ASCII is turned into its bytes, one per character. */
function unescaped(literal: string): string {
  return Buffer.from(literal, 'utf8')
    .toString('latin1')
    .replaceAll(
      /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))/g,
      (_, hex?: string, octal?: string, char?: string) => {
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
        return NAMED_ESCAPES[char!] ?? char!
      },
    )
}

/** Adds the messages and enumerations that a file defines with calls. */
export function addCalledDefinitions(ruby: string, root: NamespaceJson): void {
  let current: NamespaceJson | undefined
  let oneof: string[] | undefined
  for (const line of ruby.split('\n').map((text) => text.trim())) {
    const start = /^add_(message|enum) "([^"]+)" do/.exec(line)
    if (start !== null) {
      current = namespaceOf(root, start[2]!)
      if (start[1] === 'enum') current.values ??= {}
      else current.fields ??= {}
      continue
    }
    if (current === undefined) continue
    const group = /^oneof :(\w+) do/.exec(line)
    if (group !== null) {
      oneof = []
      current.oneofs = { ...current.oneofs, [group[1]!]: { oneof } }
    } else if (line === 'end') {
      if (oneof === undefined) current = undefined
      oneof = undefined
    } else addMember(line, current, oneof)
  }
}

function addMember(line: string, to: NamespaceJson, oneof: string[] | undefined): void {
  const value = /^value :(\w+), (-?\d+)/.exec(line)
  if (value !== null) {
    to.values![value[1]!] = Number(value[2])
    return
  }
  const map = /^map :(\w+), :(\w+), :(\w+), (\d+)(?:, "([^"]+)")?/.exec(line)
  if (map !== null) {
    to.fields![map[1]!] = { keyType: map[2]!, type: map[5] ?? map[3]!, id: Number(map[4]) }
    return
  }
  const field = /^(optional|required|repeated|proto3_optional) :(\w+), :(\w+), (\d+)(?:, "([^"]+)")?/.exec(line)
  if (field === null) return
  const [, rule, name, type, id, named] = field
  to.fields![name!] = {
    type: named ?? type!,
    id: Number(id),
    ...(rule === 'repeated' || rule === 'required' ? { rule } : {}),
  }
  oneof?.push(name!)
}

/** The namespace with this dotted name; missing ones are made. */
function namespaceOf(root: NamespaceJson, name: string): NamespaceJson {
  let at = root
  for (const part of name.split('.')) {
    at.nested ??= {}
    at = at.nested[part] ??= {}
  }
  return at
}
