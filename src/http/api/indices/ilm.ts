/** `_ilm`: lifecycle policies, and where indices are in them. */

import { illegalArgument, resourceNotFound } from '../../../base/api-error.ts'
import { formatDuration } from '../../../base/duration.ts'
import { newMembers } from '../../../base/json/members.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import { putIndex, resolverOf } from '../../../service/catalog/index-context.ts'
import { nextSettings } from '../../../service/data-streams/next-settings.ts'
import { parsePolicy } from '../../../service/lifecycle/ilm-policy.ts'
import { lifecycleDate } from '../../../service/lifecycle/ilm-runner.ts'
import type { IndexMetadata, JsonObject } from '../../../service/metadata/metadata.ts'
import { EXPAND_OPEN, withParameters } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { isObject } from '../../../service/settings/flat-settings.ts'
import { compose } from '../../../service/templates/compose-template.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { acceptTimeouts } from './indices.ts'

const ACKNOWLEDGED = { status: 200, body: { acknowledged: true } }

export function ilmRoutes(routes: Routes, node: SandpiperNode): void {
  policyRoutes(routes, node)
  indexRoutes(routes, node)

  routes.add('GET', '/_ilm/status', () => () => ({ status: 200, body: { operation_mode: node.lifecycle.mode } }))
  for (const [path, mode] of [
    ['/_ilm/start', 'RUNNING'],
    ['/_ilm/stop', 'STOPPED'],
  ] as const) {
    routes.add('POST', path, (request) => {
      acceptTimeouts(request)
      return async () => {
        await node.lifecycle.setMode(mode)
        return ACKNOWLEDGED
      }
    })
  }
}

function policyRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('PUT', '/_ilm/policy/{name}', (request) => {
    const name = request.params['name']!
    const body = request.requireJson()
    acceptTimeouts(request)
    const given = isObject(body) ? body['policy'] : undefined
    if (!isObject(given)) throw illegalArgument('Required [policy]')
    checkName(name)
    const policy = parsePolicy(given)
    return async () => {
      await node.metadata.update((state) => {
        const version = (state.lifecyclePolicies.get(name)?.version ?? 0) + 1
        const modifiedMs = node.context.clock.nowMs()
        return [{ section: 'lifecyclePolicies', name, value: { version, modifiedMs, policy } }]
      })
      return ACKNOWLEDGED
    }
  })

  for (const path of ['/_ilm/policy', '/_ilm/policy/{name}']) {
    routes.add('GET', path, (request) => {
      const name = request.params['name']
      acceptTimeouts(request)
      return () => ({ status: 200, body: printPolicies(node, name) })
    })
  }

  routes.add('DELETE', '/_ilm/policy/{name}', (request) => {
    const name = request.params['name']!
    acceptTimeouts(request)
    return async () => {
      if (!node.state.lifecyclePolicies.has(name)) throw policyNotFound(name)
      const { indices } = usersOf(node, name)
      if (indices.length > 0) {
        throw illegalArgument(
          `Cannot delete policy [${name}]. It is in use by one or more indices: [${indices.join(', ')}]`,
        )
      }
      // A built-in policy outlives its deletion, and that of its replacement.
      await node.metadata.update(({ sections }) =>
        sections.lifecyclePolicies.has(name) ? [{ section: 'lifecyclePolicies', name, value: undefined }] : [],
      )
      return ACKNOWLEDGED
    }
  })
}

function indexRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', '/{index}/_ilm/explain', (request) => {
    const { query } = request
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    const onlyErrors = query.boolean('only_errors', false)
    const onlyManaged = query.boolean('only_managed', false)
    query.accept('master_timeout')
    return () => {
      const shown: JsonObject = newMembers()
      for (const index of resolved(node, expressions, parameters)) {
        const isManaged = node.lifecycle.policies.isManaged(index)
        if (onlyManaged && !isManaged) continue
        if (onlyErrors && index.lifecycle?.failure === undefined) continue
        shown[index.name] = explain(node, index, isManaged)
      }
      return { status: 200, body: { indices: shown } }
    }
  })

  routes.add('POST', '/{index}/_ilm/remove', (request) => {
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    return async () => {
      const names = resolved(node, expressions, parameters).map(({ name }) => name)
      const unset = { 'index.lifecycle.name': null, 'index.lifecycle.rollover_alias': null }
      if (names.length > 0) {
        await node.indexSettings.put(names, unset, {}, { preserveExisting: false, reopen: false })
        await node.metadata.update((state) =>
          names
            .map((name) => state.index(name))
            .filter((index) => index !== undefined)
            .map(({ lifecycle: _removed, ...index }) => putIndex(index)),
        )
      }
      return { status: 200, body: { has_failures: false, failed_indexes: [] } }
    }
  })

  routes.add('POST', '/{index}/_ilm/retry', (request) => {
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    acceptTimeouts(request)
    return async () => {
      for (const { name, lifecycle } of resolved(node, expressions, parameters)) {
        if (lifecycle?.failure !== undefined) continue
        throw illegalArgument(
          `cannot retry an action for an index [${name}] that has not encountered an error when running a Lifecycle Policy`,
        )
      }
      await node.lifecycle.run()
      return ACKNOWLEDGED
    }
  })
}

const resolved = (
  node: SandpiperNode,
  expressions: readonly string[],
  parameters: Parameters<typeof withParameters>[1],
): IndexMetadata[] => resolverOf(node.context).indices(expressions, withParameters(EXPAND_OPEN, parameters))

function checkName(name: string): void {
  if (name.startsWith('_')) throw illegalArgument(`invalid policy name [${name}]: must not start with '_'`)
  if (name.includes(',') || name.includes(' ')) {
    throw illegalArgument(`invalid policy name [${name}]: must not contain ',' or ' '`)
  }
  if (Buffer.byteLength(name) > 255) {
    throw illegalArgument(`invalid policy name [${name}]: name is too long, (${Buffer.byteLength(name)} > 255)`)
  }
}

function printPolicies(node: SandpiperNode, name: string | undefined): JsonObject {
  const policies = node.state.lifecyclePolicies
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

function usersOf(node: SandpiperNode, policy: string) {
  const { state } = node
  const uses = (settings: Readonly<Record<string, unknown>> | undefined) =>
    settings?.['index.lifecycle.name'] === policy
  const indices = [...state.indices.values()].filter((index) => uses(index.settings)).map((index) => index.name)
  const streams = [...state.dataStreams.values()].filter((stream) => uses(nextSettings(state, stream)))
  const templates = [...state.indexTemplates].filter(([, template]) => uses(compose(state, template).settings))
  return {
    indices,
    data_streams: streams.map(({ name }) => name),
    composable_templates: templates.map(([name]) => name),
  }
}

function explain(node: SandpiperNode, index: IndexMetadata, isManaged: boolean): JsonObject {
  if (!isManaged) return { index: index.name, managed: false }
  const now = node.context.clock.nowMs()
  const date = lifecycleDate(index)
  const policy = String(index.settings['index.lifecycle.name'])
  const at = index.lifecycle?.policy === policy ? index.lifecycle : undefined
  const { failure, definition } = at ?? {}
  return {
    index: index.name,
    managed: true,
    policy,
    index_creation_date_millis: index.creationDate,
    time_since_index_creation: formatDuration(now - index.creationDate),
    ...(at === undefined
      ? {}
      : {
          lifecycle_date_millis: date,
          age: formatDuration(now - date),
          phase: at.phase,
          phase_time_millis: at.phaseTimeMs,
          action: at.action,
          action_time_millis: at.actionTimeMs,
          step: at.step,
          step_time_millis: at.stepTimeMs,
        }),
    ...(failure === undefined
      ? {}
      : {
          failed_step: failure.step,
          is_auto_retryable_error: true,
          failed_step_retry_count: failure.retries,
          step_info: failure.info,
        }),
    ...(definition === undefined
      ? {}
      : {
          phase_execution: {
            policy,
            phase_definition: definition.phase,
            version: definition.version,
            modified_date_in_millis: definition.modifiedMs,
          },
        }),
  }
}

const policyNotFound = (name: string) => resourceNotFound(`Lifecycle policy not found: ${name}`)
