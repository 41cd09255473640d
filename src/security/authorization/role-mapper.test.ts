import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RoleMapping } from '../model/role-mapping.ts'
import { type MappedUser, mappedRoles, matchesRule } from './role-mapper.ts'

const ann: MappedUser = {
  username: 'ann',
  dn: 'CN=ann, OU=Search, O=Example',
  groups: [],
  realmName: 'pki',
  metadata: { pki_dn: 'CN=ann, OU=Search, O=Example' },
}

const field = (name: string, value: unknown) => matchesRule({ field: { [name]: value } }, ann)

test('a field rule compares names with wildcards, regular expressions and lists', () => {
  assert.ok(field('username', 'ann'))
  assert.ok(!field('username', 'ANN'))
  assert.ok(field('username', 'a*'))
  assert.ok(field('username', '/a[a-z]+/'))
  assert.ok(field('username', ['bob', 'ann']))
  assert.ok(!field('username', 'a?n'), 'without * a question mark is a character')
  assert.ok(field('realm.name', 'pki'))
  assert.ok(!field('realm.name', 'native'))
  assert.ok(field('metadata.pki_dn', '*O=Example'))
  assert.ok(field('metadata.missing', null))
  assert.ok(!field('metadata.missing', 'x'))
  assert.ok(!field('groups', '*'))
})

test('distinguished names are equal regardless of case and spaces', () => {
  assert.ok(field('dn', 'cn=ann,ou=search,o=example'))
  assert.ok(field('dn', 'CN=Ann , OU=Search, O=Example'))
  assert.ok(!field('dn', 'CN=ann,O=Example'))
  assert.ok(!field('dn', 'ann'))
})

test('a pattern over a distinguished name matches as it is printed, in one case, or a subtree', () => {
  assert.ok(field('dn', '*, O=Example'))
  assert.ok(field('dn', '*,o=example'))
  assert.ok(field('dn', '*,OU=Search,O=EXAMPLE'))
  assert.ok(field('dn', 'cn=ann,*'))
  assert.ok(!field('dn', '*,O=Exam'))
  assert.ok(!field('dn', '*,CN=ann,OU=Search,O=Example'), 'a name is not below itself')
})

test('any, all and except combine rules', () => {
  const yes = { field: { username: 'ann' } }
  const no = { field: { username: 'bob' } }
  assert.ok(matchesRule({ any: [no, yes] }, ann))
  assert.ok(!matchesRule({ any: [] }, ann))
  assert.ok(!matchesRule({ all: [no, yes] }, ann))
  assert.ok(matchesRule({ all: [yes, { except: no }] }, ann))
})

const mapping = (change: Partial<RoleMapping>): RoleMapping => ({
  enabled: true,
  roles: [],
  roleTemplates: [],
  rules: { field: { username: '*' } },
  metadata: {},
  ...change,
})

test('a user has the roles of all enabled mappings that match, and those that templates name', () => {
  const render = (template: string, parameters: object) => `${template} ${JSON.stringify(parameters)}`
  const roles = (...mappings: RoleMapping[]) => mappedRoles(mappings, ann, render)
  assert.deepEqual(roles(mapping({ roles: ['b', 'a'] }), mapping({ roles: ['a', 'c'] })), ['a', 'b', 'c'])
  assert.deepEqual(roles(mapping({ roles: ['a'], enabled: false })), [])
  assert.deepEqual(roles(mapping({ roles: ['a'], rules: { field: { username: 'bob' } } })), [])
  const templates = (text: string, format: 'string' | 'json') =>
    mappedRoles([mapping({ roleTemplates: [{ template: text, format }] })], ann, (template) => template)
  assert.deepEqual(templates('team', 'string'), ['team'])
  assert.deepEqual(templates('["x","y",null]', 'json'), ['x', 'y'])
  assert.deepEqual(templates('"x"', 'json'), ['x'])
  assert.throws(() => templates('[1]', 'json'), /must give strings/)
})
