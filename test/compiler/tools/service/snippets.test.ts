/** The snippets of the VS Code extension: the compiler accepts what they insert, with the placeholders as they are. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../../compiler/compile.ts'
import { root } from '../../../house/sources.ts'
import { sourceFiles } from '../../../support/case-file.ts'

interface Snippet {
  readonly prefix: string
  readonly body: readonly string[]
}

const folder = join(root, 'compiler/tools/service/vscode/snippets')

function snippetsFor(language: string): Readonly<Record<string, Snippet>> {
  return JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Record<string, Snippet>
}

/** Returns the text that the editor inserts when no placeholder is changed. */
function inserted({ body }: Snippet): string {
  return body
    .join('\n')
    .replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1')
    .replace(/\$\{\d+:([^}]*)\}/g, '$1')
    .replace(/(?<!\\)\$\d+/g, '')
    .replaceAll('\\$', '$')
}

/** The files that the placeholders name. */
const SITE = {
  'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: title\n',
  'app/graphql/dishes/list.graphql':
    'query { dishes: records(per_page: 9, filter: { table: { value: "dish" } }) { results { id } } }\n',
  'app/forms/dish.liquid':
    '---\nname: dish\nresource: dish\nfields:\n  properties:\n    title:\n---\n{% form %}{% endform %}\n',
  'app/views/layouts/application.liquid': '{{ content_for_layout }}\n',
  'app/views/pages/menu.liquid': 'Menu\n',
  'app/views/partials/card.liquid': '{% doc %}\n  @param {string} title\n{% enddoc %}\n{{ title }}\n',
  'app/views/partials/sum.liquid': '{% return items | size %}\n',
  'app/translations/en.yml': 'en:\n  menu:\n    title: Menu\n',
}
const VALUES = "{% assign items = 'a,b' | split: ',' %}{% assign item = items.first %}\n"

/** Returns the path of the file that a snippet is for, and its text. */
function fileOf(language: string, name: string, text: string): readonly [string, string] {
  if (name === 'Page') return ['app/views/pages/menu.liquid', text]
  if (name === 'Form file') return ['app/forms/dish.liquid', text]
  if (name === 'Parameters') return ['app/views/partials/note.liquid', `${text}{{ title }}\n`]
  if (name === 'Table') return ['app/schema/dish.yml', text]
  if (name === 'Translations') return ['app/translations/en.yml', text]
  if (language === 'graphql') return ['app/graphql/dishes/list.graphql', text]
  return ['app/views/pages/new.liquid', VALUES + text]
}

describe.each(['liquid', 'graphql', 'yaml'])('%s', (language) => {
  it.each(Object.entries(snippetsFor(language)))('%s', (name, snippet) => {
    const [path, text] = fileOf(language, name, inserted(snippet))
    expect(text).not.toMatch(/\$\{|\$\d/)
    const diagnostics = diagnose(sourceFiles({ ...SITE, [path]: text }, 'platform'), {
      dialect: 'platform',
      syntax: 'lax',
      openEntries: false,
    })
    const serious = diagnostics.filter(({ severity }) => severity === 'error' || severity === 'warning')
    // Values are assigned for all snippets, and a snippet names a result before it is used.
    const found = serious.filter(({ code }) => code !== 'unused-assign')
    expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
  })
})
