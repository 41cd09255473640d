/** `sandpiper serve`: starts the service, says where it is, and stops it cleanly on SIGTERM or SIGINT. */
import { resolve } from 'node:path'
import { createLog, type Log } from '../../base/log.ts'
import { limitMemory } from '../../base/memory/process-memory.ts'
import { RotatingFile } from '../../base/rotating-file.ts'
import { packageVersion } from '../../base/version.ts'
import { SearchServer } from '../../server/search-server.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { bootstrapPassword } from './bootstrap-password.ts'
import { compileEarly } from './compile-early.ts'
import { readSettings, type Settings } from './settings.ts'

/** Errors whose message says what to do; where they were thrown helps nobody. */
const EXPLAIN_THEMSELVES: ReadonlySet<string> = new Set([
  'NotLoopbackError',
  'FolderLockedError',
  'CorruptMetadataError',
  'MissingMetadataError',
  'CorruptSecurityError',
])

export async function serve(args: readonly string[]): Promise<void> {
  const settings = readSettings(args, process.env)
  const dataFolder = resolve(settings.data)
  const log = await openLog(settings)
  for (const warning of settings.warnings) log.warn(warning)
  if (settings.memoryBytes !== undefined) limitMemory(settings.memoryBytes)
  const server = await start(settings, dataFolder, log)
  process.stdout.write(welcome(server.url!, dataFolder, settings.security, server.newPassword))
  // Started after the service is up: code of the start runs only once.
  compileEarly()

  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info('stopping', { signal })
    server.stop().then(
      () => process.exit(0),
      (error) => {
        log.error('stopping failed', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // A mistake in one request must not take the others with it; what was acknowledged is in the log on disk.
  process.on('unhandledRejection', (error) => log.error('unexpected failure', { error }))
}

/** The log the settings ask for: lines on standard error, or in a file that is rotated. */
async function openLog({ logLevel, logFormat, logFile, logFileBytes, logFileCount }: Settings): Promise<Log> {
  if (logFile === '') return createLog(logLevel, { format: logFormat })
  const file = new RotatingFile(resolve(logFile), {
    maxBytes: logFileBytes,
    maxFiles: logFileCount,
    onError: (error) => process.stderr.write(`sandpiper: cannot write the log file ${logFile}: ${error.message}\n`),
  })
  try {
    await file.open()
  } catch (error) {
    throw new SettingsError(`cannot write the log file ${logFile}: ${(error as Error).message}`)
  }
  process.on('exit', () => file.flushSync())
  return createLog(logLevel, { format: logFormat, write: (line) => file.write(line) })
}

async function start(settings: Settings, dataFolder: string, log: Log): Promise<SearchServer> {
  const { host, port } = settings
  try {
    return await SearchServer.open({
      dataFolder,
      threads: settings.threads,
      listen: { host, port },
      clusterName: settings.clusterName,
      nodeName: settings.nodeName,
      maxContentBytes: settings.maxContentBytes,
      allowedHosts: settings.allowedHosts,
      reindexRemoteWhitelist: settings.reindexRemoteWhitelist,
      strictMediaTypes: settings.strictMediaTypes,
      security: settings.security
        ? { bootstrapPassword: bootstrapPassword(process.env, settings.elasticPassword) }
        : undefined,
      log,
    })
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, settings, dataFolder)
  }
}

/** Failures a person can mend become one clear line; anything else keeps its stack. */
function explain(error: NodeJS.ErrnoException, { host, port }: Settings, dataFolder: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingsError(`port ${port} on ${host} is in use (choose another with --port)`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingsError(`cannot listen on ${host}: this machine has no such address`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOSPC':
      return error.syscall === 'listen'
        ? new SettingsError(`not allowed to listen on port ${port} (choose one above 1023 with --port)`)
        : new SettingsError(`cannot use the data folder ${dataFolder}: ${error.message}`)
  }
  return EXPLAIN_THEMSELVES.has(error.name) ? new SettingsError(error.message) : error
}

function welcome(url: string, dataFolder: string, asksForLogin: boolean, newPassword: string | undefined): string {
  const login = asksForLogin ? `-u elastic${newPassword === undefined ? '' : `:'${newPassword}'`} ` : ''
  const password =
    newPassword === undefined
      ? ''
      : `  user     elastic
  password ${newPassword}

This password is shown once. Change it with sandpiper users passwd elastic.
`
  return `Sandpiper ${packageVersion()} is ready.

  address  ${url}
  data     ${dataFolder}
${password}
Try it:
  curl ${login}${url}/
  curl ${login}-X PUT '${url}/books/_doc/1?refresh=true' -H 'Content-Type: application/json' -d '{"title":"Sandpipers of the world"}'
  curl ${login}'${url}/books/_search?pretty'

`
}
