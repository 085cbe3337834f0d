// Packages whose default build for Node cannot be bundled.

/**
 * GraphQL's CommonJS build cannot be tree-shaken. The HTML service loads its parts by a custom `require`, which bundlers do not follow.
 * @type {Readonly<Record<string, string>>}
 */
export const ESM = {
  graphql: 'graphql/index.mjs',
  'vscode-html-languageservice': 'vscode-html-languageservice/lib/esm/htmlLanguageService.js',
}
