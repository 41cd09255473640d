import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Workbench } from './workbench.ts'

const workbench = new Workbench(4000)
after(() => workbench.close())

test('trials run in a thread, one after another', async () => {
  const grok = { pattern: '%{WORD:w}', lines: ['abc'], definitions: {}, ecs: false }
  const [first, second] = (await Promise.all([
    workbench.run({ grok }),
    workbench.run({ config: { config: 'filter { mutate { add_tag => ["t"] } }', lines: ['x'], ecs: false } }),
  ])) as [{ lines: { matched: boolean }[] }, { events: { out: { tags: string[] }[] }[] }]
  assert.equal(first.lines[0]!.matched, true)
  assert.deepEqual(second.events[0]!.out[0]!.tags, ['t'])
})

test('a trial that does not end is stopped, and the next one runs', async () => {
  const slow = new Workbench(700)
  const grok = { pattern: '(?<x>(a+)+)$', lines: [`${'a'.repeat(40)}!`], definitions: {}, ecs: false }
  await assert.rejects(
    slow.run({ grok: { ...grok, lines: Array(200).fill(grok.lines[0]) as string[] } }),
    /stopped after 700 ms/,
  )
  await slow.close()
})
