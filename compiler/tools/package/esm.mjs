// Packages whose own choice for Node is not what can be bundled.

/**
 * Of GraphQL's CommonJS nothing can be left out, and the service of HTML asks for its parts by a `require` of its own, which a bundler does
 * not see: they would be missing.
 * @type {Readonly<Record<string, string>>}
 */
export const ESM = {
  graphql: 'graphql/index.mjs',
  'vscode-html-languageservice': 'vscode-html-languageservice/lib/esm/htmlLanguageService.js',
}
