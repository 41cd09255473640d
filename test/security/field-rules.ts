/** Which fields a role grants, decided from the definition alone, and the roles to try. */
export interface RoleFields {
  readonly grant: readonly string[]
  readonly except?: readonly string[]
}

export class FieldRules {
  readonly fields: RoleFields
  readonly #granted: readonly RegExp[]
  readonly #excepted: readonly RegExp[]

  constructor(fields: RoleFields) {
    this.fields = fields
    this.#granted = fields.grant.map(expressionOf)
    this.#excepted = (fields.except ?? []).map(expressionOf)
  }

  has(path: string): boolean {
    if (path.startsWith('_')) return true
    return this.#granted.some((one) => one.test(path)) && !this.#excepted.some((one) => one.test(path))
  }
}

function expressionOf(pattern: string): RegExp {
  if (pattern.length > 1 && pattern.startsWith('/') && pattern.endsWith('/'))
    return new RegExp(`^(?:${pattern.slice(1, -1)})$`)
  const text = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${text}$`)
}

/** A field is granted with its multi-fields or without them; an alias with its target. */
export const ROLES: readonly RoleFields[] = [
  { grant: ['*'] },
  { grant: ['*'], except: ['fl.card'] },
  { grant: ['*'], except: ['fl.*'] },
  { grant: ['*'], except: ['fl', 'fl.card', 'nes.f.card'] },
  { grant: ['*'], except: ['fl.deep.*', 'bare.card', 'only.card'] },
  { grant: ['fl', 'fl.pub', 'n'] },
  { grant: ['fl.pub', 'n'] },
  { grant: ['fl', 'n'] },
  { grant: ['*'], except: ['kw', 'tx.kw', 'obj.b', 'nes.b'] },
  { grant: ['*'], except: ['constant', 'computed', 'src', 'sayt'] },
  { grant: ['/f.*\\.(pub|deep\\.a)/', 'fl', 'bare', 'tx', 'n', 'd'] },
  { grant: ['nes.a', 'nes.f', 'nes.f.pub', 'obj.*', 'target', 'n'] },
  { grant: ['n'] },
  { grant: ['*'], except: ['vec', 'nes.v', 'sparse*', 'rank'] },
]

export const RANDOM_PATTERNS: readonly string[] = [
  ...['kw*', 'tx*', 'n', 'd', 'ip', 'flag', 'place*', 'constant', 'computed*'],
  ...['fl', 'fl.*', 'fl.p?b', 'fl.card', 'fl.deep.*', 'fl.deep.a', 'fl.*d', 'bare', 'bare.*', 'bare.pub'],
  ...['only', 'only.*', 'only.card', 'obj.*', 'obj.a', 'nes.*', 'nes.a', 'nes.f', 'nes.f.*', 'nes.f.card'],
  ...['src', 'target', 'sayt*', 'sug', 'span*', 'stored', 'bin', 'unsigned', 'a._b', 'a.c'],
  ...['vec', 'nes.v', 'sparse*', 'rank'],
]
