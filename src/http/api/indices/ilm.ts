/** `_ilm`: lifecycle policies are stored, because shippers create them before they send data. They are not executed. */

import { illegalArgument, resourceNotFound } from '../../../base/api-error.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import type { JsonObject } from '../../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { isObject } from '../../../service/settings/flat-settings.ts'
import type { Routes } from '../../router.ts'

const ACKNOWLEDGED = { status: 200, body: { acknowledged: true } }

export function ilmRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('PUT', '/_ilm/policy/{name}', (request) => {
    const name = request.params['name']!
    const body = request.requireJson()
    request.query.accept('master_timeout', 'timeout')
    const policy = isObject(body) ? body['policy'] : undefined
    if (!isObject(policy)) throw illegalArgument('Required [policy]')
    return async () => {
      await node.metadata.update((state) => {
        const version = (state.sections.lifecyclePolicies.get(name)?.version ?? 0) + 1
        return [{ section: 'lifecyclePolicies', name, value: { version, modifiedMs: Date.now(), policy } }]
      })
      return ACKNOWLEDGED
    }
  })

  for (const path of ['/_ilm/policy', '/_ilm/policy/{name}']) {
    routes.add('GET', path, (request) => {
      const name = request.params['name']
      request.query.accept('master_timeout', 'timeout')
      return () => ({ status: 200, body: printPolicies(node, name) })
    })
  }

  routes.add('DELETE', '/_ilm/policy/{name}', (request) => {
    const name = request.params['name']!
    request.query.accept('master_timeout', 'timeout')
    return async () => {
      if (!node.state.sections.lifecyclePolicies.has(name)) throw policyNotFound(name)
      await node.metadata.update(() => [{ section: 'lifecyclePolicies', name, value: undefined }])
      return ACKNOWLEDGED
    }
  })

  routes.add('GET', '/_ilm/status', () => () => ({ status: 200, body: { operation_mode: 'STOPPED' } }))
}

function printPolicies(node: SandpiperNode, name: string | undefined): JsonObject {
  const policies = node.state.sections.lifecyclePolicies
  const matchers = (name ?? '*').split(',').map((pattern) => namePattern(pattern))
  const found = [...policies].filter(([known]) => matchers.some((matches) => matches(known)))
  if (found.length === 0 && name !== undefined && !name.includes('*')) throw policyNotFound(name)
  return Object.fromEntries(
    found.map(([known, { version, modifiedMs, policy }]) => [
      known,
      { version, modified_date: new Date(modifiedMs).toISOString(), policy, in_use_by: usersOf(node, known) },
    ]),
  )
}

function usersOf(node: SandpiperNode, policy: string): JsonObject {
  const uses = (settings: Readonly<Record<string, unknown>> | undefined) =>
    settings?.['index.lifecycle.name'] === policy
  const indices = [...node.state.indices.values()].filter((index) => uses(index.settings)).map((index) => index.name)
  const templates = [...node.state.indexTemplates].filter(([, { template }]) => uses(template?.settings))
  return { indices, data_streams: [], composable_templates: templates.map(([name]) => name) }
}

const policyNotFound = (name: string) => resourceNotFound(`Lifecycle policy not found: ${name}`)
