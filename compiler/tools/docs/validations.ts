/** The validations of the reference, from the validators of the running site and the compiler's checks of their options. */
import { commonOptions, type OptionDocs, type RuleDocs, ruleDocs } from '../../language/settings/form-rules.ts'
import type { Entry, Row } from './entry.ts'
import { validationExample } from './validation-examples.ts'

function validationPath(name: string): string {
  return `validations/${name}.html`
}

/** Returns one entry for each kind of validation, by name. */
export function validationEntries(): readonly Entry[] {
  return ruleDocs()
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(validationEntry)
}

/** Returns a row for each validation with its requirement, for pages that link here. */
export function validationRows(): readonly Row[] {
  return ruleDocs().map(({ name, description }) => ({
    name,
    type: '',
    description,
    href: validationPath(name),
  }))
}

function validationEntry({ name, aliases, description, options, needed }: RuleDocs): Entry {
  return {
    section: 'validations',
    name,
    path: validationPath(name),
    summary: description,
    badges: [],
    links: [{ htmlBefore: 'Below `validation` of', name: 'fields', href: 'settings/fields.html' }],
    blocks: [
      { kind: 'code', lines: usage(name, options, needed) },
      { kind: 'words', text: description },
      ...(aliases.length === 0
        ? []
        : [{ kind: 'words', text: `Also written ${aliases.map((each) => `\`${each}\``).join(', ')}.` } as const]),
      { kind: 'words', text: '`false` turns it off.' },
      { kind: 'rows', title: 'Options', rows: options.map((option) => optionRow(option)) },
      ...(needed.length === 0
        ? []
        : [
            {
              kind: 'words',
              text: `It needs ${needed.length === 1 ? '' : 'one of '}${needed.map((each) => `\`${each}\``).join(', ')}.`,
            } as const,
          ]),
      { kind: 'rows', title: 'Options of every validation', rows: commonOptions().map(optionRow) },
      {
        kind: 'example',
        title: 'Example',
        description: null,
        files: Object.entries(validationExample(name)).map(([path, text]) => ({ path, text: text.trimEnd() })),
        prints: null,
        notes: [],
      },
    ],
    also: [
      ...aliases.map((alias) => ({ name: alias, summary: `Another name of \`${name}\`.`, id: '' })),
      ...options.map((option) => ({ name: `${name}.${option.name}`, summary: option.description, id: option.name })),
    ],
  }
}

function usage(name: string, options: readonly OptionDocs[], needed: readonly string[]): readonly string[] {
  const first = needed[0] ?? options[0]?.name
  return [
    ...(needed.length === 0 ? [`${name}: true`] : []),
    ...(first === undefined ? [] : [`${name}: { ${first}: … }`]),
  ]
}

function optionRow({ name, takes, description }: OptionDocs): Row {
  return { name, type: takes.replace(/^an? /, ''), description, id: name }
}
