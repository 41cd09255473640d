/** Composable (`_index_template`), component (`_component_template`) and legacy (`_template`) templates. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseLegacyTemplate } from '../../../service/templates/legacy-template-parser.ts'
import { parseComponentTemplate, parseIndexTemplate } from '../../../service/templates/template-parser.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { requireBody } from '../required-body.ts'
import { acceptTimeouts, listParameter } from './indices.ts'

export function templateRoutes(routes: Routes, node: SandpiperNode): void {
  indexTemplateRoutes(routes, node)
  simulateRoutes(routes, node)
  componentTemplateRoutes(routes, node)
  legacyTemplateRoutes(routes, node)
}

function indexTemplateRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add(['PUT', 'POST'], '/_index_template/{name}', (request) => {
    const create = readCreate(request)
    const template = parseIndexTemplate(requireBody(request))
    return () => node.templates.putIndexTemplate(request.params['name']!, template, create)
  })
  for (const path of ['/_index_template', '/_index_template/{name}']) {
    routes.add('GET', path, (request) => {
      const flat = readFlat(request)
      request.query.accept('include_defaults')
      return () => node.templates.getIndexTemplates(request.params['name'], flat)
    })
  }
  routes.add('HEAD', '/_index_template/{name}', (request) => {
    readFlat(request)
    const [name] = listParameter(request, 'name')
    return () => ({ status: exists(() => node.templates.getIndexTemplates(name, false)) })
  })
  routes.add('DELETE', '/_index_template/{name}', (request) => {
    acceptTimeouts(request)
    const names = listParameter(request, 'name')
    return async () => ({ status: 200, body: await node.templates.deleteIndexTemplates(names) })
  })
}

function simulateRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('POST', '/_index_template/_simulate_index/{name}', (request) => {
    readCreate(request)
    request.query.accept('include_defaults')
    const extra = request.hasBody ? parseIndexTemplate(request.body) : undefined
    return () => ({ status: 200, body: node.templates.simulateIndex(request.params['name']!, extra) })
  })
  for (const path of ['/_index_template/_simulate', '/_index_template/_simulate/{name}']) {
    routes.add('POST', path, (request) => {
      readCreate(request)
      request.query.accept('include_defaults')
      const body = request.hasBody ? parseIndexTemplate(request.body) : undefined
      return () => ({ status: 200, body: node.templates.simulate(request.params['name'], body) })
    })
  }
}

function componentTemplateRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add(['PUT', 'POST'], '/_component_template/{name}', (request) => {
    const create = readCreate(request)
    const template = parseComponentTemplate(requireBody(request))
    return async () => ({
      status: 200,
      body: await node.templates.putComponentTemplate(request.params['name']!, template, create),
    })
  })
  for (const path of ['/_component_template', '/_component_template/{name}']) {
    routes.add('GET', path, (request) => {
      const flat = readFlat(request)
      request.query.accept('include_defaults')
      return () => node.templates.getComponentTemplates(request.params['name'], flat)
    })
  }
  routes.add('HEAD', '/_component_template/{name}', (request) => {
    readFlat(request)
    const name = request.params['name']
    return () => ({ status: exists(() => node.templates.getComponentTemplates(name, false)) })
  })
  routes.add('DELETE', '/_component_template/{name}', (request) => {
    acceptTimeouts(request)
    const names = listParameter(request, 'name')
    return async () => ({ status: 200, body: await node.templates.deleteComponentTemplates(names) })
  })
}

function legacyTemplateRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add(['PUT', 'POST'], '/_template/{name}', (request) => {
    const create = readCreate(request)
    const order = request.query.integer('order')
    const template = parseLegacyTemplate(request.requireJson(), order)
    return () => node.templates.putLegacyTemplate(request.params['name']!, template, create)
  })
  for (const path of ['/_template', '/_template/{name}']) {
    routes.add('GET', path, (request) => {
      const flat = readFlat(request)
      const names = listParameter(request, 'name')
      return () => node.templates.getLegacyTemplates(names, flat)
    })
  }
  routes.add('HEAD', '/_template/{name}', (request) => {
    readFlat(request)
    const names = listParameter(request, 'name')
    return () => ({ status: exists(() => node.templates.getLegacyTemplates(names, false)) })
  })
  routes.add('DELETE', '/_template/{name}', (request) => {
    acceptTimeouts(request)
    return async () => ({ status: 200, body: await node.templates.deleteLegacyTemplate(request.params['name']!) })
  })
}

function readCreate(request: HttpRequest): boolean {
  acceptTimeouts(request)
  request.query.accept('cause')
  return request.query.boolean('create', false)
}

function readFlat(request: HttpRequest): boolean {
  acceptTimeouts(request)
  request.query.accept('local')
  return request.query.boolean('flat_settings', false)
}

/** The status of a HEAD request: 404 whether the lookup throws or finds nothing. */
function exists(look: () => { readonly status: number }): number {
  try {
    return look().status
  } catch {
    return 404
  }
}
