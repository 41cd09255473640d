import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

async function holds(condition: string, event: Record<string, unknown>): Promise<boolean | 'dropped'> {
  const config = `filter { if ${condition} { mutate { add_field => { "r" => "yes" } } } }`
  const [out] = await runFilters(config, [event])
  return out === undefined ? 'dropped' : out['r'] === 'yes'
}

// Goal: conditions have the truth rules of Logstash. Method: one condition and one event at a time.
test('a condition evaluates as in Logstash', async () => {
  const cases: [string, Record<string, unknown>, boolean | 'dropped'][] = [
    ['[a]', { a: 0 }, true],
    ['[a]', { a: 'false' }, false],
    ['[a]', { a: '' }, false],
    ['![a]', {}, true],
    ['[a] == 5', { a: '5' }, false],
    ['[a] == 5.0', { a: 5 }, true],
    ['[a] == [b]', {}, true],
    ['[a] != "x"', {}, true],
    ['[a] < "10"', { a: '1' }, true],
    ['[a] > 5', { a: '9' }, 'dropped'],
    ['[a] > 5', {}, 'dropped'],
    ['[a] =~ "^b"', { a: 'a\nb' }, true],
    ['[a] =~ /a.b/', { a: 'a\nb' }, false],
    ['[a] !~ /x/', { a: 5 }, true],
    ['[a] in ["1","2"]', { a: 1 }, true],
    ['[a] in ["x"]', { a: 'x' }, false],
    ['"x" in [tags]', { tags: ['x'] }, true],
    ['"x" not in [tags]', {}, true],
    ['1 in [b]', { b: ['1'] }, false],
    ['[a] in "hello"', { a: 'ell' }, true],
    ['"b" in "abc"', {}, true],
    ['"a" in ["a", "b"]', {}, true],
    ['["a", "b"] in "a"', {}, true],
    ['["a", "b"] in "c"', {}, false],
    ['[a] or [b] and [c]', { a: 1 }, true],
    ['([a] or [b]) and [c]', { a: 1 }, false],
    ['[a] nand [b]', { a: 1, b: 1 }, false],
    ['[a] xor [b]', { a: 1 }, true],
    ['[a][b][-1] == "y"', { a: { b: ['x', 'y'] } }, true],
    ['[constructor]', {}, false],
    ['[a] <= "5"', { a: true }, true],
    ['[a] >= 5', { a: false }, true],
    ['[a] < "5"', { a: true }, false],
  ]
  for (const [condition, event, expected] of cases) {
    assert.equal(await holds(condition, event), expected, `${condition} on ${JSON.stringify(event)}`)
  }
})

test('xor and nand cannot be combined with other operators without parentheses', async () => {
  await assert.rejects(runFilters('filter { if [a] xor [b] and [c] { drop { } } }', []), /write parentheses/)
})
