/** Finds the message type that a codec reads and writes, in `.proto` files or in the Ruby files that protoc generates from them. */
import { readFileSync } from 'node:fs'
import { loadOptional } from '../plugin/optional-package.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { addCalledDefinitions, type NamespaceJson, serializedDescriptor } from './ruby-definitions.ts'

export interface MessageType {
  readonly fullName: string
  readonly oneofs?: Readonly<Record<string, { readonly name: string; readonly oneof: readonly string[] }>>
  decode(bytes: Uint8Array): object
  encode(message: object): { finish(): Uint8Array }
  fromObject(object: object): object
  toObject(message: object, options: object): Record<string, unknown>
}

interface Root {
  loadSync(path: string, options: { keepCase: boolean }): Root
  resolveAll(): Root
  addJSON(nested: Record<string, NamespaceJson>): Root
  nestedArray: unknown[]
  resolvePath: (origin: string, target: string) => string | null
}

export interface Protobuf {
  readonly Root: { new (): Root; fromDescriptor(set: unknown): Root }
  readonly Type: new (...args: never[]) => MessageType
}

interface Descriptor {
  readonly FileDescriptorProto: { decode(bytes: Uint8Array): object }
}

export function messageType(name: string, paths: readonly string[]): MessageType {
  const protobuf = loadOptional<Protobuf>('protobufjs', 'the protobuf codec')
  const types: MessageType[] = []
  try {
    for (const root of rootsOf(protobuf, paths)) collectTypes(root, protobuf, types)
  } catch (error) {
    throw new PluginOptionError(`the definitions in ${paths.join(', ')} cannot be read: ${(error as Error).message}`)
  }
  // Ruby writes Package::Name for what protobuf calls package.Name.
  const wanted = name.replaceAll('::', '.').toLowerCase()
  const found =
    types.find(({ fullName }) => fullName.slice(1).toLowerCase() === wanted) ??
    types.find(({ fullName }) => fullName.toLowerCase().endsWith(`.${wanted}`))
  if (found !== undefined) return found
  const known = types.map(({ fullName }) => fullName.slice(1)).join(', ')
  throw new PluginOptionError(
    `class_name "${name}" is not defined in ${paths.join(', ')}; there are ${known || 'none'}`,
  )
}

function rootsOf(protobuf: Protobuf, paths: readonly string[]): Root[] {
  const called: NamespaceJson = {}
  const serialized: object[] = []
  const plain = new protobuf.Root()
  for (const path of paths) {
    if (!path.endsWith('.rb')) {
      plain.loadSync(path, { keepCase: true })
      continue
    }
    const ruby = readFileSync(path, 'utf8')
    const bytes = serializedDescriptor(ruby)
    if (bytes === undefined) addCalledDefinitions(ruby, called)
    else serialized.push(descriptorPackage().FileDescriptorProto.decode(bytes))
  }
  if (called.nested !== undefined) plain.addJSON(called.nested)
  const roots = [plain.resolveAll()]
  if (serialized.length > 0) roots.push(protobuf.Root.fromDescriptor({ file: serialized }).resolveAll())
  return roots
}

/** Adds `Root.fromDescriptor` when it is loaded. */
function descriptorPackage(): Descriptor {
  return loadOptional<Descriptor>('protobufjs/ext/descriptor', 'the protobuf codec')
}

function collectTypes(from: { nestedArray?: unknown[] }, protobuf: Protobuf, types: MessageType[]): void {
  for (const item of from.nestedArray ?? []) {
    if (item instanceof protobuf.Type) types.push(item)
    collectTypes(item as { nestedArray?: unknown[] }, protobuf, types)
  }
}
