/** `/_sandpiper/pipeline/…`: the pipeline tool's own code on samples, for the console. Nothing is read, sent or stored. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { PipelineWorkbench } from '../../pipeline-workbench.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'

const LINES_MAX = 200
const TEXT_MAX = 200_000
/** Where the tool's monitoring API listens: 9600, or the next port that was free. */
const MONITORING_PORTS = [9600, 9700] as const

export function pipelineToolRoutes(routes: Routes, workbench: PipelineWorkbench | undefined): void {
  routes.add('POST', '/_sandpiper/pipeline/grok', (request) => {
    const body = readObject(request)
    const trial = {
      pattern: text(body, 'pattern'),
      lines: lines(body),
      definitions: definitions(body),
      ecs: body['ecs'] === true,
    }
    return async () => ({ status: 200, body: await present(workbench).tryGrok(trial) })
  })
  routes.add('POST', '/_sandpiper/pipeline/config', (request) => {
    const body = readObject(request)
    const trial = { config: text(body, 'config'), lines: lines(body), ecs: body['ecs'] !== false }
    return async () => ({ status: 200, body: await present(workbench).tryConfig(trial) })
  })
  routes.add('GET', '/_sandpiper/pipeline/running', ({ query }) => {
    const port = query.integer('port', MONITORING_PORTS[0])
    if (port < MONITORING_PORTS[0] || port > MONITORING_PORTS[1]) {
      throw illegalArgument(`[port] must be between ${MONITORING_PORTS[0]} and ${MONITORING_PORTS[1]}, got ${port}`)
    }
    return async () => ({ status: 200, body: await present(workbench).running(port) })
  })
}

function present(workbench: PipelineWorkbench | undefined): PipelineWorkbench {
  if (workbench === undefined) throw illegalArgument('this node was started without the pipeline tool')
  return workbench
}

function readObject(request: HttpRequest): Record<string, unknown> {
  const body = request.requireJson()
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw illegalArgument('the body must be an object')
  const known = ['pattern', 'config', 'lines', 'definitions', 'ecs']
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined) throw illegalArgument(`unknown field [${unknown}]`)
  return body as Record<string, unknown>
}

function text(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (typeof value !== 'string') throw illegalArgument(`[${name}] must be text`)
  if (value.length > TEXT_MAX) throw illegalArgument(`[${name}] is longer than ${TEXT_MAX} characters`)
  return value
}

function lines(body: Record<string, unknown>): string[] {
  const value = body['lines'] ?? []
  if (!Array.isArray(value) || value.some((line) => typeof line !== 'string')) {
    throw illegalArgument('[lines] must be a list of texts')
  }
  if (value.length > LINES_MAX) throw illegalArgument(`[lines] has more than ${LINES_MAX} lines`)
  if (value.join('').length > TEXT_MAX) throw illegalArgument(`[lines] is longer than ${TEXT_MAX} characters`)
  return value as string[]
}

function definitions(body: Record<string, unknown>): Record<string, string> {
  const value = body['definitions'] ?? {}
  if (typeof value !== 'object' || value === null || Object.values(value).some((one) => typeof one !== 'string')) {
    throw illegalArgument('[definitions] must be an object of texts')
  }
  return value as Record<string, string>
}
