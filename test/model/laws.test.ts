// Goal: a service answers what a naive evaluator of plain documents answers, for worlds and requests that nobody wrote down. The
// seeds are fixed; `npm run test:laws` goes on with others for as long as wanted.
import { test } from 'node:test'
import { describe, Rounds } from './rounds.ts'
import { serviceInside } from './service.ts'
import { FIELD_TYPES } from './values.ts'

const ROUNDS = 22

test('random searches of random worlds have the answers of the model', async () => {
  const service = await serviceInside()
  try {
    const rounds = new Rounds(service, Object.keys(FIELD_TYPES), 'model')
    for (let round = 0; round < ROUNDS; round++) {
      const [found] = await rounds.run(1, round)
      if (found === undefined) continue
      const { difference, scenario } = found
      throw new Error([`seed 1, round ${round}: ${difference.text}`, ...describe(scenario)].join('\n  '))
    }
  } finally {
    await service.stop()
  }
})
