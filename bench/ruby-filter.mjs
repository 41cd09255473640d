/**
 * The cost of snippets of the ruby filter per event, compared with the same in JavaScript: `npm run build && node bench/ruby-filter.mjs`.
 * CPU time, the best of six rounds. It runs the compiled code: the loader `tsx` adds a call to every function that is created.
 */
const { InlineRuby } = await import('../dist/pipeline/ruby/filter-runtime.js')
const { Event } = await import('../dist/pipeline/event/event.js')
const { toFieldValue } = await import('../dist/pipeline/event/fields.js')
const { Timestamp } = await import('../dist/pipeline/event/timestamp.js')
const log = { error() {}, warn() {}, info() {}, debug() {} },
  clock = { nowMs: () => Date.now() }
const list = [
  ['length', "event.set('l', event.get('m').length)", (e) => e.set('l', e.get('m').length)],
  [
    'sum',
    "event.set('t', event.get('[a][x]').to_i + event.get('[a][y]').to_i)",
    (e) => e.set('t', parseInt(e.get('[a][x]'), 10) + parseInt(e.get('[a][y]'), 10)),
  ],
  [
    'absent',
    "s = event.get('q')\nevent.set('t', s) if s",
    (e) => {
      const s = e.get('q')
      if (s) e.set('t', s)
    },
  ],
  ['downcase', "event.set('m', event.get('m').downcase.strip)", (e) => e.set('m', e.get('m').toLowerCase().trim())],
  ['split', "event.set('f', event.get('m').split(' ').first)", (e) => e.set('f', e.get('m').split(' ')[0])],
  [
    'remove empty',
    "event.to_hash.each { |k, v| event.remove(k) if v.nil? || v == '' }",
    (e) => {
      for (const k of Object.keys(e.fields)) {
        const v = e.fields[k]
        if (v === null || v === '') e.remove(k)
      }
    },
  ],
  [
    'regex',
    "if event.get('m') =~ /id=(\\d+)/\n event.set('id', $1.to_i)\nend",
    (e) => {
      const m = /id=(\d+)/.exec(e.get('m'))
      if (m) e.set('id', Number(m[1]))
    },
  ],
  ['gsub', "event.set('m', event.get('m').gsub(/\\s+/, '_'))", (e) => e.set('m', e.get('m').replace(/\s+/g, '_'))],
  [
    'epoch',
    "event.set('p', ((event.get('b').to_f - event.get('a2').to_f) * 1000).round)",
    (e) => e.set('p', Math.round((Number(e.get('b')) - Number(e.get('a2'))) * 1000)),
  ],
  [
    'list',
    "event.set('u', event.get('l').uniq.compact)",
    (e) =>
      e.set(
        'u',
        [...new Set(e.get('l'))].filter((x) => x !== null),
      ),
  ],
  [
    'zip',
    "event.set('z', @f.zip(event.get('l')).to_h)",
    (e) => {
      const l = e.get('l')
      e.set('z', toFieldValue(Object.fromEntries(['p', 'q', 'r'].map((k, i) => [k, l[i]]))))
    },
    "@f = ['p','q','r']",
  ],
  [
    'case',
    "event.set('c', case event.get('st') when 200..299 then 'ok' when 400..599 then 'err' else 'x' end)",
    (e) => {
      const s = e.get('st')
      e.set('c', s >= 200 && s <= 299 ? 'ok' : s >= 400 && s <= 599 ? 'err' : 'x')
    },
  ],
]
const mk = () =>
  Event.ofFields(
    toFieldValue({
      m: 'GET /index id=42 OK done',
      a: { x: '12', y: '30' },
      b: 12.5,
      a2: 11.25,
      l: ['a', 'b', null, 'a'],
      st: 404,
      e: '',
      '@timestamp': '2024-05-17T10:30:00.000Z',
    }),
    new Timestamp(0),
  )
const N = 60000
for (const [name, code, js, init] of list) {
  const r = new InlineRuby(code, init, { log, clock })
  const evs = Array.from({ length: 2000 }, mk)
  const time = (f) => {
    let best = 1e9
    for (let k = 0; k < 6; k++) {
      const t = process.cpuUsage()
      for (let i = 0; i < N / 6; i++) f(evs[i % 2000])
      const d = process.cpuUsage(t)
      best = Math.min(best, ((d.user + d.system) * 6) / N)
    }
    return best
  }
  time((e) => r.run(e, []))
  const a = time((e) => r.run(e, []))
  time(js)
  const b = time(js)
  console.log(name.padEnd(14), a.toFixed(2), 'µs ruby', b.toFixed(2), 'µs js', 'over', (a - b).toFixed(2))
}
