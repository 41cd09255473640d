import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLog } from '../base/log.ts'
import { SearchServer } from './search-server.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'sandpiper-users-'))
after(() => rmSync(dataFolder, { recursive: true }))

const open = () =>
  SearchServer.open({
    dataFolder,
    threads: 0,
    maxContentBytes: 1e6,
    strictMediaTypes: false,
    log: silentLog,
    security: { scryptCost: 1024, bootstrapPassword: 'first-password' },
  })

test('a node that stored users does not start without their file, unless it is told to begin anew', async () => {
  await (await open()).stop()
  await (await open()).stop()
  const file = join(dataFolder, 'security', 'security')
  renameSync(file, join(dataFolder, 'backup'))
  await assert.rejects(open(), /the file security\/security of the data folder is missing/)
  renameSync(join(dataFolder, 'backup'), file)
  await (await open()).stop()
  rmSync(join(dataFolder, 'security'), { recursive: true })
  await assert.rejects(open(), /create a file security\/reset/)
  writeFileSync(join(dataFolder, 'security', 'reset'), '')
  await (await open()).stop()
  rmSync(file)
  await assert.rejects(open(), /is missing/)
})
