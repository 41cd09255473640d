import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PathPatterns } from './path-patterns.ts'

/** Whether a pattern matches the path or one of the objects around it. */
function isMatched(pattern: string, path: string): boolean {
  const regex = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const parts = path.split('.')
  return parts.some((_, i) => regex.test(parts.slice(0, i + 1).join('.')))
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), minLength: 1, maxLength: 8 })
const path = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
})

test('a path is accepted if a pattern matches it or an object around it', () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 20 }), path, (patterns, names) => {
      const text = names.join('.')
      const set = new PathPatterns(patterns)
      // The dots are separate steps, as a filter takes them.
      let state = set.start
      names.forEach((name, i) => {
        if (i > 0) state = set.step(state, '.')
        state = set.step(state, name)
      })
      assert.equal(
        set.accepts(state),
        patterns.some((pattern) => isMatched(pattern, text)),
      )
    }),
  )
})

test('a state that cannot match any more is empty', () => {
  const set = new PathPatterns(['a.b', 'c*d.e'])
  assert.equal(set.step(set.start, 'b').length, 0)
  assert.notEqual(set.step(set.start, 'cxxx').length, 0)
  assert.equal(set.step(set.step(set.start, 'cxd'), 'x.').length > 0, true)
  assert.equal(new PathPatterns([]).start.length, 0)
})

test('thousands of patterns with wildcards are matched with thousands of names in a moment', () => {
  const set = new PathPatterns(Array.from({ length: 1200 }, (_, i) => `*f*${i}*`))
  const startedAt = process.cpuUsage()
  let accepted = 0
  for (let i = 0; i < 8000; i++) if (set.accepts(set.step(set.start, `f${i}`))) accepted++
  const { user } = process.cpuUsage(startedAt)
  assert.equal(accepted, 8000)
  assert.ok(user < 1_000_000, `${user / 1000} ms`)
})
