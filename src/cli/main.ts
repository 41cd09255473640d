/** The entry point: `sandpiper [command] [flags]`. Each command's code is loaded on demand. */
import { limitMemory } from '../base/memory/process-memory.ts'
import { closestWords } from '../base/suggest.ts'
import { packageVersion } from '../base/version.ts'
import { launchWriterEarly } from '../server/early-writer.ts'
import { refuseForeignFolder } from './arguments/data-folder.ts'
import { printedHelp, printHelp } from './arguments/help.ts'
import { SettingsError } from './arguments/settings-error.ts'
import { compileEarly } from './serve/compile-early.ts'
import { describeSettings, readSettings } from './serve/settings.ts'

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  serve: async (args) => {
    // V8 keeps compiled code only for the flags it was compiled with, so they are set before the service is loaded.
    compileEarly()
    const settings = readSettings(args, process.env)
    if (settings.cluster === undefined) refuseForeignFolder(settings.data, 'node', '--data')
    if (settings.memoryBytes !== undefined) limitMemory(settings.memoryBytes)
    // A gateway has no shards.
    const writer =
      settings.cluster === undefined
        ? launchWriterEarly({ threads: settings.threads, dataFolder: settings.data })
        : undefined
    return (await import('./serve/serve.ts')).serve(settings, writer)
  },
  pipeline: async (args) => (await import('./pipeline/pipeline.ts')).pipeline(args),
  export: async (args) => (await import('./transfer/export.ts')).exportDocuments(args),
  import: async (args) => (await import('./transfer/import.ts')).importDocuments(args),
  move: async (args) => (await import('./move/move.ts')).move(args),
  snapshot: async (args) => (await import('./snapshots/snapshot.ts')).snapshot(args),
  restore: async (args) => (await import('./snapshots/restore.ts')).restore(args),
  doctor: async (args) => (await import('./doctor.ts')).doctor(args),
  users: async (args) => (await import('./accounts/users.ts')).users(args),
  keys: async (args) => (await import('./accounts/keys.ts')).keys(args),
  grok: async (args) => (await import('./grok.ts')).grok(args),
  keystore: async (args) => (await import('./pipeline/keystore.ts')).keystore(args),
  sincedb: async (args) => (await import('./sincedb.ts')).sincedb(args),
  completion: async (args) => (await import('./completion.ts')).completion(args, Object.keys(COMMANDS)),
}

/** Commands that read `--help` themselves. The pipeline tool has Logstash's flags, including --version. */
const EXPLAIN_THEMSELVES: ReadonlySet<string> = new Set([
  'users',
  'keys',
  'pipeline',
  'grok',
  'sincedb',
  'keystore',
  'completion',
  'export',
  'import',
  'move',
  'doctor',
  'snapshot',
  'restore',
])

export async function main(args: readonly string[]): Promise<void> {
  try {
    await run(args)
  } catch (error) {
    process.stderr.write(`sandpiper: ${(error as Error).message}\n`)
    if (!(error instanceof SettingsError)) process.stderr.write(`${(error as Error).stack}\n`)
    process.exitCode = 1
  }
}

async function run(args: readonly string[]): Promise<void> {
  const [first] = args
  if (first !== undefined && EXPLAIN_THEMSELVES.has(first)) return COMMANDS[first]!(args.slice(1))
  if (first === 'help') return printHelp(helpText())
  if (printedHelp(args, first === 'serve' ? serveHelp() : helpText())) return
  if (args.includes('--version') || first === 'version') {
    process.stdout.write(`${packageVersion()}\n`)
    return
  }
  if (first === undefined || first.startsWith('-')) return COMMANDS['serve']!(args)
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
  if (command !== undefined) return command(args.slice(1))
  const [close] = closestWords(first, Object.keys(COMMANDS))
  const hint = close === undefined ? 'see sandpiper --help' : `did you mean ${close}?`
  throw new SettingsError(`unknown command "${first}" (${hint})`)
}

function helpText(): string {
  return `sandpiper ${packageVersion()}: a search service that speaks Elasticsearch 8's HTTP API, and a pipeline
tool that runs Logstash configuration files

Commands
  serve        start the service (the default)
  pipeline     run a Logstash configuration file
  grok         show where a grok pattern matches or fails
  export       write the documents of an index to a file, one per line
  import       index an exported file into any service that speaks the API
  move         move indices to another service while clients write to them
  snapshot     copy indices of a running service into a repository
  restore      restore indices from a snapshot
  doctor       check and repair the files of a node
  users, keys  manage users and API keys of a node with --security true
  sincedb      show or change the read positions of files
  keystore     manage secrets for \${NAME} in configurations
  completion   print a completion script for bash, zsh or fish

The service listens on http://127.0.0.1:9200 and keeps its data in ./data. Settings that are needed most:
  --port N, --host ADDRESS, --data FOLDER, --memory SIZE, --security true

  sandpiper COMMAND --help     the flags of a command; serve lists all settings
  sandpiper --version
`
}

function serveHelp(): string {
  return `sandpiper serve: starts the service

Usage
  sandpiper [serve] [settings]

Settings
${describeSettings()}

Every setting can also come from the environment (--cluster-name is SANDPIPER_CLUSTER_NAME) or from the YAML file (cluster-name: …). A flag wins over the environment, which wins over the file.

Examples
  sandpiper
  sandpiper --port 9201 --data /var/lib/sandpiper
  SANDPIPER_PORT=9201 sandpiper serve --config sandpiper.yml

Then, from another terminal
  curl http://127.0.0.1:9200/
  curl -X PUT 'http://127.0.0.1:9200/books/_doc/1?refresh=true' \\
       -H 'Content-Type: application/json' -d '{"title":"Sandpipers of the world"}'
  curl 'http://127.0.0.1:9200/books/_search?pretty'
`
}
