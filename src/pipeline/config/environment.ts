/** Substitutes `${NAME}` and `${NAME:default}` in a configuration. */

export type Environment = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$\{([a-zA-Z_.][a-zA-Z0-9_.]*)(?::([^}]*))?\}/g

class MissingVariableError extends Error {
  constructor(name: string) {
    super(
      `Cannot evaluate \`\${${name}}\`. Replacement variable \`${name}\` is not defined in a Logstash secret store or ` +
        'an environment entry and there is no default value given.',
    )
    this.name = 'MissingVariableError'
  }
}

export function substituteVariables(text: string, environment: Environment): string {
  if (!text.includes('${')) return text
  return text.replace(VARIABLE, (_whole, name: string, fallback: string | undefined) => {
    const value = environment[name] ?? fallback
    if (value === undefined) throw new MissingVariableError(name)
    return value
  })
}
