/** The help texts of `sandpiper pipeline` and its subcommands. */
import { DEFINITIONS } from './setting-definitions.ts'

export function pipelineHelp(): string {
  const flags = Object.entries(DEFINITIONS)
    .filter(([, { about }]) => about !== undefined)
    .map(([name, { flags: short, about, standard }]) => {
      const shown = standard === undefined || standard === false ? '' : ` (default ${standard})`
      return `  ${[...(short ?? []), `--${name}`].join(', ').padEnd(32)} ${about}${shown}`
    })
  return `sandpiper pipeline: runs Logstash configuration files

Usage
  sandpiper pipeline -f FILE [flags]          run a configuration until its inputs end or Ctrl-C
  sandpiper pipeline -e 'filter { … }'        the same, written on the command line; reads stdin, prints events
  sandpiper pipeline                          run every pipeline of config/pipelines.yml
  sandpiper pipeline -t -f FILE               check the configuration, print every problem with its line, and exit
  sandpiper pipeline -t --report DIR          check every configuration of a folder: supported, different and missing plugins
  sandpiper pipeline test FILE…               run the test cases in FILE.test.yml; nothing is sent
  sandpiper pipeline --dry-run -f FILE < LOG  show the events after the filters; nothing is sent
  sandpiper pipeline --dry-run -f NEW --against OLD < LOG
                                              show differences from an older configuration
  sandpiper pipeline tap FILTER               show live events before and after a filter
  sandpiper pipeline top                      show the event rate and time of every running plugin

Flags (any setting of logstash.yml can be given as --name value)
${flags.join('\n')}
  -S, --setting NAME=VALUE         any setting
  -V, --version    -h, --help

Examples
  echo hello | sandpiper pipeline -e ''
  sandpiper pipeline -f access-log.conf
  sandpiper pipeline -f 'conf.d/*.conf' -r         several files as one, reloaded when they change
  curl http://127.0.0.1:9600/_node/stats?pretty    statistics

Plugins and their options: docs/manual/plugins.md. File positions, queues and dead letters are stored under --path.data.
`
}

export const TEST_HELP = `sandpiper pipeline test: runs the test cases of configurations; nothing is read from inputs, nothing is sent

Usage
  sandpiper pipeline test FILE…       the cases of access.conf are in access.test.yml

A case has input and the expected events. Input is a line of text or the fields of an event. Only the fields that an expected
event names are compared; null means that the field must be absent.

  - name: a line of the access log
    input: ['127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1']
    expected: [{ clientip: 127.0.0.1, verb: GET, tags: null }]
  - name: a day without a year
    input: [{ message: 'Mar  5 06:07:08 web sshd[7]: hello', type: syslog }]
    now: 2024-03-06T00:00:00Z         # the time of the clock
    ecs: v8                           # pipeline.ecs_compatibility
    expected: [{ '@timestamp': 2024-03-05T06:07:08.000Z }]

Filters that send requests, such as dns and http, are refused unless --allow-network is given.
The exit status is 1 when a case fails.
`

export const DRY_RUN_HELP = `sandpiper pipeline --dry-run: shows the events after the filters of a configuration; nothing is read from inputs, nothing is sent

Usage
  sandpiper pipeline --dry-run -f FILE < LOG                    each event as it would reach the outputs
  sandpiper pipeline --dry-run -e 'filter { … }' < LOG          the same for filters on the command line
  sandpiper pipeline --dry-run -f NEW --against OLD < LOG       a line of each kind of difference, and how many differ like it

Every line of standard input is the message of an event. The clock does not advance, so that two runs can be compared.
Filters that send requests, such as dns and http, are refused unless --allow-network is given.
Settings that filters depend on may be given, too, such as --pipeline.ecs_compatibility v8.

Examples
  head -100 access.log | sandpiper pipeline --dry-run -f access.conf
  sandpiper pipeline --dry-run -f access.conf --against access.conf.old < access.log

With --against the exit status is 1 when the events of a line differ.
`

export const DIFF_HELP = `sandpiper pipeline diff: shows how the events of a new configuration differ from those of the old one

Usage
  sandpiper pipeline diff OLD NEW < LOG
  sandpiper pipeline --dry-run -f NEW --against OLD < LOG

Prints the lines whose events differ, each with the fields that changed. The exit status is 1 when a line differs.
`
