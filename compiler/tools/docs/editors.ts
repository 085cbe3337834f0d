/** The reference's page about editors: features of the language server, and how to configure each editor. */
import type { Block, Entry } from './entry.ts'
import { codeBlock, makeEntry, namesTable, paragraph } from './page.ts'

const FEATURES: readonly (readonly [what: string, description: string])[] = [
  [
    'Diagnostics',
    'The problems that `ingot check` reports, while you type, also in queries. Related places lead to other files, such as the parameter of a partial that is called wrongly. Quick fixes apply suggested changes, one at a time or all safe ones.',
  ],
  [
    'Completion',
    'Tags, filters, variables with their fields (also in brackets and in filters like `map`), partials and their arguments, queries, translations, assets, pages, settings, the properties and validations of forms, the keys that other languages have, fields and variables of GraphQL, HTML.',
  ],
  [
    'Hover, signatures',
    'Types, texts of the reference, fields and arguments of GraphQL, the SQL of a query, and properties with their tables. In the file of a table: how many queries, forms and templates use a property.',
  ],
  [
    'Definition, references, rename',
    'Partials, queries, tables and their properties, forms, translations (at any part of a key) and variables, in the whole site. A field that a query selects under another name leads to the query and to the property. If a file is moved, its callers are updated.',
  ],
  ['Outline, names of the site, folding', 'Also in a text that does not parse.'],
  ['Semantic colors', 'Of templates and queries, with incremental updates.'],
  ['Types after variables', 'The inferred type of each variable: `: hash?` means a hash or nil.'],
  ['Lenses', 'Callers of a partial, uses and statements of a query, the address of a page. In VS Code they are links.'],
  ['Call hierarchy', 'Callers and callees of a template.'],
  ['Formatting', 'Formats a file or a part of it, as `ingot format` does. Printed text does not change.'],
]

/** Settings of editors, in the syntax of the editors' configuration files. */
const EDITORS: readonly (readonly [says: string, lines: readonly string[]])[] = [
  [
    'VS Code: `node build.mjs vsix` in a clone packs the extension with its server into `dist/ingot.vsix`. The setting `ingot.server` selects the `ingot` of your project instead.',
    ['code --install-extension dist/ingot.vsix'],
  ],
  [
    'Neovim, from 0.11 on, in `init.lua`:',
    [
      "vim.lsp.config('ingot', {",
      "  cmd = { 'npx', 'ingot', 'lsp' },",
      "  filetypes = { 'liquid', 'graphql', 'yaml' },",
      "  root_markers = { 'app', 'modules', 'marketplace_builder' },",
      '})',
      "vim.lsp.enable('ingot')",
      'vim.lsp.inlay_hint.enable()',
    ],
  ],
  [
    'Helix, in `.helix/languages.toml` of the site:',
    [
      '[language-server.ingot]',
      'command = "npx"',
      'args = ["ingot", "lsp"]',
      '',
      '[[language]]',
      'name = "liquid"',
      'scope = "text.html.liquid"',
      'file-types = ["liquid"]',
      'roots = ["app", "modules", "marketplace_builder"]',
      'block-comment-tokens = { start = "{% comment %}", end = "{% endcomment %}" }',
      'indent = { tab-width = 2, unit = "  " }',
      'language-servers = ["ingot"]',
      '',
      '[[language]]',
      'name = "graphql"',
      'language-servers = ["ingot"]',
      '',
      '[[language]]',
      'name = "yaml"',
      'language-servers = ["ingot"]',
    ],
  ],
  [
    'Zed, with its extension `Liquid`, whose server is replaced, in `.zed/settings.json` of the site:',
    [
      '{',
      '  "lsp": { "liquid": { "binary": { "path": "npx", "arguments": ["ingot", "lsp"] } } },',
      '  "languages": { "Liquid": { "formatter": "language_server" } }',
      '}',
    ],
  ],
]

export function editorEntries(): readonly Entry[] {
  const summary = '`ingot lsp` serves editors with the Language Server Protocol, including unsaved texts.'
  return [
    makeEntry({
      section: 'tools',
      name: 'Editors',
      path: 'tools/editors.html',
      summary,
      blocks: [
        paragraph(summary),
        paragraph(
          'It uses standard input and output, and recognizes a site by its folders `app`, `modules` and `marketplace_builder`. Any editor that can start a language server can use it.',
        ),
        namesTable('Features', FEATURES),
        ...EDITORS.flatMap(([description, lines]): readonly Block[] => [paragraph(description), codeBlock(...lines)]),
        paragraph(
          'Editors without the protocol can use `ingot check --stdin FILE --format json` for diagnostics, and `ingot format --stdin FILE` for formatting.',
        ),
      ],
      also: EDITORS.map(([description]) => ({ name: /^[\w ]+/.exec(description)?.[0] ?? '', summary, id: '' })),
    }),
  ]
}
