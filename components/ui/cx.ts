/** Join class names, leaving out what is false, null or empty. */
export const cx = (...names: (string | false | null | undefined)[]): string =>
  names.filter((name): name is string => typeof name === 'string' && name !== '').join(' ')
