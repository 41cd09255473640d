import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFieldValue } from '../event/fields.ts'
import { compileMustache } from './mustache.ts'

const FIELDS = toFieldValue({
  host: 'a<b',
  nested: { level: 3 },
  items: [{ name: 'x' }, { name: 'y' }],
  tags: ['one', 'two'],
  off: false,
})

test('values are escaped unless they are not to be', () => {
  const cases: [string, string][] = [
    ['plain', 'plain'],
    ['{{host}} {{{host}}} {{& host }}', 'a&lt;b a<b a<b'],
    ['{{nested.level}}{{nested.none}}{{none}}', '3'],
    ['{{#items}}{{name}}@{{host}} {{/items}}', 'x@a&lt;b y@a&lt;b '],
    ['{{#tags}}[{{.}}]{{/tags}}', '[one][two]'],
    ['{{#off}}on{{/off}}{{^off}}off{{/off}}{{^none}}none{{/none}}{{^tags}}no{{/tags}}', 'offnone'],
    ['a{{! nothing }}b', 'ab'],
  ]
  for (const [template, expected] of cases) assert.equal(compileMustache(template)(FIELDS), expected, template)
})

test('sections that do not match are refused', () => {
  assert.throws(() => compileMustache('{{#a}}'), /the section \{\{#a\}\} is not closed/)
  assert.throws(() => compileMustache('{{#a}}{{/b}}'), /\{\{\/b\}\} closes no section/)
})
