// Drives the console in a real Chromium through every view.
//   npm run test:browser                       all scenarios
//   npm run test:browser -- --only TEXT        those whose name matches the expression TEXT
//   npm run test:browser -- --screenshots      writes the pictures of docs/console instead, with --only those whose name matches
import { fill } from './data.mjs'
import { findBrowser, runScenarios, Service } from './harness.mjs'
import { measure } from './measure.mjs'
import './scenarios/shell.mjs'
import './scenarios/overview.mjs'
import './scenarios/requests.mjs'
import './scenarios/discover.mjs'
import './scenarios/aggregations.mjs'
import './scenarios/indices.mjs'
import './scenarios/contexts.mjs'
import './scenarios/tasks.mjs'
import './scenarios/pipelines.mjs'
import './scenarios/sign-in.mjs'
import './scenarios/access.mjs'
import './scenarios/accessibility.mjs'
import { takeScreenshots } from './screenshots.mjs'

if (findBrowser() === undefined) {
  console.error(
    'No Chromium was found. Install one (Debian: apt-get install chromium), or name it: SANDPIPER_CHROMIUM=/path/to/chrome npm run test:browser',
  )
  process.exit(1)
}
const option = (name) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const service = new Service()
try {
  await service.start()
  await fill(service.url)
  if (process.argv.includes('--screenshots')) await takeScreenshots(service, option('--only'))
  else {
    await measure(service)
    process.exitCode = (await runScenarios(service, option('--only'))) === 0 ? 0 : 1
  }
} finally {
  await service.stop()
  service.remove()
}
