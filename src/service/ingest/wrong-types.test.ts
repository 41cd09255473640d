import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { scriptEnvironment } from '../../engine/scripts/script-environment.ts'
import { IngestRunner } from './run/ingest-runner.ts'
import { wrongRequests } from './wrong-types-fixture.ts'

const NO_ROUTE = { default: undefined, final: undefined }

function runner(): IngestRunner {
  const made = new IngestRunner({ nowMs: () => 1_700_000_000_000, routeOf: async () => NO_ROUTE })
  made.define({
    pipelines: {},
    scripts: {},
    scriptSettings: scriptEnvironment().settings,
    databaseFolder: undefined,
    isUsed: true,
    hasBuiltIns: false,
  })
  return made
}

// Goal: no definition, however wrong its types, is answered with an internal error. Method: replace every value of
// complete definitions and documents by values of every type.
test('a simulation with a value of a wrong type at any place succeeds or fails with a client error', () => {
  const ingest = runner()
  const failures: string[] = []
  let count = 0
  for (const { name, body } of wrongRequests()) {
    for (const isVerbose of [false, true]) {
      count++
      try {
        ingest.simulate({ id: undefined, isVerbose, body: Buffer.from(body) })
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) continue
        failures.push(`${name}: ${String(error).slice(0, 150)}`)
      }
    }
  }
  assert.ok(count > 5_000, String(count))
  assert.deepEqual(failures, [])
})
