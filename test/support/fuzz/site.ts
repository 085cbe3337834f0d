/** A generated site: template files as statements, and other files as plain text. */
import { printStatements, type Statement, type Style, textFunctionName, ORIGINAL_STYLE } from './template.ts'

export interface TemplateFile {
  readonly path: string
  /** The name in calls. Null for a file that is not called. */
  readonly name: string | null
  /** Front matter with its delimiters, or an empty text. */
  readonly front: string
  readonly body: readonly Statement[]
  /**
   * Whether `render`, `include` and a function call give the same text, because the file uses no names of its caller and does not end
   * early.
   */
  readonly apart: boolean
}

export interface MadeSite {
  readonly seed: number
  readonly templates: readonly TemplateFile[]
  /** Texts of tables, queries, translations and settings, by path. */
  readonly plain: Readonly<Record<string, string>>
}

/** Returns the files by path, with calls in the given style. */
export function textsOf(site: MadeSite, style: Style = ORIGINAL_STYLE): Readonly<Record<string, string>> {
  const texts: Record<string, string> = { ...site.plain }
  for (const { path, name, front, body, apart } of site.templates) {
    const text = printStatements(body, style)
    texts[path] = front + text
    if (style !== ORIGINAL_STYLE && apart && name !== null)
      texts[`app/lib/${textFunctionName(name)}.liquid`] =
        `{% capture all_of_it %}${text}{% endcapture %}{% return all_of_it %}`
  }
  return texts
}

/** Returns the paths of the pages. */
export function pagesOf(site: MadeSite): readonly string[] {
  return site.templates.flatMap(({ path }) => (path.startsWith('app/views/pages/') ? [path] : []))
}
