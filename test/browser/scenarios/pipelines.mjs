import assert from 'node:assert/strict'
import { scenario } from '../harness.mjs'

const grok = (pattern, lines) => `/pipelines/grok#${new URLSearchParams({ p: pattern, l: lines })}`

scenario('a grok pattern colours the pieces of lines that match', async ({ page, open }) => {
  await open(grok('%{IP:client} %{WORD:verb}', '192.0.2.7 GET\n192.0.2.8 PUT'))
  await page.getByText('2 of 2 lines match').waitFor()
  assert.equal(await page.locator('.grokline').first().locator('.piece').count(), 3)
  await page.getByRole('cell', { name: '192.0.2.7' }).waitFor()
})

scenario('a line that fails says at which column and what was wanted', async ({ page, open }) => {
  await open(grok('%{IP:client} \\[%{WORD:verb}\\]', '192.0.2.7 GET'))
  await page.getByText('0 of 1 lines match').waitFor()
  await page.getByText(/stops at column 10/).waitFor()
  await page.getByText(/The pattern wants/).waitFor()
  await page.locator('.pattern .bad').waitFor()
})

scenario('a suggested pattern is taken and matches', async ({ page, open }) => {
  await open(grok('%{IP:client} %{NUMBER:bytes}', '192.0.2.7 12\n192.0.2.7 -'))
  await page.getByText('1 of 2 lines match').waitFor()
  await page.getByRole('option').nth(1).click()
  await page.getByRole('button', { name: 'Take it' }).click()
  await page.getByText('2 of 2 lines match').waitFor()
})

scenario('an unknown pattern is said', async ({ page, open }) => {
  await open(grok('%{NOSUCH:x}', 'a'))
  await page
    .getByRole('alert')
    .getByText(/NOSUCH/)
    .waitFor()
})

scenario('a pattern that does not end is stopped', async ({ page, open }) => {
  await open(
    grok(
      '(?<x>(a+)+)$',
      Array(150)
        .fill(`${'a'.repeat(44)}!`)
        .join('\n'),
    ),
  )
  await page
    .getByRole('alert')
    .getByText(/stopped after/)
    .waitFor({ timeout: 20_000 })
})

scenario('a configuration is checked, and each filter shows what it changed', async ({ page, open }) => {
  await open('/pipelines/config')
  await page.getByText('Configuration OK').waitFor()
  await page.locator('.change').first().getByText('[client]').waitFor()
  await page.getByRole('button', { name: 'Line 2' }).click()
  await page.locator('.diff').getByText('[tags]').waitFor()
})

scenario('a mistake in a configuration is marked at its place, and the last good run stays', async ({ page, open }) => {
  await open('/pipelines/config')
  await page.getByText('Configuration OK').waitFor()
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nfilter { mutate { add_feild => { "a" => "b" } } }\n')
  await page.getByText('1 mistake').waitFor()
  await page.locator('.cm-editor .note').waitFor()
  await page.getByText('The run below is the last one without a mistake.').waitFor()
})

scenario('no running pipeline is said, with the command that starts one', async ({ page, open }) => {
  await open('/pipelines/running?port=9699')
  await page.getByText('No pipeline is running here').waitFor()
  await page.getByText('sandpiper pipeline -f access.conf').waitFor()
})
