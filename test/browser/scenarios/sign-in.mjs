import { CONSOLE, Service, scenario } from '../harness.mjs'

scenario(
  'a service with users asks for one, says when the password is wrong, and leads on to the address that was asked for',
  async ({ page }) => {
    process.env.ELASTIC_PASSWORD = 'for this test'
    const guarded = new Service()
    await guarded.start(['--security', 'true'])
    try {
      await page.goto(`${guarded.url}${CONSOLE}/indices`)
      await page.getByLabel('User', { exact: true }).fill('elastic')
      await page.getByLabel('Password').fill('another')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('That user and password do not match').waitFor()
      await page.getByLabel('Password').fill('for this test')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Indices' }).waitFor()
      await page.getByText('There is no index yet').waitFor()
    } finally {
      delete process.env.ELASTIC_PASSWORD
      await guarded.stop()
      guarded.remove()
    }
  },
  { isElsewhere: true },
)
