/** `_cat/aliases`, `_cat/templates`, `_cat/component_templates`. */
import { namePattern } from '../../../base/name-pattern.ts'
import type { TemplateContent } from '../../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { indicesParameters } from '../indices-parameters.ts'
import type { CatTable, Row } from './cat-table.ts'

export const catAliases: CatTable = {
  paths: ['/_cat/aliases', '/_cat/aliases/{alias}'],
  columns: [
    { name: 'alias', aliases: ['a'], about: 'name' },
    { name: 'index', aliases: ['i', 'idx'], about: 'index it stands for' },
    { name: 'filter', aliases: ['f', 'fi'], about: '* where it has a filter' },
    { name: 'routing.index', aliases: ['ri', 'routingIndex'], about: 'routing of writes' },
    { name: 'routing.search', aliases: ['rs', 'routingSearch'], about: 'routing of searches' },
    { name: 'is_write_index', aliases: ['w', 'isWriteIndex'], about: 'whether writes go there' },
  ],
  read(request, node) {
    const { expandWildcards } = indicesParameters(request)
    const names = request.param('alias')?.split(',')
    const showsHidden = expandWildcards?.some((word) => word === 'hidden' || word === 'all') ?? true
    return () => aliasRows(node, names, showsHidden)
  },
}

function aliasRows(node: SandpiperNode, names: readonly string[] | undefined, showsHidden: boolean): Row[] {
  const matchers = names?.map((name) => namePattern(name === '_all' ? '*' : name))
  const rows: Row[] = []
  for (const index of node.state.indices.values()) {
    for (const [name, alias] of Object.entries(index.aliases)) {
      if (matchers !== undefined && !matchers.some((matches) => matches(name))) continue
      const isHidden = alias.isHidden === true || name.startsWith('.')
      if (isHidden && !showsHidden && names?.includes(name) !== true) continue
      rows.push({
        alias: name,
        index: index.name,
        filter: alias.filter === undefined ? '-' : '*',
        'routing.index': alias.indexRouting ?? '-',
        'routing.search': alias.searchRouting ?? '-',
        is_write_index: alias.isWriteIndex ?? '-',
      })
    }
  }
  return rows
}

export const catTemplates: CatTable = {
  paths: ['/_cat/templates', '/_cat/templates/{name}'],
  columns: [
    { name: 'name', aliases: ['n'], about: 'name' },
    { name: 'index_patterns', aliases: ['t'], about: 'names of indices it applies to' },
    { name: 'order', aliases: ['o', 'p'], about: 'order or priority' },
    { name: 'version', aliases: ['v'], about: 'version its author gave it' },
    { name: 'composed_of', aliases: ['c'], about: 'component templates it uses' },
  ],
  read(request, node) {
    const matches = namePattern(request.param('name') ?? '*')
    return () => {
      const rows: Row[] = []
      for (const [name, template] of node.state.legacyTemplates) {
        if (!matches(name)) continue
        const { patterns, order, version } = template
        rows.push({ name, index_patterns: list(patterns), order, version, composed_of: '' })
      }
      for (const [name, template] of node.state.indexTemplates) {
        if (!matches(name)) continue
        const { patterns, priority, version, composedOf } = template
        rows.push({
          name,
          index_patterns: list(patterns),
          order: priority ?? 0,
          version,
          composed_of: list(composedOf),
        })
      }
      return rows
    }
  },
}

export const catComponentTemplates: CatTable = {
  paths: ['/_cat/component_templates', '/_cat/component_templates/{name}'],
  columns: [
    { name: 'name', aliases: ['n'], about: 'name' },
    { name: 'version', aliases: ['v'], about: 'version its author gave it' },
    { name: 'alias_count', aliases: ['a'], about: 'aliases in it' },
    { name: 'mapping_count', aliases: ['m'], about: 'fields in it' },
    { name: 'settings_count', aliases: ['s'], about: 'settings in it' },
    { name: 'metadata_count', aliases: ['me'], about: 'members of its _meta' },
    { name: 'included_in', aliases: ['i'], about: 'index templates that use it' },
  ],
  read(request, node) {
    const matches = namePattern(request.param('name') ?? '*')
    return () =>
      [...node.state.componentTemplates]
        .filter(([name]) => matches(name))
        .map(([name, { template, version, meta }]) => ({
          name,
          version,
          ...countContent(template),
          metadata_count: Object.keys(meta ?? {}).length,
          included_in: list(
            [...node.state.indexTemplates].filter(([, user]) => user.composedOf.includes(name)).map(([user]) => user),
          ),
        }))
  },
}

function countContent({ aliases, mappings, settings }: TemplateContent): Row {
  const properties = (mappings?.['properties'] ?? {}) as Record<string, unknown>
  return {
    alias_count: Object.keys(aliases ?? {}).length,
    mapping_count: Object.keys(properties).length,
    settings_count: Object.keys(settings ?? {}).length,
  }
}

function list(names: readonly string[]): string {
  return `[${names.join(', ')}]`
}
