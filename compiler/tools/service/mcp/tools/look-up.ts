/** `look_up`: the reference of the language. `explain_diagnostic`: a diagnostic with a wrong and a correct example. */
import * as z from 'zod'
import { diagnosticEntries } from '../../../docs/diagnostics.ts'
import type { Entry, SectionName } from '../../../docs/entry.ts'
import { filterEntries } from '../../../docs/filters.ts'
import { entryText } from '../../../docs/markdown.ts'
import { objectEntries } from '../../../docs/objects.ts'
import { settingEntries } from '../../../docs/settings.ts'
import { tagEntries } from '../../../docs/tags.ts'
import { validationEntries } from '../../../docs/validations.ts'
import { didYouMean, ToolError } from '../tool-error.ts'
import { tool } from '../tool.ts'

const SECTIONS = [
  'filters',
  'tags',
  'objects',
  'settings',
  'validations',
  'diagnostics',
] as const satisfies readonly SectionName[]
type Section = (typeof SECTIONS)[number]
/** Maximum number of entries with one name that are returned in full. */
const MAX_COMPLETE = 3

const MAKERS: Readonly<Record<Section, () => readonly Entry[] | Promise<readonly Entry[]>>> = {
  filters: filterEntries,
  tags: tagEntries,
  objects: objectEntries,
  settings: settingEntries,
  validations: validationEntries,
  diagnostics: diagnosticEntries,
}

/** Created on first use. The entries do not change while the process runs. */
const cachedEntries = new Map<Section, Promise<readonly Entry[]>>()

function entriesOf(section: Section): Promise<readonly Entry[]> {
  const known = cachedEntries.get(section) ?? Promise.resolve(MAKERS[section]())
  cachedEntries.set(section, known)
  return known
}

export const lookUp = tool({
  name: 'look_up',
  title: 'Look up the language',
  description:
    'The reference of the language: filters with their types, tags with their syntax, objects such as `context` and `forloop`, the settings (front matter, YAML) of each kind of file, validations of forms. With examples and their output. Without a name: all names of a section, one per line.',
  input: z.object({
    name: z.string().optional().describe('The exact name: upcase, for, context, page, length'),
    section: z.enum(SECTIONS).optional(),
  }),
  async run(_site, { name, section }) {
    if (name === undefined && section === undefined) return `Give a name, or a section: ${SECTIONS.join(', ')}.`
    if (name === undefined) return (await entriesOf(section ?? 'tags')).map(summaryLine).join('\n')
    const wantedName = name.replace(/^[{%|\s]+|[%}\s]+$/g, '').toLowerCase()
    const seen: Entry[] = []
    for (const each of section === undefined ? SECTIONS : [section]) {
      const own = await entriesOf(each)
      seen.push(...own)
      // Diagnostics are slow to create, so they are searched only if nothing else has the name.
      if (each === SECTIONS.at(-2) && findEntries(seen, wantedName).length > 0) break
    }
    const found = findEntries(seen, wantedName)
    if (found.length === 0) throw new ToolError(unknownName(name, seen))
    return found.slice(0, MAX_COMPLETE).map(entryText).join('\n---\n\n')
  },
})

function summaryLine({ name, summary }: Entry): string {
  return `${name}: ${summary}`
}

/** Returns the entries with a name, otherwise those that mention it. */
function findEntries(entries: readonly Entry[], wantedName: string): readonly Entry[] {
  const own = entries.filter((entry) => entry.name.toLowerCase() === wantedName)
  return own.length > 0
    ? own
    : entries.filter((entry) => entry.also.some((each) => each.name.toLowerCase() === wantedName))
}

export const explainDiagnostic = tool({
  name: 'explain_diagnostic',
  title: 'Explain a diagnostic',
  description:
    'Explains a diagnostic code, with a wrong and a correct example, the fix, and the comment that suppresses it.',
  input: z.object({ code: z.string().describe('unknown-filter') }),
  async run(_site, { code }) {
    const entries = await entriesOf('diagnostics')
    const found = entries.find(({ name }) => name === code)
    if (found === undefined) throw new ToolError(unknownName(code, entries))
    return entryText(found)
  },
})

function unknownName(name: string, entries: readonly Entry[]): string {
  const names = entries.map((entry) => entry.name)
  return `There is no '${name}' in the reference${didYouMean(name, names)}`
}
