import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { patternFile } from '../../text/user-agent/pattern-file.ts'
import { parseUserAgent } from '../../text/user-agent/user-agent.ts'
import { runFilters } from '../dry-run/run-filters.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

/** The user agent string, and the expected program, system and device. */
const KNOWN: readonly [string, string, string, string][] = [
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/120.0.6099.109 Safari/537.36`,
    'Chrome 120.0.6099.109',
    'Windows 10',
    'Other',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.61`,
    'Edge 120.0.2210.61',
    'Windows 10',
    'Other',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:121.0) Gecko/20100101 Firefox/121.0',
    'Firefox 121.0',
    'Mac OS X 10.15',
    'Mac',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1.2 Mobile/15E148 Safari/604.1',
    'Mobile Safari 17.1.2',
    'iOS 17.1.2',
    'iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-G991B) ${WEBKIT} Chrome/119.0.6045.163 Mobile Safari/537.36`,
    'Chrome Mobile 119.0.6045.163',
    'Android 13',
    'Samsung SM-G991B',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/119.0.0.0 Mobile Safari/537.36`,
    'Chrome Mobile 119.0.0.0',
    'Android 10',
    'K',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
    'Safari 17.2',
    'Mac OS X 10.15.7',
    'Mac',
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
    'Firefox 120.0',
    'Ubuntu ',
    'Other',
  ],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot 2.1', 'Other ', 'Spider'],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko', 'IE 11.0', 'Windows 7', 'Other'],
  ['curl/8.4.0', 'curl 8.4.0', 'Other ', 'Other'],
  ['Mozilla/5.0 (compatible; ExampleBot/3.1)', 'ExampleBot 3.1', 'Other ', 'Spider'],
  ['something else', 'Other ', 'Other ', 'Other'],
]

test('the useragent filter recognizes programs, systems and devices', () => {
  for (const [text, program, system, device] of KNOWN) {
    const { name, version, os, device: found } = parseUserAgent(text)
    assert.deepEqual(
      [`${name} ${version.join('.')}`, `${os.name} ${os.version.join('.')}`, found],
      [program, system, device],
      text,
    )
  }
})

test('the filter sets the fields of its layout', async () => {
  const message = KNOWN[0]![0]
  const [classic] = await runFilters('filter { useragent { source => "message" target => "ua" } }', [message], {
    ecs: 'disabled',
  })
  assert.deepEqual(
    { ...(classic!['ua'] as object) },
    {
      name: 'Chrome',
      version: '120.0.6099.109',
      major: '120',
      minor: '0',
      patch: '6099',
      os: 'Windows',
      os_name: 'Windows',
      os_version: '10',
      os_major: '10',
      os_full: 'Windows 10',
      device: 'Other',
    },
  )
  const config = 'filter { useragent { source => "message" } mutate { copy => { "[@metadata][filter]" => "parts" } } }'
  const [ecs] = await runFilters(config, [message])
  assert.deepEqual(ecs!['parts'], {
    user_agent: {
      version: { major: '120', minor: '0', patch: '6099' },
      os: { version: { major: '10' } },
    },
  })
  assert.equal((ecs!['user_agent'] as { original?: string }).original, undefined)
  assert.equal(
    JSON.stringify((ecs!['user_agent'] as { os: object }).os),
    '{"name":"Windows","version":"10","full":"Windows 10"}',
  )
})

test('a file in `regexes` replaces the built-in patterns', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'regexes.yaml')
  writeFileSync(
    path,
    `user_agent_parsers:
  - regex: '(Weather)Station/(\\d+)\\.(\\d+)'
    family_replacement: 'Our $1'
os_parsers:
  - regex: '(VxWorks) (\\d+)'
device_parsers:
  - regex: 'roof'
    device_replacement: 'Roof'
`,
  )
  assert.deepEqual(patternFile(path)('WeatherStation/2.7 (VxWorks 6; roof)'), {
    name: 'Our Weather',
    version: ['2', '7'],
    os: { name: 'VxWorks', version: ['6'] },
    device: 'Roof',
  })
})

test('the parsed fields replace the source text if target and source are equal', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0'
  for (const target of ['agent', '[agent]']) {
    const config = `filter { useragent { source => "agent" target => "${target}" add_tag => ["ok"] } }`
    const [event] = await runFilters(config, [{ agent }])
    assert.equal((event!['agent'] as Record<string, unknown>)['name'], 'Firefox')
    assert.deepEqual(event!['tags'], ['ok'])
  }
})
