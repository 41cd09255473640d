/** `sandpiper serve`: starts the service, prints its address, and stops it cleanly on SIGTERM or SIGINT. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createLog, type Log } from '../../base/log.ts'
import { RotatingFile } from '../../base/rotating-file.ts'
import { packageVersion } from '../../base/version.ts'
import { isLoopback } from '../../http/server.ts'
import type { ClientAuthentication, TlsFiles } from '../../security/tls/tls-material.ts'
import type { launchWriterEarly } from '../../server/early-writer.ts'
import { SearchServer } from '../../server/search-server.ts'
import { isTracingEnabled } from '../../server/tracing/trace-settings.ts'
import type { Tracing } from '../../server/tracing/tracing.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { bootstrapPassword } from './bootstrap-password.ts'
import { lazyWorkbench } from './lazy-workbench.ts'
import type { Settings } from './settings.ts'
import { onceThereIsSpace } from './wait-for-space.ts'

type EarlyWriter = ReturnType<typeof launchWriterEarly>

/** Errors whose message tells the user what to do. Their stack is not printed. */
const EXPLAIN_THEMSELVES: ReadonlySet<string> = new Set([
  'NotLoopbackError',
  'FolderLockedError',
  'CorruptMetadataError',
  'MissingMetadataError',
  'CorruptSecurityError',
  'TlsFilesError',
  'UnsupportedClusterError',
])

export async function serve(settings: Settings, earlyWriter: EarlyWriter): Promise<void> {
  const dataFolder = resolve(settings.data)
  const log = await openLog(settings)
  for (const warning of settings.warnings) log.warn(warning)
  for (const folder of settings.pathRepo) {
    if (!existsSync(folder))
      log.warn(
        `the folder ${resolve(folder)} of --path-repo does not exist yet; the first snapshot repository makes it`,
      )
  }
  const server = await onceThereIsSpace(() => start(settings, dataFolder, earlyWriter, log), {
    folder: dataFolder,
    log,
  })
  process.stdout.write(welcome(server, dataFolder, settings))
  if (settings.insecureHttp && !isLoopback(settings.host)) {
    log.warn('connections are not encrypted: passwords and data can be read on the way unless a proxy encrypts them', {
      setting: '--insecure-http',
    })
  }

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
  // A bug in one request must not end the others. Acknowledged writes are in the log on disk.
  process.on('unhandledRejection', (error) => log.error('unexpected failure', { error }))
}

/**
 * The service cannot write any more. An ended process is noticed and started again by whoever watches it; one that refuses
 * every request is not. Acknowledged writes are in the log on disk.
 */
function end(log: Log, reason: string): void {
  log.error('the service ends, because it cannot work any more', {
    reason,
    hint: 'give it more memory with --memory if it ran out of memory; its data is intact',
  })
  process.exit(1)
}

/** The configured log: lines on standard error, or in a rotated file. */
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

/** Spans of requests, as OpenTelemetry's variables ask for them. */
async function tracing(log: Log): Promise<Tracing | undefined> {
  if (!isTracingEnabled(process.env)) return undefined
  const { startTracing } = await import('../../server/tracing/tracing.ts')
  try {
    return startTracing(process.env, log)
  } catch (error) {
    throw new SettingsError(`traces cannot be sent: ${(error as Error).message}`)
  }
}

async function start(
  settings: Settings,
  dataFolder: string,
  earlyWriter: EarlyWriter,
  log: Log,
): Promise<SearchServer> {
  const { host, port } = settings
  try {
    return await SearchServer.open({
      ...(settings.cluster === undefined
        ? { dataFolder, threads: settings.threads, earlyWriter, clusterName: settings.clusterName }
        : await (await import('./gateway-parts.ts')).gatewayParts(settings, settings.cluster, dataFolder, log)),
      listen: { host, port },
      tls: tlsOf(settings),
      clientAuthentication: clientAuthenticationOf(settings),
      insecureHttp: settings.insecureHttp,
      allowedOrigins: settings.corsOrigins,
      trustedProxies: settings.trustedProxies,
      nodeName: settings.nodeName,
      maxContentBytes: settings.maxContentBytes,
      allowedHosts: settings.allowedHosts,
      reindexRemoteWhitelist: settings.reindexRemoteWhitelist,
      pathRepo: settings.pathRepo,
      stackTemplates: settings.stackTemplates && settings.cluster === undefined,
      scripts: settings.scripts,
      strictMediaTypes: settings.strictMediaTypes,
      pipelineWorkbench: lazyWorkbench(),
      security: settings.security
        ? {
            bootstrapPassword: bootstrapPassword(process.env, settings.elasticPassword),
            audit: settings.audit,
            auditFileBytes: settings.logFileBytes,
            auditFileCount: settings.logFileCount,
          }
        : undefined,
      errorHelp: settings.errorHelp,
      onGivenUp: (reason) => end(log, reason),
      tracing: await tracing(log),
      log,
    })
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, settings, dataFolder)
  }
}

/** Beyond this machine, connections are encrypted unless a proxy does it. */
function tlsOf({ host, security, tls, tlsCert, tlsKey, tlsCa, insecureHttp }: Settings): TlsFiles | 'auto' | undefined {
  if (tlsCert !== '' || tlsKey !== '') {
    if (tlsCert === '' || tlsKey === '') throw new SettingsError('--tls-cert and --tls-key belong together')
    if (tls === 'off') throw new SettingsError('--tls off contradicts --tls-cert')
    return { cert: resolve(tlsCert), key: resolve(tlsKey), ca: tlsCa === '' ? undefined : resolve(tlsCa) }
  }
  if (tlsCa !== '') throw new SettingsError('--tls-ca belongs to --tls-cert and --tls-key')
  const mode = tls ?? (security && !isLoopback(host) && !insecureHttp ? 'auto' : 'off')
  return mode === 'auto' ? 'auto' : undefined
}

/** Without a file of its own, `--tls-ca` also names the authorities of clients, as `certificate_authorities` does in Elasticsearch. */
function clientAuthenticationOf(settings: Settings): ClientAuthentication | undefined {
  const { tlsClientAuth: mode, tlsClientCa, tlsCa } = settings
  if (mode === 'none') {
    if (tlsClientCa !== '') throw new SettingsError('--tls-client-ca belongs to --tls-client-auth')
    return undefined
  }
  if (tlsOf(settings) === undefined) throw new SettingsError('--tls-client-auth needs TLS: --tls auto or --tls-cert')
  const file = tlsClientCa === '' ? tlsCa : tlsClientCa
  return { mode, ca: file === '' ? undefined : resolve(file) }
}

/** Turns failures that a user can fix into one clear line. Other errors keep their stack. */
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
    case 'ENOENT':
    case 'ENAMETOOLONG':
    case 'ELOOP':
    case 'EIO':
      return error.syscall === 'listen'
        ? new SettingsError(`not allowed to listen on port ${port} (choose one above 1023 with --port)`)
        : new SettingsError(`cannot use the data folder ${dataFolder}: ${error.message}`)
  }
  return EXPLAIN_THEMSELVES.has(error.name) ? new SettingsError(error.message) : error
}

function welcome(
  { url, newPassword, caFingerprint }: SearchServer,
  dataFolder: string,
  { security: asksForLogin, cluster }: Settings,
): string {
  const login = asksForLogin ? `-u elastic${newPassword === undefined ? '' : `:'${newPassword}'`} ` : ''
  const trust = caFingerprint === undefined ? '' : `--cacert ${join(dataFolder, 'certs', 'http_ca.crt')} `
  const curl = `curl ${trust}${login}`
  const called = url!.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost')
  const facts = [
    ['address', url],
    ['data', cluster === undefined ? dataFolder : undefined],
    ['cluster', cluster?.urls.map(({ origin }) => origin).join(', ')],
    ['user', newPassword === undefined ? undefined : 'elastic'],
    ['password', newPassword],
    ['ca', caFingerprint],
  ].filter(([, value]) => value !== undefined)
  const notes = [
    ...(newPassword === undefined
      ? []
      : ['The password is shown once. Change it with: sandpiper users passwd elastic']),
    ...(caFingerprint === undefined
      ? []
      : ['ca is the fingerprint that clients take: caFingerprint, ssl_assert_fingerprint']),
  ]
  return `Sandpiper ${packageVersion()} is ready.

${facts.map(([name, value]) => `  ${name!.padEnd(8)} ${value}`).join('\n')}
${notes.length === 0 ? '' : `\n${notes.join('\n')}\n`}
Try it:
  ${curl}${called}/
  ${curl}-X PUT '${called}/books/_doc/1?refresh=true' -H 'Content-Type: application/json' -d '{"title":"Sandpipers of the world"}'
  ${curl}'${called}/books/_search?pretty'

`
}
