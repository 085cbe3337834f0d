/** Formatting of one file of a site, by what its name says that it holds. */
import { cutFrontMatter } from '../../core/source/front-matter.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { editsAt, type Formatting, unreadableAt } from './edit.ts'
import { formatGraphql } from './graphql.ts'
import { formatLiquid, type Reading } from './liquid.ts'
import { formatYaml } from './yaml.ts'

/** How a text of a kind is formatted. */
type Format = (text: string, reading: Reading) => Formatting

const FORMATS: readonly (readonly [ending: RegExp, format: Format])[] = [
  [/\.liquid$/, formatTemplate],
  [/\.ya?ml$/, (text) => formatFilledYaml(text, 0)],
  [/\.(?:graphql|gql)$/, (text) => formatGraphql(text)],
]

/** The edits of a file as its author wrote it; null for one of another language, and for assets, which are served as they are. */
export function formatFile({ path, kind, text, written }: SourceFile, reading: Reading): Formatting | null {
  const format = kind === 'asset' ? undefined : FORMATS.find(([ending]) => ending.test(path))?.[1]
  return format === undefined ? null : format(written?.text ?? text, reading)
}

/** Settings and template by themselves: one that cannot be read leaves the other as it is, too. */
function formatTemplate(text: string, reading: Reading): Formatting {
  const { yaml, bodyStart, unclosed } = cutFrontMatter(text)
  if (unclosed) return unreadableAt(0, 'The front matter has no end: a second line of dashes is missing.')
  const settings = yaml === null ? editsAt(0, []) : formatFilledYaml(yaml.text, yaml.start)
  if (settings.edits === null) return settings
  const body = formatLiquid(text.slice(bodyStart), bodyStart, reading)
  return body.edits === null ? body : editsAt(0, [...settings.edits, ...body.edits])
}

/** A value that is put in before anything is read may hold more than one line, and is left where it stands. */
function formatFilledYaml(text: string, base: number): Formatting {
  return text.includes('<%=') ? editsAt(base, []) : formatYaml(text, base)
}
