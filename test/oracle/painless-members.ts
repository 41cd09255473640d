// Calls every member that scripts may use with random arguments, here and on an Elasticsearch that has Painless.
//   node --import tsx test/oracle/painless-members.ts --url http://127.0.0.1:9230 [--count 4] [--seed 1] [--classes java.util.]
// Refused members are counted and not listed. `--all` lists also the differences between texts that name objects: identity hashes,
// classes of lambdas, and formatters.
import { MemberCalls } from '../painless/member-calls.ts'
import { type Answer, bothAnswers, describe, essence, option } from './both-answers.ts'

const refused = ({ error }: Answer): boolean => /not supported/.test(error?.caused_by?.reason ?? '')
const namesObjects = ({ result }: Answer): boolean =>
  /@[0-9a-f]+|Lambda|^INSTANCE$|ParseCaseSensitive/.test(result ?? '')

const members = new MemberCalls(Number(option('seed', '1')))
console.log(`no objects of ${members.classesWithoutObjects.length} classes`)
let calls = 0
let same = 0
let refusals = 0
const differing = new Set<string>()
for (const { member, source } of members.calls(Number(option('count', '4')), option('classes', ''))) {
  const { theirs, ours } = await bothAnswers(source)
  calls++
  if (essence(theirs) === essence(ours) || (namesObjects(theirs) && !process.argv.includes('--all'))) same++
  else if (refused(ours)) refusals++
  else {
    differing.add(member)
    console.log(`${member}\n  ${source}\n  server ${describe(theirs)}\n  ours   ${describe(ours)}`)
  }
}
console.log(
  `${calls} calls, ${same} agree, ${refusals} refused here, ${calls - same - refusals} differ (${differing.size} members)`,
)
