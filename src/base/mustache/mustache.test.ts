import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchTemplateStyle, Template } from './mustache.ts'
import { MustacheError } from './mustache-parser.ts'

const render = (source: string, parameters: Record<string, unknown>) => new Template(source).render(parameters)

test('variables in double braces are JSON-escaped, variables in triple braces are written unchanged', () => {
  assert.equal(render('"{{a}}"', { a: 'say "hi"\n' }), '"say \\"hi\\"\\n"')
  assert.equal(render('{{{a}}} {{&a}}', { a: '"x"' }), '"x" "x"')
  assert.equal(render('[{{missing}}]', {}), '[]')
  assert.equal(render('{{ a.b.1 }} {{a.b.size}}', { a: { b: [7, 8] } }), '8 2')
  assert.equal(render('{{list}} {{map}}', { list: [1, 'x', null], map: { k: true } }), '[1, x, null] {k=true}')
})

test('a section repeats for a list, enters an object, and is omitted for a false value', () => {
  assert.equal(render('{{#list}}<{{.}}>{{/list}}', { list: [1, 2] }), '<1><2>')
  assert.equal(render('{{#user}}{{name}}/{{outer}}{{/user}}', { user: { name: 'ann' }, outer: 'o' }), 'ann/o')
  assert.equal(render('{{#on}}yes{{/on}}{{^on}}no{{/on}}', { on: false }), 'no')
  assert.equal(render('{{#size}}{{size}}{{/size}}{{^size}}10{{/size}}', {}), '10')
  assert.equal(render('{{#zero}}zero{{/zero}}{{#empty}}empty{{/empty}}', { zero: 0, empty: '' }), 'zero')
})

test('the functions toJson, join and url are applied', () => {
  assert.equal(render('{{#toJson}}terms{{/toJson}}', { terms: { status: ['a', 'b'] } }), '{"status":["a","b"]}')
  assert.equal(render('"{{#join}}names{{/join}}"', { names: ['a', 'b'] }), '"a,b"')
  assert.equal(render("{{#join delimiter='||'}}d{{/join delimiter='||'}}", { d: ['x', 'y'] }), 'x||y')
  assert.equal(render('{{#url}}{{host}}/a b{{/url}}', { host: 'h:1' }), 'h%3A1%2Fa+b')
})

test('comments, custom delimiters and other content types are supported', () => {
  assert.equal(render('a{{! note }}b{{=<% %>=}}<%x%>{{x}}', { x: 1 }), 'ab1{{x}}')
  assert.equal(new Template('{{a}}', searchTemplateStyle('text/plain')).render({ a: '"' }), '"')
})

test('a malformed template is rejected', () => {
  const refusal = (source: string) => {
    try {
      new Template(source)
    } catch (error) {
      if (error instanceof MustacheError) return error.message
      throw error
    }
    return undefined
  }
  assert.equal(refusal('{{a'), 'Improperly closed variable in query-template:1 @[query-template:1]')
  assert.match(refusal('{{#a}}x')!, /Failed to close 'a' tag/)
  assert.match(refusal('{{#a}}{{/b}}')!, /Mismatched start\/end tags: a != b/)
  assert.match(refusal('{{>other}}')!, /partial templates are not supported/)
  assert.equal(
    refusal('{{#toJson}}{{a}}{{/toJson}}'),
    'Mustache function [toJson] must contain one and only one identifier',
  )
})
