/** The page of the reference about editors: what the language server gives them, and how each of them starts it. */
import type { Block, Entry, Row } from './entry.ts'

const GIVES: readonly (readonly [what: string, says: string])[] = [
  [
    'Diagnostics',
    'What `ingot check` tells, while you write, with related places. Quick fixes make the changes of the hints, one or all that are safe.',
  ],
  [
    'Completion',
    'Tags, filters, variables with their fields, partials and their arguments, queries, translations, assets, pages, settings, fields of GraphQL, HTML.',
  ],
  ['Hover, signatures', 'Types, the words of the reference, what is behind a query or a table.'],
  [
    'Definition, references, rename',
    'Partials, queries, tables and their properties, forms, translations, variables, through the whole site. A file that is moved takes its name along.',
  ],
  ['Outline, names of the site, folding', 'Also in a text that cannot be read yet.'],
  ['Colours by meaning', 'Of templates and queries; a file that changes is told what differs.'],
  ['Types behind variables', '`: hash?` may be nil.'],
  [
    'Lenses',
    'Callers of a partial, uses and statements of a query, the address of a page. In VS Code they lead there.',
  ],
  ['Call hierarchy', 'Who calls a template, and whom it calls.'],
  ['Formatting', 'What `ingot format` does, of a file or a part of it. What is printed stays byte for byte.'],
]

/** The settings of editors, as they stand in their files. */
const EDITORS: readonly (readonly [says: string, lines: readonly string[]])[] = [
  [
    'VS Code: `node build.mjs vsix` in a clone packs the extension into `dist/ingot.vsix`, with the server in it. The setting `ingot.server` names the `ingot` of your project instead.',
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
  const summary = '`ingot lsp` answers an editor in the Language Server Protocol, on texts that are not saved.'
  const rows = GIVES.map(([name, says]): Row => ({ name, type: '', says }))
  return [
    {
      section: 'tools',
      name: 'Editors',
      path: 'tools/editors.html',
      summary,
      badges: [],
      links: [],
      blocks: [
        words(summary),
        words(
          'It speaks on standard input and output, and knows a site by its folders `app`, `modules` and `marketplace_builder`, so that an editor that starts any program with those of its languages can use it.',
        ),
        { kind: 'rows', title: 'What it gives', rows },
        ...EDITORS.flatMap(([says, lines]): readonly Block[] => [words(says), { kind: 'code', lines }]),
        words(
          'Whatever speaks no protocol takes `ingot check --stdin FILE --format json` for diagnostics, and `ingot format --stdin FILE` for formatting.',
        ),
      ],
      also: EDITORS.map(([says]) => ({ name: /^[\w ]+/.exec(says)?.[0] ?? '', summary, id: '' })),
    },
  ]
}

function words(text: string): Block {
  return { kind: 'words', text }
}
