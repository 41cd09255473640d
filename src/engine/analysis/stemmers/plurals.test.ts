import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kStem } from './kstem.ts'
import { galicianMinimalStem, portugueseMinimalStem } from './plural-rules.ts'
import { spanishPluralStem } from './spanish-plural.ts'

/** `plural singular, …` */
function check(stem: (word: string) => string, pairs: string): void {
  for (const pair of pairs.split(', ')) {
    const [word, expected] = pair.split(' ') as [string, string]
    assert.equal(stem(word), expected, word)
  }
}

test('kstem removes English inflections and leaves words', () => {
  check(
    kStem,
    'bricks brick, foxes fox, churches church, heroes hero, classes class, houses house, ponies pony, ties tie, glass glass',
  )
  check(
    kStem,
    'virus virus, stopped stop, falling fall, making make, hoped hope, tried try, dancing dance, walking walk',
  )
  check(
    kStem,
    'loved love, argued argue, heated heat, created create, located locate, raised raise, managed manage, happiness happiness, string string, dying die, played play',
  )
})

test('Spanish plurals become singulars', () => {
  check(spanishPluralStem, 'casas casa, amores amor, voces voz, leyes ley, jerséis jersey, reses res, parques parque')
  check(spanishPluralStem, 'lunes lunes, relojes reloj, tés tés, israelíes israeli, robots robot')
})

test('Portuguese and Galician plurals become singulars', () => {
  check(
    portugueseMinimalStem,
    'balões balão, bons bom, papéis papel, flores flor, casas casa, lápis lápis, normais normal',
  )
  check(galicianMinimalStem, 'luces luz, bons bon, normais normal, casas casa, martes martes, xamós xamón')
})
