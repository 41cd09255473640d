/** Role mappings assign roles to users of external realms by rules. They never apply to native or reserved users. */
export interface RoleMapping {
  readonly enabled: boolean
  readonly roles: readonly string[]
  readonly roleTemplates: readonly unknown[]
  readonly rules: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
}
