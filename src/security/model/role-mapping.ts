/** Role mappings: roles given by rules over what an external realm knows of a user. They never apply to native or reserved users. */
export interface RoleMapping {
  readonly enabled: boolean
  readonly roles: readonly string[]
  readonly roleTemplates: readonly unknown[]
  readonly rules: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
}
