import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandPattern } from '../../text/grok/expand.ts'
import { stockPatternNames, stockPatterns } from '../../text/grok/stock-patterns.ts'
import { runFilters } from '../dry-run/run-filters.ts'
import { cutPieces, explainMatch } from './explain.ts'
import { GrokPattern } from './grok-pattern.ts'
import { parsePatternFile } from './pattern-files.ts'

async function grok(pattern: string, line: string, options = ''): Promise<Record<string, unknown>> {
  const [event] = await runFilters(`filter { grok { match => { "message" => '${pattern}' } ${options} } }`, [line])
  const { message: _message, '@timestamp': _time, '@version': _version, ...rest } = event!
  return rest
}

// Goal: every pattern of the library works. Method: every pattern of both sets is expanded and compiled. Every
// expression that results is run on a text of one-byte and one of two-byte characters, once if both sets have it.
test('all stock patterns of both sets compile and run', () => {
  const run = new Set<string>()
  for (const ecs of ['disabled', 'v1'] as const) {
    const names = stockPatternNames(ecs)
    assert.ok(names.length > 300, `${ecs}: ${names.length}`)
    assert.equal(new Set(names).size, names.length)
    for (const name of names) {
      const pattern = new GrokPattern(`%{${name}:x}`, stockPatterns(ecs), { namedOnly: true })
      if (run.has(pattern.expression)) continue
      run.add(pattern.expression)
      pattern.exec('Dec 23 12:11:43 louis postfix/smtpd[31499]: connect from unknown[95.75.93.154]')
      pattern.exec('Grüße ☃ 10.0.0.1 "quoted"')
    }
  }
})

test('COMBINEDAPACHELOG extracts its fields in both layouts', async () => {
  const line =
    '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326 "http://x/" "Mozilla/4.08 (a \\"b\\")"'
  assert.deepEqual(await grok('%{COMBINEDAPACHELOG}', line, 'ecs_compatibility => disabled'), {
    clientip: '127.0.0.1',
    ident: '-',
    auth: 'frank',
    timestamp: '10/Oct/2000:13:55:36 -0700',
    verb: 'GET',
    request: '/a.gif',
    httpversion: '1.0',
    response: '200',
    bytes: '2326',
    referrer: '"http://x/"',
    agent: '"Mozilla/4.08 (a \\"b\\")"',
  })
  const ecs = await grok('%{COMBINEDAPACHELOG}', line)
  assert.deepEqual(ecs['source'], { address: '127.0.0.1' })
  assert.deepEqual((ecs['http'] as { response: unknown }).response, { status_code: 200, body: { bytes: 2326 } })
})

test('captures may be typed, nested, repeated and converted', async () => {
  assert.deepEqual(await grok('%{NUMBER:[n][i]:int} %{NUMBER:f:float} %{WORD:w} %{WORD:w}', '42.9 3 a b'), {
    n: { i: 42 },
    f: 3,
    w: ['a', 'b'],
  })
  assert.deepEqual(await grok('(?<code>[A-F0-9]{4}) %{ID:q=[0-9]+} %{WORD}', 'BEEF 77 x'), { code: 'BEEF', q: '77' })
  assert.deepEqual(await grok('%{WORD} %{INT}', 'a 5', 'named_captures_only => false'), { WORD: 'a', INT: '5' })
  assert.deepEqual(await grok('<(?<e>.*?)>(?<n>x)?', '<>', 'keep_empty_captures => true'), { e: '', n: null })
})

test('a line that matches no pattern is tagged, and a timeout gets a tag of its own', async () => {
  assert.deepEqual(await grok('%{INT:i}', 'abc'), { tags: ['_grokparsefailure'] })
  // A back reference keeps the matcher from recording failures.
  const slow = await grok('^(?:(?<x>a)|aa)+\\k<x>c$', `${'a'.repeat(60)}b`, 'timeout_millis => 100')
  assert.deepEqual(slow, { tags: ['_groktimeout'] })
})

test('unknown and self-referencing pattern names are rejected', async () => {
  await assert.rejects(grok('%{NOPE:x}', ''), /pattern %\{NOPE:x\} not defined/)
  assert.throws(() => expandPattern('%{A}', () => 'x%{A}', true), /Deep recursion/)
})

test('a line of a pattern file is a name and an expression, which may be empty', () => {
  const text = '# comment\nA  a b\n\n  # other\nONLYNAME\nB\tx\\s+\r\n'
  assert.deepEqual(
    [...parsePatternFile(text)],
    [
      ['A', 'a b'],
      ['ONLYNAME', ''],
      ['B', 'x\\s+'],
    ],
  )
})

test('a failed match is explained by its length and the failing piece', () => {
  const lookup = stockPatterns('disabled')
  const pattern = '%{IP:ip} \\[%{HTTPDATE:t}\\] %{WORD:verb}: %{NUMBER:n}'
  assert.deepEqual(cutPieces('a%{X:b}(?:c|d)?\\[[e]]+'), ['a', '%{X:b}', '(?:c|d)?', '\\[', '[e]', ']+'])
  const failed = explainMatch(pattern, '10.0.0.1 [10/Oct/2000:13:55:36 -0700] GET 5', lookup)
  assert.deepEqual(
    { matched: failed.matched, to: failed.to, failedPiece: failed.failedPiece },
    { matched: false, to: 41, failedPiece: ': ' },
  )
  assert.deepEqual(failed.captures.at(-1), { field: 'verb', text: 'GET' })
  const fits = explainMatch(pattern, '10.0.0.1 [10/Oct/2000:13:55:36 -0700] GET: 5', lookup)
  assert.deepEqual([fits.matched, fits.failedPiece], [true, undefined])
})

test('an explanation names the innermost failing pattern, its column and the surrounding patterns', () => {
  const line = '127.0.0.1 - - [10/Foo/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1 "-" "x"'
  const found = explainMatch('%{COMBINEDAPACHELOG}', line, stockPatterns('disabled'))
  assert.equal(found.failedPiece, '%{MONTH}')
  assert.equal(found.to, line.indexOf('Foo'))
  assert.deepEqual(found.within.slice(0, 2), ['%{HTTPDATE:timestamp}', '%{HTTPD_COMMONLOG}'])
})
