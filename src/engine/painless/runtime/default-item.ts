/** The default value of the elements of a new array. */
export function defaultItem(element: string): unknown {
  switch (element) {
    case 'boolean':
      return false
    case 'long':
      return 0n
    case 'byte':
    case 'short':
    case 'char':
    case 'int':
    case 'float':
    case 'double':
      return 0
    default:
      return null
  }
}
