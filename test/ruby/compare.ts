/** Compares recordings from standard input: prints what differs, then how many agree and how many there are. */
import { text } from 'node:stream/consumers'
import { differences, recordings } from './snippets-run.ts'

const list = recordings(await text(process.stdin))
const found = differences(list)
for (const line of found) console.log(line)
console.log(`${list.length - found.length} ${list.length}`)
