/**
 * Calls that are rejected when the pipeline starts, because they would fail for every event: files, sockets, processes,
 * `eval`, other libraries.
 */
import { type CallNode, RubySyntaxError } from '../syntax/ast.ts'

/** Libraries whose classes are available with or without `require`. */
const LIBRARIES = new Set([
  'json', 'date', 'time', 'set', 'digest', 'digest/md5', 'digest/sha1', 'digest/sha2', 'digest/sha256', 'base64', 'securerandom', 'ipaddr', 'uri', 'cgi',
  'cgi/util', 'csv', 'bigdecimal', 'bigdecimal/util', 'openssl', 'zlib', 'logstash/event', 'logstash/timestamp', 'logstash/json', 'logstash/util', 'logstash/namespace',
  'logstash/filters/base', 'logstash-core', 'java', 'English', 'erb', 'ostruct', 'rational', 'enumerator', 'thread', 'stringio', 'strscan', 'forwardable',
  'yaml', 'psych', 'addressable', 'addressable/uri', 'deep_merge', 'deep_merge/core', 'singleton', 'comparable', 'delegate', 'observer', 'pp', 'rubygems', 'etc', 'socket',
]) // biome-ignore format: a list

const LIBRARIES_MISSING = new Set(['erb', 'stringio', 'strscan', 'delegate', 'observer', 'java', 'etc', 'thread'])

export function isLibrary(name: string): boolean {
  return LIBRARIES.has(name) && !LIBRARIES_MISSING.has(name)
}

const FUNCTIONS: Readonly<Record<string, string>> = Object.assign(Object.create(null) as Record<string, string>, {
  system: 'start processes',
  exec: 'start processes',
  spawn: 'start processes',
  fork: 'start processes',
  eval: 'evaluate text as code',
  load: 'load files',
  require_relative: 'load files',
  autoload: 'load files',
  open: 'open files',
  set_trace_func: 'watch the interpreter',
  trap: 'handle signals',
  gets: 'read from standard input',
  readline: 'read from standard input',
  readlines: 'read from standard input',
})

/** Ruby classes that access the system. `File` has only the methods that work on a path as text. */
const CLASSES: Readonly<Record<string, string>> = Object.assign(Object.create(null) as Record<string, string>, {
  IO: 'reach files',
  Dir: 'reach files',
  FileUtils: 'reach files',
  Pathname: 'reach files',
  Tempfile: 'reach files',
  Thread: 'start threads',
  Fiber: 'start threads',
  Ractor: 'start threads',
  Process: 'start processes',
  ObjectSpace: 'look through the memory',
  GC: 'steer the memory',
  TracePoint: 'watch the interpreter',
  RubyVM: 'look into the interpreter',
  TCPSocket: 'open connections',
  UDPSocket: 'open connections',
  TCPServer: 'open connections',
  Net: 'open connections',
  Resolv: 'open connections',
  PTY: 'start processes',
  Open3: 'start processes',
  Fiddle: 'load libraries',
  JavaClass: 'reach Java',
})
const FILE_METHODS = new Set(['basename', 'dirname', 'extname', 'join', 'split'])

const YAML_CLASSES = new Set(['YAML', 'Psych'])
const YAML_METHODS = new Set(['load', 'safe_load', 'unsafe_load'])

/** Throws a `RubySyntaxError` for a call that cannot work. */
export function rejectExcluded({ receiver, name, args, line }: CallNode): void {
  if (receiver === undefined) {
    const first = args[0]
    if (name === 'require' && first?.type === 'str' && !isLibrary(first.value)) {
      throw new RubySyntaxError(
        `require '${first.value}': this library is not available in the ruby filter. Available are ${available()}`,
        line,
      )
    }
    // The code may define a method of the same name, and without arguments the name may be a variable.
    const why = args.length > 0 ? FUNCTIONS[name] : undefined
    if (why !== undefined) throw new RubySyntaxError(`${name}: code of the ruby filter cannot ${why}`, line)
    return
  }
  if (receiver.type !== 'const' || (receiver.scope !== undefined && receiver.scope !== 'top')) return
  if (receiver.name === 'Kernel' && FUNCTIONS[name] !== undefined)
    throw new RubySyntaxError(`Kernel.${name}: code of the ruby filter cannot ${FUNCTIONS[name]}`, line)
  const why = CLASSES[receiver.name]
  if (why !== undefined)
    throw new RubySyntaxError(`${receiver.name}.${name}: code of the ruby filter cannot ${why}`, line)
  if (YAML_CLASSES.has(receiver.name) && !YAML_METHODS.has(name))
    throw new RubySyntaxError(
      `${receiver.name}.${name}: only load, safe_load and unsafe_load of a text are available`,
      line,
    )
  if (receiver.name === 'File' && !FILE_METHODS.has(name))
    throw new RubySyntaxError(`File.${name}: code of the ruby filter cannot reach files`, line)
}

function available(): string {
  return [...LIBRARIES]
    .filter(
      (name) =>
        isLibrary(name) &&
        !/[/]|^(logstash|rubygems|rational|enumerator|comparable|pp|singleton|forwardable)/.test(name),
    )
    .join(', ')
}
