/** Formats one file of a site according to its kind. */
import { cutFrontMatter } from '../../core/source/front-matter.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { editsAt, type Formatting, unreadableAt } from './edit.ts'
import { formatGraphql } from './graphql.ts'
import { formatLiquid, type LiquidOptions } from './liquid.ts'
import { formatYaml } from './yaml.ts'

/** Formats a text of one kind. */
type Format = (text: string, reading: LiquidOptions) => Formatting

const FORMATS: readonly (readonly [ending: RegExp, format: Format])[] = [
  [/\.liquid$/, formatTemplate],
  [/\.ya?ml$/, (text) => formatFilledYaml(text, 0)],
  [/\.(?:graphql|gql)$/, (text) => formatGraphql(text)],
]

/** Returns the edits of a file as its author wrote it. Returns null for assets, which are served unchanged, and for other languages. */
export function formatFile({ path, kind, text, writtenText }: SourceFile, reading: LiquidOptions): Formatting | null {
  const format = kind === 'asset' ? undefined : FORMATS.find(([ending]) => ending.test(path))?.[1]
  return format === undefined ? null : format(writtenText?.text ?? text, reading)
}

/** Formats settings and template separately. If one does not parse, both stay unchanged. */
function formatTemplate(text: string, reading: LiquidOptions): Formatting {
  const { yaml, bodyStart, unclosed } = cutFrontMatter(text)
  if (unclosed) return unreadableAt(0, 'The front matter has no end: add a second line of dashes.')
  const settings = yaml === null ? editsAt(0, []) : formatFilledYaml(yaml.text, yaml.start)
  if (settings.edits === null) return settings
  const body = formatLiquid(text.slice(bodyStart), bodyStart, reading)
  return body.edits === null ? body : editsAt(0, [...settings.edits, ...body.edits])
}

/** Formats settings that contain template values. A value may be replaced by several lines, so these settings stay unchanged. */
function formatFilledYaml(text: string, base: number): Formatting {
  return text.includes('<%=') ? editsAt(base, []) : formatYaml(text, base)
}
