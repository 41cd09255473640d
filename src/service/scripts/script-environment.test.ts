import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '../../engine/scripts/compile-script.ts'
import { scriptOf } from '../../engine/scripts/script.ts'
import { withScriptIndex, withScripts } from '../../engine/scripts/script-environment.ts'
import { clusterScripts } from './script-environment.ts'

test('a search compiles a stored script by its id, and refuses an unknown id', () => {
  const state = {
    persistentSettings: {},
    sections: { storedScripts: new Map([['two', { lang: 'painless', source: '1 + 1' }]]) },
  }
  const environment = clusterScripts({ state, transientSettings: {} } as never, 'a')
  const result = (id: string) =>
    withScripts(environment, () =>
      withScriptIndex('b', () => compile(scriptOf({ id }), 'painless_test').newInstance().execute()),
    )
  assert.equal(result('two'), 2)
  assert.throws(() => result('none'), /unable to find script \[none\]/)
})
