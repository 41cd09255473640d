import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Log } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { withDefaults } from '../plugin/default-options.ts'
import type { Filter } from '../plugin/filter-plugin.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { tightenLimits } from '../ruby/runtime/limits.ts'
import { ruby } from './ruby.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-ruby-'))
after(() => rmSync(folder, { recursive: true }))

const NOW = Date.parse('2024-05-17T10:30:00Z')

function make(options: Record<string, unknown>, log?: Log): Filter {
  const context = { ...testContext(log === undefined ? {} : { log }), succeed() {} }
  return ruby.create(withDefaults(ruby.options, options), context)
}

function eventOf(fields: Record<string, unknown>): Event {
  return Event.ofFields(
    toFieldValue({ '@timestamp': '2024-05-17T10:30:00.000Z', ...fields }) as Fields,
    new Timestamp(NOW),
  )
}

/** The fields after the filter, without those every event has. */
function run(
  options: Record<string, unknown>,
  ...inputs: Record<string, unknown>[]
): { fields: unknown[]; more: unknown[] } {
  const filter = make(options)
  const more: Event[] = []
  const fields = inputs.map((input) => {
    const event = eventOf(input)
    filter.filter(event, more)
    return event.cancelled ? 'cancelled' : shown(event)
  })
  return { fields, more: more.map(shown) }
}

function shown(event: Event): unknown {
  const { '@timestamp': _, '@version': __, ...rest } = JSON.parse(jsonText(event.fields)) as Record<string, unknown>
  return rest
}

test('ruby: code reads and sets fields, and instance variables live from init through all events', () => {
  const { fields } = run(
    { init: '@count = 10', code: "@count += 1\nevent.set('n', @count)\nevent.set('m', event.get('m').upcase)" },
    { m: 'a' },
    { m: 'b' },
  )
  assert.deepEqual(fields, [
    { m: 'A', n: 11 },
    { m: 'B', n: 12 },
  ])
})

test('ruby: new_event_block adds events and cancel drops the current one', () => {
  const code = "event.get('l').each { |x| new_event_block.call(LogStash::Event.new('v' => x)) }\nevent.cancel"
  assert.deepEqual(run({ code }, { l: [1, 2] }), { fields: ['cancelled'], more: [{ v: 1 }, { v: 2 }] })
})

test('ruby: an exception tags the event, keeps what was done before, and is logged with its class and line', () => {
  const lines: unknown[] = []
  const log: Log = { error: (...args) => lines.push(args), warn() {}, info() {}, debug() {} }
  const filter = make({ code: "event.set('a', 1)\nevent.get('nope').length", tag_with_exception_message: true }, log)
  const event = eventOf({})
  assert.equal(filter.filter(event, []), false)
  const message = "undefined method `length' for nil:NilClass"
  assert.deepEqual(shown(event), { a: 1, tags: [`_rubyexception: ${message}`, '_rubyexception'] })
  assert.deepEqual(lines, [[`Ruby exception occurred: ${message}`, { class: 'NoMethodError', line: 2 }]])
})

test('ruby: code that cannot be parsed, and missing libraries, are refused when the pipeline starts', () => {
  const refused: [string, RegExp][] = [
    ["event.set('a', 1", /code, line 1: syntax error/],
    ["require 'net/http'", /require 'net\/http': this library is not available/],
    ["File.read('/etc/passwd')", /cannot reach files/],
    ["system('ls')", /cannot start processes/],
    ['`ls`', /cannot start processes/],
    ['x = 1 +', /syntax error/],
  ]
  for (const [code, message] of refused) assert.throws(() => make({ code }), message, code)
  assert.throws(() => make({ init: 'raise "no"', code: '1' }), /the code of `init` raised RuntimeError: no/)
  assert.throws(() => make({}), /You must set either `code` or `path`/)
})

test('ruby: a script file is registered with its parameters, and the events that filter returns continue', () => {
  const path = join(folder, 'double.rb')
  writeFileSync(
    path,
    `def register(params)
  @field = params["field"]
end
def filter(event)
  return [] if event.get(@field).nil?
  event.set(@field, event.get(@field) * 2)
  [event, LogStash::Event.new("copy" => true)]
end
test "doubles" do
  parameters { { "field" => "x" } }
  in_event { { "x" => 3 } }
  expect("twice") { |events| events.first.get("x") == 6 }
end
`,
  )
  const options = { path, script_params: new Map([['field', 'n']]) }
  assert.deepEqual(run(options, { n: 4 }, { m: 1 }), { fields: [{ n: 8 }, 'cancelled'], more: [{ copy: true }] })
})

test('ruby: a failing test block of a script ends the start', () => {
  const path = join(folder, 'bad.rb')
  writeFileSync(
    path,
    'def filter(e)\n [e]\nend\ntest "t" do\n in_event { {"a" => 1} }\n expect("two") { |l| l.size == 2 }\nend\n',
  )
  assert.throws(() => make({ path }), /TEST FAILURE FOR: 't two'/)
})

/** Code that does not end or that exhausts memory. */
const ENDLESS = [
  'loop { }',
  'while true; end',
  'begin; loop { }; rescue Exception; retry; ensure; loop { }; end',
  'def again(n) = again(n + 1)\nagain(0)',
  "s = 'x'\nloop { s << s }",
  'a = [1]\nloop { a.concat(a) }',
  "'x' * (10**12)",
  'Array.new(10**10)',
  '3 ** 9_000_000',
  'x = 3\nloop { x *= x }',
  "('a' * 60 + 'b') =~ /^(?:(a)|aa)+\\1c$/",
  '(1..Float::INFINITY).to_a',
  '(1..Float::INFINITY).map { |x| x }',
  "h = {}\ni = 0\nloop { h[i += 1] = 'x' * 1000 }",
  "'%999999999d' % 1",
  "'a'.ljust(10**10)",
  'a = []; a[10**9] = 1',
  '[*1..40].permutation.to_a',
  '[1,2,3].cycle { }',
  'a = [1,2,3] * 1000; a.product(a, a)',
]

test('ruby: code that does not end or fills the memory fails for its event only', () => {
  tightenLimits(400_000, 2_000_000)
  for (const code of ENDLESS) {
    const filter = make({ code: `if event.get('bad')\n${code}\nend\nevent.set('ok', true)` })
    const bad = eventOf({ bad: true })
    filter.filter(bad, [])
    assert.deepEqual(shown(bad), { bad: true, tags: ['_rubyexception'] }, code)
    const good = eventOf({})
    filter.filter(good, [])
    assert.deepEqual(shown(good), { ok: true }, code)
  }
})

/** Known techniques to escape from sandboxed interpreters. */
const ESCAPES = `
constructor
event.constructor
event.constructor('return process')()
event.__proto__
event.send(:__proto__)
event.send('constructor')
event.public_send(:constructor)
event.method(:constructor)
event.respond_to?(:constructor) ? raise('found') : nil.constructor
''.constructor.constructor('return process')()
[].constructor
[].__proto__.polluted = 1
{}.__proto__
{}['__proto__']['polluted']
h = {}; h['__proto__'] = { 'polluted' => 1 }; h['x'].polluted
1.constructor
nil.constructor
:a.__lookupGetter__
(1..2).hasOwnProperty('a')
-> { }.prototype
-> { }.apply
-> { }.bind(1)
method(:puts).constructor
method(:puts).unbind.bind(1).constructor
self.class.constructor
self.constructor
self.class.prototype
globalThis
process
require
global
window
this
Function
Function('return 1')
Object.constructor
Object.prototype
Object.getOwnPropertyNames('x')
Object.assign(1)
Symbol.iterator
Array.from([1])
Array.prototype
String.fromCharCode(65)
Object.const_get('Function')
Object.const_get(:constructor)
Object.const_get('__proto__')
Object.const_get('Process')
Kernel.const_get('File').open('x')
Class.new.constructor
Module.new.prototype
Object.new.toString
Object.new.valueOf
Object.new.send('toString')
instance_variable_get('__proto__')
instance_variable_get('@__proto__').foo
instance_variable_set(:@__proto__, 1).foo
instance_variable_get('@constructor').call
event.instance_variable_get('@event').cancel
event.instance_variables.first.foo
event.event
event.fields
event.cls
event.get('constructor').call
event.get('__proto__').call
event.get('[__proto__][x]').call
event.set('[__proto__][polluted]', 1); event.get('x').polluted
event.set('[constructor][prototype][polluted]', 1); {}.polluted
eval('1')
binding.eval('1')
binding.irb
instance_eval('1')
Object.class_eval('1')
Object.instance_eval("@x")
self.class.module_eval('def x; 1; end')
define_method(:x, 'code')
ObjectSpace.each_object { |o| o }
ObjectSpace
GC.start
Thread.new { }
Fiber.new { }
Process.kill(9, 1)
Process.pid
$0.constructor
$LOAD_PATH.first
$PROGRAM_NAME.foo
ENV['PATH'].foo
ARGV.first.foo
STDIN.read
STDOUT.write('x')
$stdout.puts('x')
$stdin.read
IO.read('/etc/passwd')
IO.popen('ls')
File.open('/etc/passwd')
File.write('pwned', 'x')
::File.read('/etc/passwd')
File::read('/etc/passwd')
Object::File.read('/etc/passwd')
Object.const_get(:File).read('/etc/passwd')
File.send(:read, '/etc/passwd')
File.method(:read).call('/etc/passwd')
Dir.entries('/')
Dir['/*']
open('/etc/passwd')
open('|ls')
send(:open, '/etc/passwd')
send(:system, 'ls')
send(:eval, '1')
send(:require, 'fs')
send(:load, '/tmp/x.rb')
send('\`', 'ls')
Kernel.system('ls')
Kernel.send(:system, 'ls')
Kernel.method(:system).call('ls')
Kernel.exec('ls')
Kernel.open('/etc/passwd')
exec('ls')
spawn('ls')
fork { }
syscall(1)
%x(ls)
exit!
abort
at_exit { }
trap('INT') { }
require 'fs'
require 'child_process'
require_relative 'x'
load 'x.rb'
autoload :X, 'x'
Marshal.load("x")
YAML.load("--- !ruby/object:Object {}")
JSON.parse('{"json_class":"File"}', create_additions: true).read
JSON.parse('{"__proto__": {"polluted": 1}}')['x'].polluted
Socket.tcp('127.0.0.1', 80)
TCPSocket.new('127.0.0.1', 80)
Net::HTTP.get('x', '/')
URI.open('http://127.0.0.1')
RubyVM::InstructionSequence.compile('1')
TracePoint.new { }
set_trace_func(nil)
Signal.trap('INT') { }
Java::JavaLang::System.exit(0)
Java::JavaLang::Runtime
java.lang.System.exit(0)
java_import 'java.io.File'
JavaUtilities
"#{'\${process.exit()}'}".foo
"a".gsub(/a/, 'a' => constructor)
'abc'.tap { |s| s.__defineGetter__('x') }
Struct.new(:constructor).new(1).constructor.call
Struct.new(:__proto__).new(1).__proto__.foo
class String; def constructor; super; end; end; 'x'.constructor
class Evil < BasicObject; end; Evil.new.constructor
class Foo; def method_missing(n, *a); super; end; end; Foo.new.constructor
Object.new.singleton_class.prototype
Comparable.instance_method(:==).bind('x').constructor
catch(:x) { throw :x, constructor }
raise Exception.new(constructor)
`
  .trim()
  .split('\n')

test('ruby: an argument may follow a name with ? without a blank', () => {
  const code = `k = 'm'
    a = event.get('a').is_a?String
    l = event.get('l').include?k
    e = event.get('l').empty? ? 1 : 2
    event.set('r', [a, l, e])`
  assert.deepEqual(run({ code }, { a: 'x', l: ['m'] }).fields, [{ a: 'x', l: ['m'], r: [true, true, 2] }])
})

test('ruby: Marshal copies deeply, Socket packs addresses, ENV and texts of YAML are read', () => {
  const code = `
    require 'yaml'
    require 'addressable/uri'
    copy = Marshal.load(Marshal.dump(event.get('h')))
    copy['y'] << 3
    event.set('copy', copy)
    event.set('sock', Socket.sockaddr_in(80, '10.1.2.3').unpack('C*').first(8))
    event.set('v6', Socket.sockaddr_in(0, '2001:db8::1')[8, 16].unpack('n*'))
    event.set('yaml', YAML.load("a: 1\\na: [x, 2]"))
    uri = Addressable::URI.parse('https://u@a.b:8080/x y?q=1')
    event.set('uri', [uri.host, uri.port, uri.path, uri.query_values['q']])
    event.set('env', [ENV['PATH'].nil?, ENV.fetch('SANDPIPER_NO_SUCH', 'none')])`
  const [made] = run({ code }, { h: { x: 1, y: [1, 2] } }).fields
  assert.deepEqual(made, {
    h: { x: 1, y: [1, 2] },
    copy: { x: 1, y: [1, 2, 3] },
    sock: [2, 0, 0, 80, 10, 1, 2, 3],
    v6: [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1],
    yaml: { a: ['x', 2] },
    uri: ['a.b', 8080, '/x y', '1'],
    env: [false, 'none'],
  })
  assert.throws(() => make({ code: "YAML.load_file('x')" }), /only load, safe_load and unsafe_load of a text/)
})

test('ruby: the error that a test block raises is the reason why the script is refused', () => {
  const path = join(folder, 'failing.rb')
  const script = `def filter(event)
  raise 'boom'
end
test 'a test' do
  in_event { { 'm' => 1 } }
  expect('one event') { |events| events.size == 1 }
end
`
  writeFileSync(path, script)
  assert.throws(
    () => make({ path }),
    /Error during test of '.*failing\.rb': 'a test' raised RuntimeError: boom \(line 2\)/,
  )
})

test('ruby: no attempt to leave the interpreter reaches JavaScript, files or processes', () => {
  assert.ok(ESCAPES.length >= 80)
  const folder = process.cwd()
  const before = readdirSync(folder)
  const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype].map(
    (one) => Reflect.ownKeys(one).length,
  )
  const survivors: string[] = []
  for (const attempt of ESCAPES) {
    let outcome = ''
    try {
      const filter = make({
        code: `x = (${attempt.includes(';') || attempt.startsWith('class') ? `begin; ${attempt}; end` : attempt})\nevent.set('reached', x.inspect)`,
      })
      const event = eventOf({})
      filter.filter(event, [])
      outcome = jsonText(event.fields)
    } catch (error) {
      outcome = `refused: ${(error as Error).message}`
    }
    if (/"reached"/.test(outcome)) survivors.push(`${attempt}: ${outcome}`)
    assert.doesNotMatch(outcome, /native code|node:internal|\[object/, attempt)
  }
  // Expressions with a harmless result: it consists of values of the interpreter, not of the JavaScript engine.
  const harmless = [/^binding$/, /^event\.instance_variables/, /Java::JavaLang::Runtime/]
  assert.deepEqual(
    survivors.filter((line) => !harmless.some((known) => known.test(line))),
    [],
  )
  assert.deepEqual(readdirSync(folder), before)
  assert.deepEqual(
    [Object.prototype, Array.prototype, Function.prototype, String.prototype].map((one) => Reflect.ownKeys(one).length),
    prototypes,
  )
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('ruby: a string read from the event changes its field, also when the code has read many fields', () => {
  const names = Array.from({ length: 30 }, (_, i) => `f${i}`)
  const code = `${names.map((name) => `event.get('${name}') << '!'`).join('\n')}\nevent.get('f0') << '?'`
  const { fields } = run({ code }, Object.fromEntries(names.map((name) => [name, name])))
  assert.deepEqual(fields, [Object.fromEntries(names.map((name) => [name, name === 'f0' ? 'f0!?' : `${name}!`]))])
})

test('ruby: the local variables of a block are nil at the start of each run, and a nested run has its own', () => {
  const code = `
    seen = []
    [1, 2].each { |n| seen << (x = (x || 0) + n) }
    depth = proc { |n| m = n * 10; depth.call(n - 1) if n > 0; seen << m }
    depth.call(2)
    kept = [1, 2, 3].map { |n| y = n; proc { y } }
    event.set('seen', seen)
    event.set('kept', kept.map { |one| one.call })`
  assert.deepEqual(run({ code }, {}).fields, [{ seen: [1, 2, 0, 10, 20], kept: [1, 2, 3] }])
})

test('ruby: code that redefines == or nil? of a built-in class gets its own result', () => {
  const code = `
    class ::Array; def ==(other) 'array'; end; end
    class ::NilClass; def nil?; 'nil'; end; end
    event.set('r', [[1] == 'x', nil.nil?, {} == 'x'])`
  assert.deepEqual(run({ code }, {}).fields, [{ r: ['array', 'nil', false] }])
})
