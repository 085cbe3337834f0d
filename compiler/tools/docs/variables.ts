/** The reference's page about environment variables, from the list that the server uses. */
import { ENVIRONMENT, type VariableGroups } from '../../../runtime/data/environment.mjs'
import { capitalize } from '../../core/diagnostics/words.ts'
import type { Entry, Row } from './entry.ts'
import { makeEntry, paragraph, table, withRowsFound } from './page.ts'

const SUMMARY = 'All variables that a server reads from its environment.'

/** Returns the page about all variables. */
export function variablesEntry(): Entry {
  const groups = Object.entries<VariableGroups[string]>(ENVIRONMENT)
  const tables = groups.map(([title, group]) => table(title, Object.entries(group).map(variableRow)))
  return withRowsFound(
    makeEntry({
      section: 'production',
      name: 'Settings',
      path: 'production/settings.html',
      summary: SUMMARY,
      blocks: [
        paragraph(
          'A server reads its settings from its environment; options of `ingot serve` override them. An invalid value is an error at the start that names a valid one. Settings of the site are in its own files, for example in `app/config.yml`.',
        ),
        ...tables,
      ],
    }),
  )
}

function variableRow([name, { takes, description, otherwise }]: readonly [
  string,
  VariableGroups[string][string],
]): Row {
  const meaning = `${capitalize(description)}.`
  return {
    name,
    type: takes,
    description: otherwise === undefined ? meaning : `${meaning} Without it: ${otherwise}.`,
    id: name,
  }
}
