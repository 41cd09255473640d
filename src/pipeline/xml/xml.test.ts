import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runFilters } from '../dry-run/run-filters.ts'
import { evaluate } from './evaluate-xpath.ts'
import { parseXml } from './parse-xml.ts'
import { parseXPath } from './parse-xpath.ts'
import { serialize } from './xml-tree.ts'

const SHOP = `<?xml version="1.0"?><!DOCTYPE shop [<!ELEMENT shop ANY>]>
<shop xmlns:p="urn:prices" name="corner">
  <!-- fresh -->
  <fruit id="1" p:price="3">apple</fruit>
  <fruit id="2">pear &amp; <![CDATA[<quince>]]></fruit>
  <box><fruit id="3"/></box>
</shop>`

function find(path: string, text = SHOP, namespaces = new Map([['x', 'urn:prices']])): unknown {
  const found = evaluate(parseXPath(path, namespaces), { node: parseXml(text), position: 1, size: 1 })
  return Array.isArray(found) ? found.map(serialize) : found
}

test('a path selects nodes in document order', () => {
  assert.deepEqual(find('/shop/fruit/text()'), ['apple', 'pear &amp; &lt;quince&gt;'])
  assert.deepEqual(find('//fruit/@id'), ['1', '2', '3'])
  assert.deepEqual(find('//fruit[@id="2" or position()=last()]/@id'), ['2', '3'])
  assert.deepEqual(find('/shop/fruit[last()]/@id | /shop/@name'), ['corner', '2'])
  assert.deepEqual(find('//box/../fruit[1]/@x:price'), ['3'])
  assert.deepEqual(find('//fruit[contains(., "pear")]/following-sibling::*'), ['<box><fruit id="3"/></box>'])
  assert.deepEqual(find('//fruit[not(text())]/ancestor::shop/@name'), ['corner'])
  assert.deepEqual(find('//nothing'), [])
})

test('an expression that is not a path yields a value', () => {
  assert.equal(find('name(/*)'), 'shop')
  assert.equal(find('count(//fruit) * 2 - 1'), 5)
  assert.equal(find('concat(/shop/@name, "-", substring("abcde", 2, 3))'), 'corner-bcd')
  assert.equal(find('sum(//@id) > 5 and //@id = 3'), true)
  assert.equal(find('normalize-space("  a  b ")'), 'a b')
})

test('a malformed XPath is rejected with the expression', () => {
  for (const path of ['//', '/a[', 'a b', '#', 'sideways::a', '/a[1']) {
    assert.throws(() => parseXPath(path, new Map()), { message: /^XPath / }, path)
  }
})

test('malformed XML is rejected with its position', () => {
  const wrong = ['<a>', '<a></b>', '<a/><b/>', 'text', '<a b=c/>', '<a>&nbsp;</a>', '<a b="1" b="2"/>', '<a', '<!-- x']
  for (const text of wrong) assert.throws(() => parseXml(text), { message: /at line \d+, column \d+/ }, text)
})

// Goal: serializing and parsing preserves all characters.
test('texts and attributes survive serializing and parsing', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !/[\r\n\t]/.test(value))
  fc.assert(
    fc.property(text, text, (value, content) => {
      const document = parseXml('<a b="x">y</a>')
      const [root] = document.children
      const changed = {
        ...root!,
        attributes: [{ ...root!.attributes[0]!, value }],
        children: [{ kind: 'text' as const, text: content, parent: root!, order: 9 }],
      }
      const [again] = parseXml(serialize(changed)).children
      assert.equal(again!.attributes[0]!.value, value)
      assert.equal(serialize(again!), serialize(changed))
    }),
  )
})

async function filtered(options: string, message: string): Promise<Record<string, unknown>> {
  const [event] = await runFilters(`filter { xml { source => "message" ${options} } }`, [message])
  const { '@timestamp': _time, '@version': _version, message: _message, ...rest } = event as Record<string, unknown>
  return rest
}

test('the xml filter stores documents as objects and the results of paths as arrays', async () => {
  const text = '<a k="v"><b>1</b><b>2</b><c x="y">t</c><d/></a>'
  assert.deepEqual(await filtered('target => "t"', text), {
    t: { k: 'v', b: ['1', '2'], c: [{ x: 'y', content: 't' }], d: [null] },
  })
  assert.deepEqual(await filtered('target => "t"', '<a><b>1</b><d/><e> </e></a>'), { t: { b: ['1'] } })
  assert.deepEqual(
    await filtered('target => "t" force_array => false suppress_empty => false', '<a><b>1</b><d/></a>'),
    {
      t: { b: '1', d: {} },
    },
  )
  assert.deepEqual(await filtered('target => "t" force_array => false', '<a>hi <b>1</b> you</a>'), {
    t: { b: '1', content: ['hi ', ' you'] },
  })
  const paths = 'store_xml => false xpath => { "/a/b/text()" => "numbers" "/a/@k" => "[in][k]" "/a/z" => "none" }'
  assert.deepEqual(await filtered(paths, text), { numbers: ['1', '2'], in: { k: ['v'] } })
})

test('the xml filter declares or removes namespaces', async () => {
  const text = '<n:a xmlns:n="urn:n"><n:b>1</n:b></n:a>'
  const given = 'store_xml => false namespaces => { "q" => "urn:n" } xpath => { "/q:a/q:b/text()" => "b" }'
  assert.deepEqual(await filtered(given, text), { b: ['1'] })
  const removed = 'store_xml => false remove_namespaces => true xpath => { "/a/b/text()" => "b" }'
  assert.deepEqual(await filtered(removed, text), { b: ['1'] })
})

test('the xml filter tags an event whose source is not XML', async () => {
  assert.deepEqual(await filtered('target => "t"', '<a><b></a>'), { tags: ['_xmlparsefailure'] })
  assert.deepEqual(await filtered('target => "t"', '  '), {})
})

test('the xml filter stores a single result without an array if arrays are not forced, and nothing for false', async () => {
  const xpath =
    'xpath => { "count(//b)" => "n" "//b = 7" => "seven" "//b = 1" => "one" "//b/text()" => "all" "name(/*)" => "root" }'
  const run = async (options: string) => {
    const [event] = await runFilters(`filter { xml { source => "m" store_xml => false ${xpath} ${options} } }`, [
      { m: '<a><b>1</b><b>2</b></a>' },
    ])
    const { n, seven, one, all, root } = event!
    return [n, seven, one, all, root]
  }
  assert.deepEqual(await run('force_array => false'), ['2.0', undefined, 'true', ['1', '2'], 'a'])
  assert.deepEqual(await run(''), [['2.0'], undefined, ['true'], ['1', '2'], ['a']])
})
