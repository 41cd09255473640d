import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../config/config-error.ts'
import { parseConfig } from '../config/parser.ts'
import { dryRunSettings } from '../dry-run/run-filters.ts'
import { buildPipeline } from './build.ts'

async function problemsOf(config: string, environment: Record<string, string> = {}): Promise<string[]> {
  try {
    await buildPipeline(parseConfig(config, 'a.conf'), dryRunSettings({ environment }))
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.problems.map(({ message, suggestion }) => [message, suggestion].filter(Boolean).join(' | '))
  }
}

// Goal: one run reports everything that is wrong, in searchable words. Method: a configuration with all mistakes at
// once.
test('all problems of a configuration are reported together, with similar names', async () => {
  const problems = await problemsOf(`
    input { stdinn { } if [a] { stdin { } } stdin { codec => plain codec => json } }
    filter {
      mutat { }
      mutate { add_feild => { "a" => "1" } }
      grok { break_on_match => "maybe" }
      json { }
      mutate { type => "x" }
      mutate { add_field => { "a" => "1" "a" => "2" } }
      grok { match => { "message" => "%{NOSUCH:x}" } }
      ruby { code => "x = (" }
      mutate { id => "same" }
      mutate { id => "same" }
      mutate { replace => { "a" => "\${NOT_SET}" } }
    }
  `)
  const expected = [
    /Couldn't find any input plugin named 'stdinn'.*did you mean stdin\?/,
    /conditionals are not allowed in an input section/,
    /multiple `codec` declarations/,
    /Couldn't find any filter plugin named 'mutat'.*did you mean mutate/,
    /Unknown setting 'add_feild' for mutate.*did you mean add_field\?/s,
    /Invalid setting for grok filter plugin:.*must be a boolean.*Expected boolean 'true' or 'false', got "maybe"/s,
    /Missing a required setting for the json filter plugin:.*source => # SETTING MISSING/s,
    /`type` in plugin `mutate` is obsolete/,
    /Duplicate keys found in your configuration: \["a"\]/,
    /Cannot register grok filter plugin. The error reported is:\n {2}pattern %\{NOSUCH:x\} not defined/,
    /Cannot register ruby filter plugin.*syntax error/s,
    /duplicate Ids/,
    /Cannot evaluate `\$\{NOT_SET\}`/,
  ]
  assert.equal(problems.length, expected.length, problems.join('\n---\n'))
  for (const pattern of expected)
    assert.ok(
      problems.some((problem) => pattern.test(problem)),
      String(pattern),
    )
})

test('options are coerced: pairs to hashes, single values to arrays, words to booleans', async () => {
  const config = `filter {
    mutate { add_field => ["a", "1", "a", "2"] add_tag => t1 add_tag => ["t2"] }
    grok { match => ["message", "%{WORD:w}"] break_on_match => "false" timeout_millis => "500" }
    json { source => ["message"] }
  }`
  assert.deepEqual(await problemsOf(config), [])
})

test('a plugin of Logstash that does not exist here is rejected with what to write instead', async () => {
  const problems = await problemsOf('input { jmx { } } filter { collate { } } output { sqs { } }')
  assert.match(problems[0]!, /named 'jmx'.*let a Prometheus exporter/)
  assert.match(problems[1]!, /named 'collate'.*there is no replacement/)
  assert.match(problems[2]!, /named 'sqs'.*services of Amazon other than S3 are not reached/)
})
