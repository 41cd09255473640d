/** What the commands of a page find when a reader types them: files, and commands that were run before. */
export interface PageFixture {
  readonly files?: Readonly<Record<string, string>>
  /** Commands that run before the first block. */
  readonly before?: string
  /** A configuration that runs beside the blocks, for the commands that look into a running pipeline. */
  readonly running?: string
}

const LINE = '192.0.2.7 - ann [10/Oct/2025:13:55:36 -0700] "GET /index.html HTTP/1.1" 200 2326 "-" "curl/8.5"\n'
const GROK = 'filter { grok { match => { "message" => "%{COMBINEDAPACHELOG}" } } }\n'
const READS_A_FILE = `input { file { path => "/var/log/access.log" } }\n${GROK}output { file { path => "/var/log/events.json" } }\n`
const TESTS = `- name: a line of the access log
  input:
    - message: '${LINE.trim()}'
  expected:
    - source: { address: 192.0.2.7 }
`
const BOOKS = `curl -X PUT 'http://127.0.0.1:9200/books/_doc/1?refresh=true' -H 'Content-Type: application/json' -d '{"title":"Sandpipers"}'`

/** The fixtures by page. Pages without an entry need nothing but the service. */
export const FIXTURES: Readonly<Record<string, PageFixture>> = {
  'docs/manual/running.md': { before: BOOKS },
  'docs/manual/snapshots.md': { before: BOOKS },
  'docs/manual/from-elasticsearch.md': { before: BOOKS },
  'docs/manual/upgrading.md': { before: BOOKS },
  'docs/manual/troubleshooting.md': { before: 'sandpiper serve --data /var/lib/sandpiper' },
  'docs/manual/from-logstash.md': {
    files: {
      'etc/logstash/conf.d/access.conf': READS_A_FILE,
      'access.conf': READS_A_FILE,
      'new.conf': READS_A_FILE,
      'old.conf': READS_A_FILE,
      'access.log': LINE,
    },
  },
  'docs/manual/pipeline.md': {
    files: {
      'access.conf': READS_A_FILE,
      'access.test.yml': TESTS,
      'conf.d/access.conf': READS_A_FILE,
      'config/pipelines.yml': '- pipeline.id: access\n  path.config: access.conf\n',
      'new.conf': READS_A_FILE,
      'old.conf': READS_A_FILE,
      'app.conf': READS_A_FILE,
      'password.txt': 'secret\n',
      log: LINE,
      'var/log/access.log': LINE,
    },
    running: `input { heartbeat { interval => 1 message => ${JSON.stringify(LINE.trim()).replaceAll('\\"', "'")} } }\n${GROK}output { null {} }\n`,
  },
}
