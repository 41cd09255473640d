/** The pipeline tool as a program of its own: what tests start, talk to and kill. */
import { main } from '../../src/cli/main.ts'

await main(['pipeline', ...process.argv.slice(2)])
