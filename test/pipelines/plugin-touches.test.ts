/**
 * Checks the declarations `touches` of all registered plugins. Every plugin is created with each of its options in
 * turn, and filters also run, while the functions of Node that open files, addresses and programs report their use.
 */
import assert from 'node:assert/strict'
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { parseConfig } from '../../src/pipeline/config/parser.ts'
import { dryRunSettings } from '../../src/pipeline/dry-run/run-filters.ts'
import { Event } from '../../src/pipeline/event/event.ts'
import { Timestamp } from '../../src/pipeline/event/timestamp.ts'
import { withDefaults } from '../../src/pipeline/plugin/default-options.ts'
import type { OptionSpec, OptionTable } from '../../src/pipeline/plugin/options.ts'
import { EVERYTHING, nothingOutside, type Touches } from '../../src/pipeline/plugin/touches.ts'
import { CODECS, FILTERS, INPUTS, OUTPUTS } from '../../src/pipeline/registry/registry.ts'
import { BatchRunner } from '../../src/pipeline/runner/batch-runner.ts'
import { buildPipeline, checkSections } from '../../src/pipeline/runner/build.ts'

/** No such file exists, and nothing of the program has it in a path. */
const PLACE = '/sandpiper-canary/place'
const SECTIONS = { input: INPUTS, filter: FILTERS, output: OUTPUTS, codec: CODECS } as const
const LIMITED = nothingOutside('ask somebody')

type Caught = Exclude<Touches, 'nothing'>
const caught: { touches: Caught; call: string }[] = []
const restore: (() => void)[] = []

/** Replaces functions by ones that note a use and fail. Access to files counts when it is to the place. */
function trap(module: object, touches: Caught, names: readonly string[]): void {
  const functions = module as Record<string, (...args: unknown[]) => unknown>
  for (const name of names) {
    const original = functions[name]!
    functions[name] = function (this: unknown, ...args: unknown[]) {
      const isOurs = touches !== 'files' || args.some((arg) => String(arg).includes(PLACE))
      if (!isOurs) return original.apply(this, args)
      caught.push({ touches, call: name })
      throw new Error(`${name} was called`)
    }
    restore.push(() => {
      functions[name] = original
    })
  }
}

const namesOf = (module: object) =>
  Object.keys(module).filter((name) => /^[a-z]/.test(name) && typeof module[name as never] === 'function')

before(() => {
  trap(fs, 'files', namesOf(fs))
  trap(fs.promises, 'files', namesOf(fs.promises))
  trap(childProcess, 'processes', ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'])
  trap(net.Socket.prototype, 'network', ['connect'])
  trap(net.Server.prototype, 'network', ['listen'])
  trap(dgram.Socket.prototype, 'network', ['bind', 'send', 'connect'])
  trap(dns.promises, 'network', ['lookup', 'resolve', 'reverse'])
  trap(dns, 'network', ['lookup', 'resolve', 'reverse'])
  syncBuiltinESMExports()
})

after(() => {
  for (const undo of restore) undo()
  syncBuiltinESMExports()
})

/** Values of the kind of an option that would make a plugin reach for the place or an address. */
function valuesFor({ kind, words }: OptionSpec<unknown>): string[] {
  if (kind === 'number') return ['1']
  if (kind === 'boolean') return ['true', 'false']
  if (kind === 'bytes') return ['"1mb"']
  if (kind === 'enumeration') return words!.map((word) => `"${word}"`)
  if (kind === 'codec') return ['plain']
  if (kind === 'hash') return [`{ "${PLACE}" => "${PLACE}" }`, '{ "message" => "http://127.0.0.1:9/x" }']
  if (kind === 'array' || kind === 'strings') return [`["${PLACE}"]`, '["127.0.0.1:9"]']
  if (kind === 'field') return ['"message"']
  return [`"${PLACE}"`, '"http://127.0.0.1:9/x"']
}

const REQUIRED: Readonly<Record<string, string>> = {
  'filter ruby code': '"event.set(1, 1)"',
  'filter aggregate code': '"map"',
  'filter date match': '["message", "ISO8601"]',
}

const usable = (options: OptionTable) => Object.entries(options).filter(([, spec]) => spec.obsolete === undefined)

/** Configurations with the options that must be given and one more. */
function* configurations(kind: keyof typeof SECTIONS, name: string, options: OptionTable): Generator<[string, string]> {
  const needed = usable(options).filter(([, spec]) => spec.required)
  const given = (option: string, spec: OptionSpec<unknown>) =>
    REQUIRED[`${kind} ${name} ${option}`] ?? valuesFor(spec)[0]!
  const rest = (without: string) =>
    needed.filter(([option]) => option !== without).map(([option, spec]) => `${option} => ${given(option, spec)}`)
  const written = (parts: readonly string[]) =>
    kind === 'codec'
      ? `input { stdin { codec => ${name} { ${parts.join(' ')} } } }`
      : `${kind} { ${name} { ${parts.join(' ')} } }`
  yield ['', written(rest(''))]
  for (const [option, spec] of usable(options)) {
    for (const value of valuesFor(spec)) yield [option, written([...rest(option), `${option} => ${value}`])]
  }
}

async function use(kind: keyof typeof SECTIONS, config: string, mayTouch: typeof EVERYTHING): Promise<void> {
  const settings = dryRunSettings({ mayTouch })
  const sections = parseConfig(config)
  // Filters that are refused because of what they do when they run are created all the same.
  await checkSections(sections, settings).catch(() => {})
  if (kind !== 'filter') return
  const { filters } = await buildPipeline(sections, settings)
  const runner = new BatchRunner(filters, silentLog)
  const event = Event.ofMessage(PLACE, new Timestamp(0))
  event.set('host', '127.0.0.1')
  await runner.run([event])
  for (const step of filters) if (step.op === 'filter') await step.filter.close?.()
}

for (const kind of ['filter', 'codec', 'input', 'output'] as const) {
  test(`every ${kind} reaches only what it and its options declare`, async () => {
    for (const [name, load] of Object.entries(SECTIONS[kind])) {
      const { options } = await load()
      for (const [option, config] of configurations(kind, name, options)) {
        caught.length = 0
        // A value of no meaning may well be refused.
        await use(kind, config, LIMITED).catch(() => {})
        assert.deepEqual(caught, [], `${config} (${option})`)
      }
    }
  })
}

test('a filter or option that reaches further than allowed is refused before its value is looked at', async () => {
  let refused = 0
  for (const [name, load] of Object.entries(FILTERS)) {
    const plugin = await load()
    for (const [option, config] of configurations('filter', name, plugin.options)) {
      const given = plugin.options[option]
      const spec = given?.renamedTo === undefined ? given : plugin.options[given.renamedTo]
      if (plugin.touches === 'nothing' && (spec?.touches ?? 'nothing') === 'nothing') continue
      refused++
      caught.length = 0
      await assert.rejects(
        use('filter', config, LIMITED),
        /is not tried here, since it reaches .*\n?.*ask somebody/s,
        config,
      )
      assert.deepEqual(caught, [])
    }
  }
  assert.ok(refused > 40)
})

test('an option without a declaration would be found', async () => {
  caught.length = 0
  await use('filter', `filter { cidr { address => ["%{message}"] network_path => "${PLACE}" } }`, EVERYTHING).catch(
    () => {},
  )
  assert.deepEqual(new Set(caught.map(({ touches }) => touches)), new Set(['files']))
  caught.length = 0
  const rest = 'filter { rest { request => { "url" => "http://127.0.0.1:9/x" } target => "r" } }'
  await use('filter', rest, EVERYTHING).catch(() => {})
  assert.deepEqual(new Set(caught.map(({ touches }) => touches)), new Set(['network']))
})

test('the defaults of all options declare what they reach', async () => {
  for (const [kind, loaders] of Object.entries(SECTIONS)) {
    for (const [name, load] of Object.entries(loaders)) {
      const plugin = await load()
      const defaults = withDefaults(plugin.options, {})
      const paths = Object.entries(defaults).filter(([, value]) => typeof value === 'string' && /^\/[^/]/.test(value))
      for (const [option] of paths) {
        const { touches } = plugin.options[option]!
        assert.ok(touches !== undefined || plugin.touches !== 'nothing', `${kind} ${name} ${option}`)
      }
    }
  }
})
