import assert from 'node:assert/strict'
import { CONSOLE, Service, scenario } from '../harness.mjs'
import { seriousFindings } from './accessibility.mjs'

const PASSWORD = 'for this test'
const basic = (user, password) => `Basic ${btoa(`${user}:${password}`)}`

/** A scenario with a service of its own that has users; `page` is signed in as elastic. */
function guardedScenario(name, run, options = {}) {
  scenario(
    name,
    async ({ page }) => {
      const guarded = new Service()
      process.env.ELASTIC_PASSWORD = PASSWORD
      await guarded.start(['--security', 'true'])
      try {
        await page.addInitScript(
          (value) => sessionStorage.setItem('sandpiper.authorization', value),
          basic('elastic', PASSWORD),
        )
        const send = async (method, path, body, authorization = basic('elastic', PASSWORD)) => {
          const response = await fetch(guarded.url + path, {
            method,
            headers: { authorization, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
          return { status: response.status, body: await response.json() }
        }
        await run({ page, send, open: (path) => page.goto(guarded.url + CONSOLE + path) })
      } finally {
        delete process.env.ELASTIC_PASSWORD
        await guarded.stop()
        guarded.remove()
      }
    },
    { isElsewhere: true, ...options },
  )
}

const pick = async (page, row, item) => {
  await page.getByRole('button', { name: `Actions of ${row}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

guardedScenario(
  'a user is created, signs in, gets another password, is disabled and deleted',
  async ({ page, open, send }) => {
    await open('/users')
    await page.getByRole('link', { name: 'API keys' }).waitFor()
    await page.getByRole('button', { name: 'Create user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a user' })
    await dialog.getByLabel('Name', { exact: true }).fill('ann')
    await dialog.getByLabel('Password').fill('first secret')
    await dialog.getByLabel('Roles', { exact: true }).fill('viewer')
    await dialog.getByLabel('Roles', { exact: true }).press('Enter')
    await dialog.getByLabel('Full name').fill('Ann Wade')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('User ann created').waitFor()
    await page.getByText('Ann Wade').waitFor()
    const authenticate = (password) => send('GET', '/_security/_authenticate', undefined, basic('ann', password))
    assert.deepEqual((await authenticate('first secret')).body.roles, ['viewer'])

    await pick(page, 'ann', 'Set password…')
    await page.getByLabel('New password').fill('second secret')
    await page.getByLabel('The same again').fill('second')
    await page.getByText('The two are not the same.').waitFor()
    await page.getByLabel('The same again').fill('second secret')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password of ann set').waitFor()
    assert.equal((await authenticate('second secret')).status, 200)

    await pick(page, 'ann', 'Disable')
    await page.getByText('disabled', { exact: true }).waitFor()
    assert.equal((await authenticate('second secret')).status, 401)
    await pick(page, 'ann', 'Enable')
    await page.getByText('User ann enabled').waitFor()

    await pick(page, 'ann', 'Change…')
    await page.getByRole('button', { name: 'Remove viewer from Roles' }).click()
    await page.getByRole('button', { name: 'Save user' }).click()
    await page.getByText('no role').waitFor()
    assert.equal((await authenticate('second secret')).status, 200, 'the password stays')

    await pick(page, 'ann', 'Delete…')
    const button = page.getByRole('button', { name: 'Delete user' })
    assert.ok(await button.isDisabled())
    await page.getByLabel(/to confirm/).fill('ann')
    await button.click()
    await page.getByText('User ann deleted').waitFor()
    assert.equal((await send('GET', '/_security/user/ann')).status, 404)
  },
)

guardedScenario('the request that creates a user is shown without its password', async ({ page, open }) => {
  await open('/users?create=new')
  const dialog = page.getByRole('dialog', { name: 'Create a user' })
  await dialog.getByLabel('Name', { exact: true }).fill('bo')
  await dialog.getByLabel('Password').fill('very secret')
  await dialog.getByRole('button', { name: 'Show the request' }).click()
  const shown = page.getByRole('dialog', { name: 'The request of this view' })
  await shown.getByText('PUT /_security/user/bo').waitFor()
  assert.doesNotMatch(await shown.innerText(), /very secret/)
})

guardedScenario('a refused user keeps what was typed and says why', async ({ page, open }) => {
  await open('/users?create=new')
  const dialog = page.getByRole('dialog', { name: 'Create a user' })
  await dialog.getByLabel('Name', { exact: true }).fill('elastic')
  await dialog.getByLabel('Password').fill('some secret')
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await dialog
    .getByText(/reserved/)
    .first()
    .waitFor()
  assert.equal(await dialog.getByLabel('Password').inputValue(), 'some secret')
})

guardedScenario('built-in users are listed on request, and the address keeps it', async ({ page, open }) => {
  await open('/users')
  await page.getByText('elastic', { exact: true }).waitFor()
  await page.getByLabel('Built-in users').check()
  await page.getByText('kibana_system').first().waitFor()
  await page.reload()
  await page.getByText('kibana_system').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('logstash')
  await page.getByText('1 user').waitFor()
})

guardedScenario(
  'a role with limits on fields and documents is created, and holds for its user',
  async ({ page, open, send }) => {
    await send('PUT', '/orders/_doc/1?refresh=true', { region: 'north', card: '42', n: 1 })
    await send('PUT', '/orders/_doc/2?refresh=true', { region: 'south', card: '43', n: 2 })
    await open('/roles')
    await page.getByRole('button', { name: 'Create role' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a role' })
    const add = async (label, value) => {
      await dialog.getByLabel(label, { exact: true }).fill(value)
      await dialog.getByLabel(label, { exact: true }).press('Enter')
    }
    await dialog.getByLabel('Name', { exact: true }).fill('north')
    await add('Cluster privileges', 'monitor')
    await add('Indices, aliases, data streams, patterns', 'orders')
    await add('Privileges', 'read')
    await add('Without these fields', 'card')
    await dialog.getByLabel('Only documents that match this query').fill('{ "match": { "region": ')
    await dialog.getByRole('button', { name: 'Create role' }).click()
    await dialog.getByText(/The query for orders is not JSON/).waitFor()
    await dialog.getByLabel('Only documents that match this query').fill('{ "match": { "region": "north" } }')
    await dialog.getByRole('button', { name: 'Create role' }).click()
    await page.getByText('Role north created').waitFor()
    await page.getByText('read on orders · fields * without card · some documents').waitFor()
    await send('PUT', '/_security/user/nora', { password: 'nora secret', roles: ['north'] })
    const { body } = await send('GET', '/orders/_search', undefined, basic('nora', 'nora secret'))
    assert.deepEqual(
      body.hits.hits.map(({ _source }) => _source),
      [{ region: 'north', n: 1 }],
    )
    await pick(page, 'north', 'Copy…')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('north-2')
    await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click()
    await page.getByText('Role north-2 created').waitFor()
    await pick(page, 'north-2', 'Delete…')
    await page.getByLabel(/to confirm/).fill('north-2')
    await page.getByRole('button', { name: 'Delete role' }).click()
    await page.getByText('Role north-2 deleted').waitFor()
    assert.equal((await send('GET', '/_security/role/north-2')).status, 404)
  },
)

guardedScenario(
  'an API key is created, its secret is shown once, and it is invalidated',
  async ({ page, open, send }) => {
    await open('/keys')
    await page.getByText('There is no key').waitFor()
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create an API key' })
    await dialog.getByLabel('Name', { exact: true }).fill('shipper')
    await dialog.getByLabel('Expires after').selectOption('30d')
    await dialog.getByLabel('Indices, aliases, data streams, patterns').fill('logs-*,')
    await dialog.getByLabel('Privileges', { exact: true }).fill('create_doc,auto_configure,')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const secret = page.getByRole('dialog', { name: 'The key shipper' })
    const encoded = (await secret.locator('pre').first().innerText()).trim()
    const use = (path, method = 'GET', body) => send(method, path, body, `ApiKey ${encoded}`)
    assert.equal((await use('/_security/_authenticate')).body.api_key.name, 'shipper')
    assert.equal((await use('/logs-a/_doc', 'POST', { n: 1 })).status, 201)
    assert.equal((await use('/other/_doc', 'POST', { n: 1 })).status, 403)
    await secret.getByRole('button', { name: 'Copy key' }).click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), encoded)
    await secret.getByRole('button', { name: 'Close' }).click()
    await page.getByText('create_doc, auto_configure on logs-*').waitFor()
    assert.doesNotMatch(await page.content(), new RegExp(encoded))

    await page.getByRole('button', { name: 'Invalidate shipper' }).click()
    await page.getByLabel(/to confirm/).fill('shipper')
    await page.getByRole('button', { name: 'Invalidate key' }).click()
    await page.getByText('API key shipper invalidated').waitFor()
    assert.equal((await use('/_security/_authenticate')).status, 401)
    await page.getByLabel('Expired and invalidated').check()
    await page.getByText('invalidated', { exact: true }).waitFor()
  },
)

guardedScenario(
  'a user without rights is told so, signs out, and comes back as another',
  async ({ page, open, send }) => {
    await send('PUT', '/_security/user/vera', { password: 'vera secret', roles: ['viewer'] })
    await open('/')
    await page.getByRole('button', { name: 'Sign out elastic' }).click()
    await page.getByLabel('User', { exact: true }).fill('vera')
    await page.getByLabel('Password').fill('vera secret')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('signed in as vera').waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page
      .getByText(/action \[cluster:admin\/xpack\/security\/user\/get\] is unauthorized/)
      .first()
      .waitFor()
  },
)

scenario('a service without users lists no views of access', async ({ page, open }) => {
  await open('/')
  await page.locator('.service', { hasText: /up \d/ }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)
})

const FILLED = [
  ['users', '/users?reserved=true', '.access tbody tr'],
  ['a user', '/users?create=new', 'dialog'],
  ['roles', '/roles?reserved=true', '.access tbody tr'],
  ['a role', '/roles?create=new', 'dialog'],
  ['keys', '/keys', '.access tbody tr'],
  ['a key', '/keys?create=new', 'dialog'],
]

for (const theme of ['light', 'dark']) {
  guardedScenario(
    `axe finds nothing serious in users, roles and keys, ${theme}`,
    async ({ page, open, send }) => {
      await send('POST', '/_security/api_key', { name: 'shipper', expiration: '30d' })
      for (const [name, path, ready] of FILLED) {
        await open(path)
        await page.locator(ready).first().waitFor()
        assert.deepEqual(await seriousFindings(page), [], name)
      }
    },
    { theme },
  )
}

guardedScenario(
  'users, roles and keys fit a small screen',
  async ({ page, open, send }) => {
    await send('POST', '/_security/api_key', { name: 'a-key-with-a-name-that-is-quite-long-for-a-phone' })
    for (const [name, path, ready] of FILLED) {
      await open(path)
      await page.locator(ready).first().waitFor()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= 360, `${name} is ${width} px wide`)
    }
  },
  { viewport: { width: 360, height: 720 } },
)

/** A gateway to a service of its own, which takes the part of the cluster. */
function gatewayScenario(name, run, options = {}) {
  scenario(
    name,
    async ({ page }) => {
      const cluster = new Service()
      const gateway = new Service()
      await cluster.start()
      try {
        await gateway.start(['--cluster', cluster.url])
        await run({ page, cluster, gateway, open: (path) => page.goto(gateway.url + CONSOLE + path) })
      } finally {
        await gateway.stop()
        await cluster.stop().catch(() => {})
        gateway.remove()
        cluster.remove()
      }
    },
    { isElsewhere: true, ...options },
  )
}

gatewayScenario(
  'the gateway shows its nodes, the ways of requests and a node that is gone',
  async ({ page, cluster, gateway, open }) => {
    await fetch(`${gateway.url}/birds/_search?ignore_unavailable=true`)
    await open('/')
    await page.getByRole('link', { name: 'Gateway' }).click()
    await page.getByRole('heading', { level: 1, name: 'Gateway' }).waitFor()
    await page.getByRole('region', { name: 'Nodes', exact: true }).getByText('in use').waitFor()
    await page.getByRole('region', { name: 'Requests by handling' }).getByText('Passed').waitFor()
    assert.deepEqual(await seriousFindings(page), [])
    await cluster.stop()
    await fetch(`${gateway.url}/birds/_search`).catch(() => {})
    await page
      .getByRole('region', { name: 'Nodes', exact: true })
      .getByText(/resting since/)
      .waitFor()
    await cluster.start()
  },
)

gatewayScenario(
  'the gateway fits a small screen in the dark',
  async ({ page, open }) => {
    await open('/gateway')
    await page.getByRole('region', { name: 'Nodes', exact: true }).getByText('in use').waitFor()
    assert.deepEqual(await seriousFindings(page), [])
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360)
  },
  { theme: 'dark', viewport: { width: 360, height: 720 } },
)
