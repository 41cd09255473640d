const ENTITIES: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#x27;',
  '/': '&#x2F;',
}

/** The `html` encoder. */
export function escapeHtml(text: string): string {
  return text.replace(/["&<>'/]/g, (character) => ENTITIES[character]!)
}
