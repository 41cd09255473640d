/** Random index and component templates, the indices and simulations they lead to, and pipelines with mistakes. */
import { fill } from './indices.mjs'
import { maybeWrong } from './mutations.mjs'
import { call, parameters, plainWorld, SETTINGS } from './steps.mjs'

const MISTAKE = 0.3

const template = (rng) =>
  rng.options({
    settings: [
      0.5,
      () =>
        rng.pick([
          { number_of_shards: 2 },
          { index: { number_of_replicas: 0 }, 'index.refresh_interval': '5s' },
          { 'analysis.analyzer.mine': { tokenizer: 'standard', filter: ['lowercase'] } },
          { nonsense: 1 },
          { default_pipeline: 'nope' },
        ]),
    ],
    mappings: [
      0.7,
      () => ({
        ...rng.options({
          dynamic: [0.2, () => rng.pick(['strict', false])],
          _meta: [0.1, () => ({ a: 1 })],
          dynamic_templates: [0.2, () => [{ [rng.pick(['x', 'y'])]: { match: 'a*', mapping: { type: 'keyword' } } }]],
        }),
        properties: rng.options({
          one: [0.6, () => ({ type: rng.pick(['keyword', 'long', 'text']) })],
          two: [0.4, () => ({ type: rng.pick(['date', 'nope', 'ip']) })],
          ob: [0.4, () => ({ properties: { [rng.pick(['x', 'y'])]: { type: 'keyword' } } })],
        }),
      }),
    ],
    aliases: [
      0.3,
      () => ({
        [rng.pick(['NAME-alias', 'NAME-alias2'])]: rng.pick([
          {},
          { is_write_index: true },
          { filter: { term: { one: 1 } } },
        ]),
      }),
    ],
    lifecycle: [0.03, () => ({})],
  })

const indexTemplate = (rng) => ({
  index_patterns: rng.pick([['NAME-t*'], ['NAME-tw*', 'NAME-x'], 'NAME-t*', ['NAME-two']]),
  ...rng.options({
    template: [0.9, () => template(rng)],
    composed_of: [0.5, () => rng.pick([['NAME-c1'], ['NAME-c1', 'NAME-c2'], ['NAME-none'], []])],
    ignore_missing_component_templates: [0.2, () => ['NAME-none']],
    priority: [0.6, () => rng.pick([1, 5, 100, -1])],
    version: [0.3, () => rng.int(1, 9)],
    _meta: [0.2, () => ({ why: 'test' })],
    allow_auto_create: [0.1, () => rng.chance(0.5)],
  }),
})

const component = (rng) => ({
  template: template(rng),
  ...rng.options({ version: [0.3, () => 3], _meta: [0.2, () => ({ a: [1] })] }),
})

const legacy = (rng) => ({
  index_patterns: ['NAME-t*'],
  ...template(rng),
  ...rng.options({ order: [0.5, () => rng.int(0, 5)], version: [0.2, () => 2] }),
})

const REQUESTS = [
  (rng) =>
    call(
      'PUT',
      `/_component_template/NAME-c${rng.int(1, 2)}${parameters(rng, { create: [0.2, ['true']] })}`,
      maybeWrong(rng, MISTAKE, component(rng)),
    ),
  (rng) =>
    call(
      'PUT',
      `/_index_template/NAME-${rng.pick(['i1', 'i2'])}${parameters(rng, { create: [0.2, ['true']] })}`,
      maybeWrong(rng, MISTAKE, indexTemplate(rng)),
    ),
  (rng) => call('PUT', `/_index_template/NAME-i1`, maybeWrong(rng, MISTAKE, indexTemplate(rng))),
  (rng) =>
    call(
      'PUT',
      `/_template/NAME-l${parameters(rng, { create: [0.2, ['true']], order: [0.1, ['4']] })}`,
      maybeWrong(rng, MISTAKE, legacy(rng)),
    ),
  (rng) => call('POST', `/_index_template/_simulate_index/NAME-${rng.pick(['two', 'x', 'other'])}`, undefined),
  (rng) =>
    call(
      'POST',
      `/_index_template/_simulate${rng.pick(['', '/NAME-i1', '/NAME-none'])}`,
      rng.chance(0.5) ? maybeWrong(rng, MISTAKE, indexTemplate(rng)) : undefined,
    ),
  (rng) =>
    call(
      'GET',
      `/_index_template/${rng.pick(['NAME-*', 'NAME-i1', 'NAME-none'])}${parameters(rng, { flat_settings: [0.2, ['true']] })}`,
    ),
  (rng) => call('GET', `/_component_template/${rng.pick(['NAME-*', 'NAME-c1', 'NAME-none'])}`),
  (rng) => call('GET', `/_template/${rng.pick(['NAME-*', 'NAME-l', 'NAME-none'])}`),
  (rng) => call('HEAD', `/${rng.pick(['_index_template/NAME-i1', '_component_template/NAME-c2', '_template/NAME-l'])}`),
  (rng) =>
    call(
      'DELETE',
      `/${rng.pick(['_index_template/NAME-i2', '_component_template/NAME-c2', '_component_template/NAME-c1', '_index_template/NAME-none', '_template/NAME-none'])}`,
    ),
  (rng) =>
    call(
      'PUT',
      `/NAME-${rng.pick(['two', 'three', 'x'])}`,
      rng.pick([
        undefined,
        { mappings: { properties: { one: { type: 'keyword' }, ob: { properties: { z: { type: 'long' } } } } } },
        { settings: { number_of_replicas: 0 } },
      ]),
    ),
  (rng) =>
    call('PUT', `/NAME-${rng.pick(['two', 'tx'])}/_doc/1${parameters(rng, { require_alias: [0.1, ['true']] })}`, {
      one: rng.pick([1, 'x']),
      ab: 'y',
      ob: { x: 'k' },
    }),
]

const SHOWN =
  'filter_path=-*.settings.index.uuid,-*.settings.index.creation_date,-*.settings.index.version,-*.settings.index.provided_name'
const DANGEROUS = /1e\+?20|100000000000000000000|"index_patterns":(?!\["NAME|"NAME)/

export const templates = {
  name: 'grammar-templates',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const steps = [...rng.times(rng.int(4, 9), () => rng.pick(REQUESTS)(rng)), call('GET', `/NAME-*?${SHOWN}`)].filter(
      (step) => !DANGEROUS.test(JSON.stringify(step)),
    )
    const cleaning = [
      `/${name}-*?expand_wildcards=all`,
      `/_index_template/${name}-*`,
      `/_component_template/${name}-*`,
      `/_template/${name}-*`,
    ]
    return {
      world: plainWorld(name, { settings: SETTINGS }),
      steps: [
        ...steps.map((step) => fill(step, name)),
        ...cleaning.map((path) => call('DELETE', path, undefined, { always: true })),
      ],
    }
  },
}
