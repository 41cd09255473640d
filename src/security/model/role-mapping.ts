/** Role mappings assign roles to users of external realms by rules. They never apply to native or reserved users. */
export interface RoleMapping {
  readonly enabled: boolean
  readonly roles: readonly string[]
  readonly roleTemplates: readonly RoleTemplate[]
  readonly rules: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A template of role names: of one name, or of a JSON string or array of names. */
export interface RoleTemplate {
  /** A search template without its parameters, as JSON. */
  readonly template: string
  readonly format: 'string' | 'json'
}
