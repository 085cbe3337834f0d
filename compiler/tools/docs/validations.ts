/** The validations of the reference, from the validators of the running site and the compiler's checks of their options. */
import { commonOptions, type OptionDocs, type RuleDocs, ruleDocs } from '../../language/settings/form-rules.ts'
import type { Entry, Row } from './entry.ts'
import { codeBlock, makeEntry, nameList, paragraph, table } from './page.ts'
import { parseExamples } from './parse-page.ts'
import examples from './validations/examples.md'

/** Returns the example of a validation. */
const exampleOf = parseExamples('validations', examples)

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
  return makeEntry({
    section: 'validations',
    name,
    path: validationPath(name),
    summary: description,
    links: [{ htmlBefore: 'Below `validation` of', name: 'fields', href: 'settings/fields.html' }],
    blocks: [
      codeBlock(...usage(name, options, needed)),
      paragraph(description),
      ...nameList('Also written', aliases),
      paragraph('`false` turns it off.'),
      table('Options', options.map(optionRow)),
      ...nameList(needed.length === 1 ? 'It needs' : 'It needs one of', needed),
      table('Options of every validation', commonOptions().map(optionRow)),
      exampleOf(name),
    ],
    also: [
      ...aliases.map((alias) => ({ name: alias, summary: `Another name of \`${name}\`.`, id: '' })),
      ...options.map((option) => ({ name: `${name}.${option.name}`, summary: option.description, id: option.name })),
    ],
  })
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
