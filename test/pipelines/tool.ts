/** The entry point of the pipeline tool as a separate process, for tests that start and kill it. */
import { main } from '../../src/cli/main.ts'

await main(['pipeline', ...process.argv.slice(2)])
