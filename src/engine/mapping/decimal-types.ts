/** Types of fields whose numbers may have a fraction. */
export const DECIMAL_TYPES: ReadonlySet<string> = new Set(['double', 'float', 'half_float', 'scaled_float'])
