import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFieldValue } from '../event/fields.ts'
import { compileMailTemplate } from './mail-template.ts'

const FIELDS = toFieldValue({
  host: 'a<b',
  nested: { level: 3 },
  items: [{ name: 'x' }, { name: 'y' }],
  tags: ['one', 'two'],
  off: false,
})

test('mail templates escape values for HTML unless the tag requests plain text', () => {
  const cases: [string, string][] = [
    ['plain', 'plain'],
    ['{{host}} {{{host}}} {{& host }}', 'a&lt;b a<b a<b'],
    ['{{nested.level}}{{nested.none}}{{none}}', '3'],
    ['{{#items}}{{name}}@{{host}} {{/items}}', 'x@a&lt;b y@a&lt;b '],
    ['{{#tags}}[{{.}}]{{/tags}}', '[one][two]'],
    ['{{#off}}on{{/off}}{{^off}}off{{/off}}{{^none}}none{{/none}}{{^tags}}no{{/tags}}', 'offnone'],
    ['a{{! nothing }}b', 'ab'],
  ]
  for (const [template, expected] of cases) assert.equal(compileMailTemplate(template)(FIELDS), expected, template)
})

test('mail templates reject sections that are not closed or closed by another name', () => {
  assert.throws(() => compileMailTemplate('{{#a}}'), /Failed to close 'a' tag/)
  assert.throws(() => compileMailTemplate('{{#a}}{{/b}}'), /Mismatched start\/end tags: a != b/)
})

test('mail templates do not have the functions of search templates', () => {
  assert.equal(compileMailTemplate('{{#toJson}}x{{/toJson}}{{^url}}y{{/url}}')(FIELDS), 'y')
})

test('an empty string opens a section of a mail template', () => {
  assert.equal(compileMailTemplate('{{#empty}}yes{{/empty}}')(toFieldValue({ empty: '' })), 'yes')
})
