/** The help texts of `sandpiper pipeline` and its subcommands. */
import { DEFINITIONS } from './pipeline-settings.ts'

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
  sandpiper pipeline                          every pipeline of config/pipelines.yml
  sandpiper pipeline -t -f FILE               check it, name every problem with its place, and end
  sandpiper pipeline -t --report DIR          check every configuration of a folder: what runs, what differs, what is missing
  sandpiper pipeline test FILE…               run the cases beside it (FILE.test.yml); nothing is sent
  sandpiper pipeline --dry-run -f FILE < LOG  show what its filters make of lines; nothing is sent
  sandpiper pipeline --dry-run -f NEW --against OLD < LOG
                                              show what is different from an older configuration
  sandpiper pipeline tap FILTER               events before and after a filter that runs
  sandpiper pipeline top                      events per second and time of every plugin that runs

Flags (any setting of logstash.yml can be given as --name value)
${flags.join('\n')}
  -S, --setting NAME=VALUE         any setting
  -V, --version    -h, --help

Examples
  echo hello | sandpiper pipeline -e ''
  sandpiper pipeline -f access-log.conf
  sandpiper pipeline -f 'conf.d/*.conf' -r         several files as one, reloaded when they change
  curl http://127.0.0.1:9600/_node/stats?pretty    how it goes

Plugins and their options: docs/manual/plugins.md. A file position, a queue and the like are kept under --path.data.
`
}

export const TEST_HELP = `sandpiper pipeline test: runs the cases beside configurations; nothing is read from inputs, nothing is sent

Usage
  sandpiper pipeline test FILE…       the cases of access.conf are in access.test.yml

A case gives input and says what must come out. Input is a line of text or the fields of an event. Of the expected events
only the fields that are named are compared; null says that a field must be absent.

  - name: a line of the access log
    input: ['127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1']
    expected: [{ clientip: 127.0.0.1, verb: GET, tags: null }]
  - name: a day without a year
    input: [{ message: 'Mar  5 06:07:08 web sshd[7]: hello', type: syslog }]
    now: 2024-03-06T00:00:00Z         # what the clock says
    ecs: v8                           # pipeline.ecs_compatibility
    expected: [{ '@timestamp': 2024-03-05T06:07:08.000Z }]

It ends with 1 when a case fails.
`

export const DRY_RUN_HELP = `sandpiper pipeline --dry-run: what the filters of a configuration make of lines; nothing is read from inputs, nothing is sent

Usage
  sandpiper pipeline --dry-run -f FILE < LOG                    each event as it would reach the outputs
  sandpiper pipeline --dry-run -e 'filter { … }' < LOG          the same for filters on the command line
  sandpiper pipeline --dry-run -f NEW --against OLD < LOG       only the lines that come out differently

Every line of standard input is the message of an event. The clock stands still, so that two runs can be compared.
Settings that change what filters do may be given too, such as --pipeline.ecs_compatibility v8.

Examples
  head -100 access.log | sandpiper pipeline --dry-run -f access.conf
  sandpiper pipeline --dry-run -f access.conf --against access.conf.old < access.log

With --against it ends with 1 when a line comes out differently.
`

export const DIFF_HELP = `sandpiper pipeline diff: what a new configuration makes of the same lines, as a difference

Usage
  sandpiper pipeline diff OLD NEW < LOG
  sandpiper pipeline --dry-run -f NEW --against OLD < LOG

Prints the lines that come out differently, each with the fields that changed. It ends with 1 when there are any.
`
