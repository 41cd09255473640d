import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiate } from './media-types.ts'

const VENDOR = 'application/vnd.elasticsearch+json'

function answer(contentType: string | undefined, accept: string | undefined, options = {}): string {
  const negotiated = negotiate(contentType, accept, { hasBody: contentType !== undefined, strict: false, ...options })
  return negotiated.answerType(negotiated.accepted ?? negotiated.bodyFormat ?? 'json')
}

test('the response has the requested type, with its parameters echoed without spaces', () => {
  assert.equal(answer(undefined, undefined), 'application/json')
  assert.equal(answer(undefined, '*/*'), 'application/json')
  assert.equal(answer(undefined, 'text/html'), 'application/json')
  assert.equal(answer(undefined, 'application/json; charset=utf-8'), 'application/json;charset=utf-8')
  assert.equal(answer(undefined, `${VENDOR}; compatible-with=8`), `${VENDOR};compatible-with=8`)
  assert.equal(answer(undefined, `${VENDOR}; compatible-with=8,text/plain`), 'application/json')
  assert.equal(
    answer(undefined, 'application/vnd.elasticsearch+x-ndjson;compatible-with=8'),
    `${VENDOR};compatible-with=8`,
  )
  assert.equal(answer(undefined, 'application/yaml'), 'application/yaml')
  assert.equal(answer('application/yaml', undefined), 'application/yaml')
})

test('clients of the major versions 7, 8 and 9 are accepted side by side', () => {
  for (const major of [7, 8, 9]) {
    const type = `${VENDOR};compatible-with=${major}`
    assert.equal(answer(type, type), type)
  }
})

test('strict mode rejects what Elasticsearch 8 rejects, also after the same headers were accepted', () => {
  const type = `${VENDOR}; compatible-with=9`
  assert.equal(answer(type, type), `${VENDOR};compatible-with=9`)
  assert.throws(() => answer(type, type, { strict: true }), {
    message: 'Invalid media-type value on headers [Accept, Content-Type]',
  })
})

test('a version in only one header, or two different versions, is rejected if there is a body', () => {
  const eight = `${VENDOR};compatible-with=8`
  for (const [contentType, accept] of [
    ['application/json', eight],
    [eight, 'application/json'],
    [eight, undefined],
    [`${VENDOR};compatible-with=7`, eight],
    [`${VENDOR};compatible-with=9`, undefined],
  ] as const) {
    assert.throws(() => answer(contentType, accept), /Invalid media-type value on headers \[Accept, Content-Type\]/)
    assert.doesNotThrow(() => answer(contentType, accept, { hasBody: false }))
    assert.throws(() => answer(contentType, accept), /Invalid media-type value on headers \[Accept, Content-Type\]/)
  }
})

test('unknown media types have no format, and malformed ones are rejected', () => {
  const options = { hasBody: true, strict: false }
  assert.equal(negotiate('text/plain', undefined, options).bodyFormat, undefined)
  assert.equal(negotiate('application/json, application/json', undefined, options).bodyFormat, undefined)
  assert.equal(negotiate('Application/JSON; charset=UTF-8', undefined, options).bodyFormat, 'json')
  assert.throws(() => negotiate('foo', undefined, options), /Invalid media-type value on headers \[Content-Type\]/)
  assert.throws(() => negotiate(undefined, 'a/b;c', options), /Invalid media-type value on headers \[Accept\]/)
})
