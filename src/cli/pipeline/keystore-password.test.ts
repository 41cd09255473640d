import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { substituteVariables } from '../../pipeline/config/environment.ts'
import { Keystore } from '../../pipeline/config/keystore.ts'
import { keystorePath, withKeystore } from './keystore-password.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-keystore-'))

after(() => rmSync(folder, { recursive: true, force: true }))

test('without a keystore the variables of a configuration are those of the environment', async () => {
  const environment = { NAME: 'value' }
  assert.equal(await withKeystore(folder, environment), environment)
})

test('secrets of the keystore take precedence over the environment, with the password of either variable', async () => {
  Keystore.create(keystorePath(folder), 'a-password').set('ES_PWD', 'from the keystore')
  for (const variable of ['SANDPIPER_KEYSTORE_PASS', 'LOGSTASH_KEYSTORE_PASS']) {
    const environment = await withKeystore(folder, { [variable]: 'a-password', ES_PWD: 'from the environment' })
    assert.equal(substituteVariables(`password => "\${ES_PWD}"`, environment), 'password => "from the keystore"')
  }
})
