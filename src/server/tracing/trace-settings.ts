/** OpenTelemetry's standard environment variables for traces: `OTEL_EXPORTER_OTLP_ENDPOINT` and its siblings. */

export interface TraceSettings {
  /** Where spans are posted: `http://localhost:4318/v1/traces`. */
  readonly endpoint: URL
  readonly headers: Readonly<Record<string, string>>
  readonly caFile: string | undefined
  readonly compress: boolean
  readonly timeoutMs: number
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: Sampler
  readonly scheduleDelayMs: number
  readonly maxQueueSize: number
  readonly maxBatchSize: number
  /** Sentences for the operator about variables that are ignored. */
  readonly warnings: readonly string[]
}

export interface Sampler {
  /** Share of new traces that are recorded, from 0 to 1. */
  readonly ratio: number
  /** Whether a trace that a client started is recorded exactly if the client records it. */
  readonly followsParent: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const DEFAULT_ENDPOINT = 'http://localhost:4318'

/** Tracing is off unless an endpoint is set or an exporter is requested by name. */
export function isTracingEnabled(environment: Environment): boolean {
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false
  const exporter = environment['OTEL_TRACES_EXPORTER']
  if (exporter === 'none') return false
  return (
    isSet(exporter) ||
    isSet(environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) ||
    isSet(environment['OTEL_EXPORTER_OTLP_ENDPOINT'])
  )
}

/** Throws an `Error` with a sentence for the user when a variable has a value that cannot work. */
export function readTraceSettings(environment: Environment, version: string): TraceSettings {
  const warnings: string[] = []
  /** A variable for traces wins over the one for all signals. */
  const exporterValue = (name: string) => {
    const own = environment[`OTEL_EXPORTER_OTLP_TRACES_${name}`]
    return isSet(own) ? own : environment[`OTEL_EXPORTER_OTLP_${name}`]
  }
  requireOnly('OTEL_TRACES_EXPORTER', environment['OTEL_TRACES_EXPORTER'], ['otlp'])
  requireOnly('OTEL_EXPORTER_OTLP_COMPRESSION', exporterValue('COMPRESSION'), ['gzip', 'none'])
  checkPropagators(environment['OTEL_PROPAGATORS'], warnings)
  checkProtocol(exporterValue('PROTOCOL'), warnings)
  const caFile = exporterValue('CERTIFICATE')
  return {
    endpoint: endpointOf(environment),
    headers: keyValues(exporterValue('HEADERS')),
    caFile: isSet(caFile) ? caFile : undefined,
    compress: exporterValue('COMPRESSION') === 'gzip',
    timeoutMs: count(exporterValue('TIMEOUT'), 10_000, 'OTEL_EXPORTER_OTLP_TIMEOUT'),
    resource: resourceOf(environment, version),
    sampler: samplerOf(environment),
    scheduleDelayMs: count(environment['OTEL_BSP_SCHEDULE_DELAY'], 5000, 'OTEL_BSP_SCHEDULE_DELAY'),
    maxQueueSize: count(environment['OTEL_BSP_MAX_QUEUE_SIZE'], 2048, 'OTEL_BSP_MAX_QUEUE_SIZE'),
    maxBatchSize: count(environment['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'], 512, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    warnings,
  }
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

function requireOnly(name: string, value: string | undefined, known: readonly string[]): void {
  if (!isSet(value) || known.includes(value)) return
  throw new Error(`${name} is ${value}, but only ${known.join(' and ')} can be used`)
}

/** The parent of a span comes from the `traceparent` header, whatever other formats are listed. Baggage is not used. */
function checkPropagators(list: string | undefined, warnings: string[]): void {
  const names = (list ?? '').split(',').map((name) => name.trim())
  if (!isSet(list) || names.includes('tracecontext')) return
  warnings.push(`OTEL_PROPAGATORS is ${list}, but parents are read from the traceparent header (tracecontext)`)
}

function checkProtocol(protocol: string | undefined, warnings: string[]): void {
  if (!isSet(protocol) || protocol === 'http/json') return
  if (protocol !== 'http/protobuf') {
    throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but traces can only be sent by http/json (port 4318)`)
  }
  warnings.push('OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf, but traces are sent as http/json to the same endpoint')
}

function endpointOf(environment: Environment): URL {
  const own = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const shared = environment['OTEL_EXPORTER_OTLP_ENDPOINT']
  const base = isSet(shared) ? shared : DEFAULT_ENDPOINT
  const text = isSet(own) ? own : `${base.replace(/\/$/, '')}/v1/traces`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new Error(`the endpoint for traces is not an http:// or https:// URL: ${text}`)
}

function resourceOf(environment: Environment, version: string): Record<string, string> {
  const attributes = keyValues(environment['OTEL_RESOURCE_ATTRIBUTES'])
  const name = environment['OTEL_SERVICE_NAME']
  return {
    'service.name': 'sandpiper',
    'service.version': version,
    ...attributes,
    ...(isSet(name) ? { 'service.name': name } : {}),
  }
}

const PARENT_BASED = 'parentbased_'

function samplerOf(environment: Environment): Sampler {
  const name = environment['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'
  const followsParent = name.startsWith(PARENT_BASED)
  switch (followsParent ? name.slice(PARENT_BASED.length) : name) {
    case 'always_on':
      return { ratio: 1, followsParent }
    case 'always_off':
      return { ratio: 0, followsParent }
    case 'traceidratio': {
      const ratio = Number(environment['OTEL_TRACES_SAMPLER_ARG'] || '1')
      if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1')
      return { ratio, followsParent }
    }
    default:
      throw new Error(`OTEL_TRACES_SAMPLER has an unknown value: ${name}`)
  }
}

/** `a=b,c=d` with percent-encoded values. */
function keyValues(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())]
    }),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function count(text: string | undefined, standard: number, name: string): number {
  if (!isSet(text)) return standard
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} is a positive whole number, not "${text}"`)
  return value
}
