/** The built-in stop word lists by the names settings use. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

export const ENGLISH = words(`
  a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
  was will with`)

const LISTS: Readonly<Record<string, readonly string[]>> = {
  _none_: [],
  _english_: ENGLISH,
}

export function stopWordList(name: string): readonly string[] | undefined {
  return Object.hasOwn(LISTS, name) ? LISTS[name] : undefined
}
