/** Data streams, templates and aliases. */
import { call, segment } from '../../api/client.ts'
import { counted } from '../../api/format.ts'
import { writeJson } from '../../api/lossless-json.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useLoad } from '../../components/load.ts'
import { href } from '../../state/router.ts'

export function DataStreams() {
  const { value, failure } = useLoad(
    (abort) => call<{ data_streams: Stream[] }>('GET', '/_data_stream?expand_wildcards=all', undefined, abort),
    'streams',
  )
  if (failure !== undefined) return <Failed failure={failure} />
  if (value?.data_streams.length === 0)
    return (
      <Nothing text="There is no data stream. One is made by a template with data_stream and the first document." />
    )
  return (
    <div class="scroll">
      <table class="table">
        <thead>
          <tr>
            <th class="first">Name</th>
            <th>Backing indices</th>
            <th>Time field</th>
            <th>Template</th>
          </tr>
        </thead>
        <tbody>
          {value?.data_streams.map(({ name, indices, timestamp_field, template }) => (
            <tr key={name}>
              <td class="first">
                <a href={href(`/discover?index=${encodeURIComponent(name)}`)}>{name}</a>
              </td>
              <td>
                {indices.map(({ index_name }, i) => (
                  <span key={index_name}>
                    {i > 0 && ', '}
                    <a href={href(`/indices/${segment(index_name)}`)}>{index_name}</a>
                  </span>
                ))}
              </td>
              <td>{timestamp_field.name}</td>
              <td>{template}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Stream {
  readonly name: string
  readonly indices: readonly { readonly index_name: string }[]
  readonly timestamp_field: { readonly name: string }
  readonly template: string
}

interface Template {
  readonly name: string
  readonly index_template: {
    readonly index_patterns: readonly string[]
    readonly priority?: number
    readonly composed_of?: readonly string[]
    readonly data_stream?: unknown
  }
}

export function Templates() {
  const { value, failure } = useLoad(async (abort) => {
    const [index, component] = await Promise.all([
      call<{ index_templates: Template[] }>('GET', '/_index_template', undefined, abort),
      call<{ component_templates: { name: string; component_template: unknown }[] }>(
        'GET',
        '/_component_template',
        undefined,
        abort,
      ),
    ])
    return { index: index.index_templates, component: component.component_templates }
  }, 'templates')
  if (failure !== undefined) return <Failed failure={failure} />
  if (value !== undefined && value.index.length === 0 && value.component.length === 0)
    return <Nothing text="There is no template." />
  return (
    <div class="scroll pad stack">
      {value?.index.map(({ name, index_template }) => (
        <details class="template" key={name}>
          <summary>
            <b class="strong">{name}</b> <span class="quiet">for {index_template.index_patterns.join(', ')}</span>
            {index_template.data_stream !== undefined && <span class="badge info">data stream</span>}
            <span class="hint">priority {index_template.priority ?? 0}</span>
          </summary>
          <pre class="copytext">{writeJson(index_template, 2)}</pre>
        </details>
      ))}
      {value?.component.map(({ name, component_template }) => (
        <details class="template" key={`c ${name}`}>
          <summary>
            <b class="strong">{name}</b> <span class="badge">component</span>
          </summary>
          <pre class="copytext">{writeJson(component_template, 2)}</pre>
        </details>
      ))}
    </div>
  )
}

export function Aliases() {
  const { value, failure } = useLoad(
    (abort) =>
      call<Record<string, { aliases: Record<string, { is_write_index?: boolean; filter?: unknown }> }>>(
        'GET',
        '/_alias',
        undefined,
        abort,
      ),
    'aliases',
  )
  if (failure !== undefined) return <Failed failure={failure} />
  const rows = Object.entries(value ?? {}).flatMap(([index, { aliases }]) =>
    Object.entries(aliases).map(([alias, of]) => ({ alias, index, ...of })),
  )
  if (value !== undefined && rows.length === 0) return <Nothing text="There is no alias." />
  return (
    <div class="scroll">
      <table class="table">
        <thead>
          <tr>
            <th class="first">Alias</th>
            <th>Index</th>
            <th>Writes</th>
            <th>Filter</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .sort((a, b) => (a.alias < b.alias ? -1 : 1))
            .map(({ alias, index, is_write_index, filter }) => (
              <tr key={`${alias} ${index}`}>
                <td class="first">
                  <a href={href(`/discover?index=${encodeURIComponent(alias)}`)}>{alias}</a>
                </td>
                <td>
                  <a href={href(`/indices/${segment(index)}`)}>{index}</a>
                </td>
                <td>{is_write_index === true ? 'yes' : ''}</td>
                <td class="mono-s">{filter === undefined ? '' : writeJson(filter)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <p class="footer">{counted(rows.length, 'alias', 'aliases')}</p>
    </div>
  )
}

function Failed({ failure }: { readonly failure: unknown }) {
  return (
    <div class="pad">
      <ErrorPanel error={failure} />
    </div>
  )
}

function Nothing({ text }: { readonly text: string }) {
  return (
    <div class="empty">
      <p class="quiet">{text}</p>
    </div>
  )
}
