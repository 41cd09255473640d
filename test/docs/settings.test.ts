/** Goal: the page of settings is complete and right. Every setting of the service and of the pipeline tool has an example that is accepted. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseFlags } from '../../src/cli/pipeline/pipeline-settings.ts'
import { DEFINITIONS, DIFFERENCES } from '../../src/cli/pipeline/setting-definitions.ts'
import { describeSettings, readSettings } from '../../src/cli/serve/settings.ts'

const PAGE = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'manual', 'settings.md')
const [, service = '', pipeline = ''] = readFileSync(PAGE, 'utf8').split(/^## sandpiper .*$/m)

/** The examples of a part of the page, as arguments. */
function examples(part: string): string[][] {
  return [...part.matchAll(/^\| `(--[^`]+)` \|/gm)].map(([, text]) => text!.split(' '))
}

const first = (args: readonly string[]) => args[0]!.slice('--'.length)

test('every flag of the service has an example on the page, and no other has', () => {
  const flags = [...describeSettings().matchAll(/^ *--([a-z-]+) /gm)].map(([, name]) => name!)
  assert.deepEqual(
    examples(service).map(first),
    flags.filter((name) => name !== 'config').sort(byPage(examples(service))),
  )
})

test('the service accepts every example of the page', () => {
  for (const args of examples(service)) assert.doesNotThrow(() => readSettings(args, {}), args.join(' '))
  for (const [, name, value] of service.matchAll(/^\| `(SANDPIPER_\w+)=([^`]+)` \|/gm)) {
    if (name === 'SANDPIPER_CONFIG') continue
    assert.deepEqual(readSettings(['--cluster', 'http://a:9200'], { [name!]: value! }).warnings, [], name)
  }
})

test('every setting of the pipeline tool has an example on the page that is accepted, and no other has', () => {
  assert.deepEqual(examples(pipeline).map(first).sort(), Object.keys(DEFINITIONS).sort())
  for (const args of examples(pipeline)) {
    const { flags } = parseFlags(args)
    assert.equal(flags.size, 1, args.join(' '))
  }
})

test('the page names every setting without effect, with its reason', () => {
  const named = new Map([...pipeline.matchAll(/^\| `([a-z_.-]+)` \| (.+) \|$/gm)].map(([, name, why]) => [name!, why!]))
  const differences = Object.entries(DIFFERENCES).map(([name, { because, isRefused }]) => [
    name,
    `${isRefused ? 'refused' : 'no effect'}: ${because}`,
  ])
  assert.deepEqual(Object.fromEntries(named), Object.fromEntries(differences))
})

/** The order of the page, so that a difference shows the names only. */
function byPage(given: readonly string[][]): (a: string, b: string) => number {
  const order = given.map(first)
  return (a, b) => order.indexOf(a) - order.indexOf(b)
}
