/** Starts the monitoring API for the running pipelines. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { LOGSTASH_VERSION, packageVersion } from '../../base/version.ts'
import type { MonitoredPipeline } from '../../pipeline/monitoring/node-report.ts'
import type { PipelineLog } from '../../pipeline/runner/pipeline-log.ts'
import type { ReloadingPipeline } from '../../pipeline/runner/reload.ts'
import type { PipelineSettingValues } from './pipeline-settings.ts'

export function describePipeline(settings: PipelineSettingValues, running: ReloadingPipeline): MonitoredPipeline {
  return {
    id: settings.text('pipeline.id'),
    workers: settings.number('pipeline.workers'),
    batchSize: settings.number('pipeline.batch.size'),
    batchDelayMs: settings.number('pipeline.batch.delay'),
    reloads: running.reloads,
    reloadIntervalMs: settings.flag('config.reload.automatic')
      ? settings.durationMs('config.reload.interval')
      : undefined,
    hasDeadLetters: settings.flag('dead_letter_queue.enable'),
    configText: running.configText,
    queue: running.current?.queueState,
    metrics: running.current?.metrics,
    stalls: running.current?.stalls ?? [],
    tap: (filter, listener) => running.current?.tap(filter, listener),
  }
}

/** Loaded and started in the background, so that the first event does not wait for it. */
export async function startMonitoring(
  settings: PipelineSettingValues,
  pipelines: () => readonly MonitoredPipeline[],
  log: PipelineLog,
): Promise<void> {
  if (!settings.flag('api.enabled')) return
  try {
    const { MonitoringServer } = await import('../../pipeline/monitoring/monitoring.ts')
    const { address } = await MonitoringServer.start({
      host: settings.text('api.http.host'),
      ports: settings.text('api.http.port'),
      nodeName: settings.text('node.name'),
      hostName: hostname(),
      version: LOGSTASH_VERSION,
      ownVersion: packageVersion(),
      dataFolder: resolve(settings.text('path.data')),
      credentials: credentialsOf(settings),
      clusterId: settings.optional('monitoring.cluster_uuid'),
      log,
      pipelines,
    })
    log.info(`The monitoring API listens on ${address}`)
  } catch (error) {
    log.warn(`The monitoring API could not be started: ${(error as Error).message}`)
  }
}

function credentialsOf(settings: PipelineSettingValues): { user: string; password: string } | undefined {
  if (settings.text('api.auth.type') === 'none') return undefined
  const user = settings.optional('api.auth.basic.username')
  const password = settings.optional('api.auth.basic.password')
  if (user === undefined || password === undefined) {
    throw new Error('api.auth.type is basic, so api.auth.basic.username and api.auth.basic.password are needed')
  }
  return { user, password }
}

/** What the password of the monitoring API lacks by `api.auth.basic.password_policy`; undefined if it is good. */
export function weaknessOfPassword(settings: PipelineSettingValues): string | undefined {
  const password = settings.optional('api.auth.basic.password')
  if (settings.text('api.auth.type') === 'none' || password === undefined) return undefined
  const policy = 'api.auth.basic.password_policy'
  const kinds = { upper: /[A-Z]/, lower: /[a-z]/, digit: /[0-9]/, symbol: /[^A-Za-z0-9]/ }
  const missing = Object.entries(kinds).flatMap(([kind, form]) => {
    return settings.text(`${policy}.include.${kind}`) === 'REQUIRED' && !form.test(password) ? [kind] : []
  })
  const least = settings.number(`${policy}.length.minimum`)
  const lacks = [
    ...(password.length < least ? [`has fewer than ${least} characters`] : []),
    ...(missing.length === 0 ? [] : [`has no ${missing.join(', ')}`]),
  ]
  return lacks.length === 0 ? undefined : `api.auth.basic.password ${lacks.join(' and ')} (${policy})`
}
