/** What an engine lacks where it runs. In Node it has all; a bundle for browsers has `lacking.browser.ts` in the place of this file. */
export const LACKING: readonly string[] = []
