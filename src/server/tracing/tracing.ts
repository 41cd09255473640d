/** Tracing as the service starts it: loaded only when OpenTelemetry's variables ask for it. */
import type { Log } from '../../base/log.ts'
import { packageVersion } from '../../base/version.ts'
import type { RequestDispatcher } from '../../http/dispatcher.ts'
import { SpanExporter } from './span-exporter.ts'
import { readTraceSettings } from './trace-settings.ts'
import { type RouteOf, TracedDispatcher } from './traced-dispatcher.ts'

export interface Tracing {
  trace(dispatcher: RequestDispatcher, routeOf: RouteOf): RequestDispatcher
  close(): Promise<void>
}

export function startTracing(environment: NodeJS.ProcessEnv, log: Log): Tracing {
  const version = packageVersion()
  const settings = readTraceSettings(environment, version)
  for (const warning of settings.warnings) log.warn(warning)
  const exporter = new SpanExporter(settings, version, log)
  log.info('sending traces', { endpoint: settings.endpoint.href })
  return {
    trace: (dispatcher, routeOf) => new TracedDispatcher(dispatcher, exporter, settings.sampler, routeOf),
    close: () => exporter.close(),
  }
}
