/** `_settings`: shows and changes index settings. */

import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { settingNames, warnWithoutEffect } from '../../../service/settings/settings-without-effect.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { acceptTimeouts, listParameter } from './indices.ts'

export function settingsRoutes(routes: Routes, node: SandpiperNode): void {
  const readPaths = ['/_settings', '/_settings/{name}', '/{index}/_settings', '/{index}/_settings/{name}']
  for (const path of [...readPaths, '/{index}/_setting/{name}']) {
    routes.add('GET', path, (request) => {
      const { query } = request
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const names = listParameter(request, 'name')
      const options = {
        flatSettings: query.boolean('flat_settings', false),
        includeDefaults: query.boolean('include_defaults', false),
        human: query.boolean('human', false),
      }
      query.accept('local', 'master_timeout')
      return () => ({ status: 200, body: node.indexSettings.get(expressions, names, parameters, options) })
    })
  }

  for (const path of ['/_settings', '/{index}/_settings']) {
    routes.add('PUT', path, (request) => {
      const { query } = request
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const options = {
        preserveExisting: query.boolean('preserve_existing', false),
        reopen: query.boolean('reopen', false),
      }
      acceptTimeouts(request)
      query.accept('flat_settings')
      const body = request.json()
      return async () => ({
        status: 200,
        body: await node.indexSettings.put(expressions, body, parameters, options),
        warnings: warnWithoutEffect(settingNames(body).map(indexSettingName)),
      })
    })
  }
}

/** `settings` around the body and `index.` in front of a name may be left out. */
function indexSettingName(name: string): string {
  const bare = name.replace(/^settings\./, '')
  return bare.startsWith('index.') ? bare : `index.${bare}`
}
