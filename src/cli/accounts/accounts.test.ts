import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { SearchServer } from '../../server/search-server.ts'
import { openAccounts } from './accounts.ts'

const work = mkdtempSync(join(tmpdir(), 'sandpiper-accounts-'))
after(() => rmSync(work, { recursive: true, force: true }))

// Goal: users and keys can be managed beside a running node, whose API is used, and in the folder of a stopped one.
// Method: the same steps in both states; what one state made, the other must see.
test('users and keys are made, listed and removed while the node runs and while it is stopped', async () => {
  const dataFolder = join(work, 'data')
  const open = () =>
    SearchServer.open({
      threads: 0,
      dataFolder,
      listen: { host: '127.0.0.1', port: 0 },
      maxContentBytes: 1_000_000,
      strictMediaTypes: false,
      log: silentLog,
      security: { bootstrapPassword: 'admin-password', scryptCost: 16 },
    })
  const server = await open()
  try {
    await manage('running')
  } finally {
    await server.stop()
  }
  await manage('stopped')

  async function manage(name: string): Promise<void> {
    const accounts = openAccounts(dataFolder)
    try {
      await accounts.addUser(name, 'a-password', ['viewer', `${name}-role`])
      assert.deepEqual(await accounts.unknownRoles(['viewer', `${name}-role`]), [`${name}-role`])
      assert.ok((await accounts.users()).some(({ username }) => username === name))
      await accounts.setPassword(name, 'another-password')
      const { id } = await accounts.createKey({ name: `key of ${name}` })
      assert.equal(await accounts.revokeKey(id), true)
      assert.equal(await accounts.revokeKey(id), false)
      assert.equal(await accounts.revokeKey('invented'), false)
      assert.equal((await accounts.keys()).find((key) => key['id'] === id)?.['invalidated'], true)
      assert.equal(await accounts.removeUser(name), true)
      assert.equal(await accounts.removeUser(name), false)
    } finally {
      await accounts.close()
    }
  }
})
