/** The reference's page about environment variables, from the list that the server uses. */
import { ENVIRONMENT, type VariableGroups } from '../../../runtime/data/environment.mjs'
import type { Entry, Row } from './entry.ts'

const SUMMARY = 'All variables that a server reads from its environment.'

/** Returns the page about all variables. */
export function variablesEntry(): Entry {
  const groups = Object.entries<VariableGroups[string]>(ENVIRONMENT)
  const rows = groups.map(([title, group]) => ({ title, rows: Object.entries(group).map(variableRow) }))
  return {
    section: 'production',
    name: 'Settings',
    path: 'production/settings.html',
    summary: SUMMARY,
    badges: [],
    links: [],
    blocks: [
      {
        kind: 'words',
        text: 'A server reads its settings from its environment; options of `ingot serve` override them. An invalid value is an error at the start that names a valid one. Settings of the site are in its own files, for example in `app/config.yml`.',
      },
      ...rows.map((each) => ({ kind: 'rows', ...each }) as const),
    ],
    also: rows.flatMap((group) =>
      group.rows.map(({ name, description }) => ({ name, summary: description, id: name })),
    ),
  }
}

function variableRow([name, { takes, description, otherwise }]: readonly [
  string,
  VariableGroups[string][string],
]): Row {
  const meaning = `${description[0]?.toUpperCase()}${description.slice(1)}.`
  return {
    name,
    type: takes,
    description: otherwise === undefined ? meaning : `${meaning} Without it: ${otherwise}.`,
    id: name,
  }
}
