/** Verbs of setting and changing. With one of them, what follows `to` is a new value, and not a destination or version. */

/** Stems, and forms of `set`, which is part of many other words. */
const changeVerbs = ['set ', 'sets ', 'setting ', 'chang', 'updat', 'rotat', 'switch']

/**
 * Whether a form of such a verb occurs in some words.
 * @param words in lower case
 */
export const hasChangeVerb = (words: string): boolean => changeVerbs.some((verb) => words.includes(verb))
