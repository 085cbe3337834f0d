/** A made-up site: files of statements beside files of plain text. */
import { printed, type Statement, type Style, textOf, WRITTEN } from './template.ts'

export interface TemplateFile {
  readonly path: string
  /** Name by which templates call it; null for what is not called. */
  readonly name: string | null
  /** Front matter with its lines of dashes, or nothing. */
  readonly front: string
  readonly body: readonly Statement[]
  /** Prints the same by `render`, `include` and as a function's text: it neither touches names of its caller nor ends early. */
  readonly apart: boolean
}

export interface MadeSite {
  readonly seed: number
  readonly templates: readonly TemplateFile[]
  /** Tables, queries, translations and settings, by path. */
  readonly plain: Readonly<Record<string, string>>
}

/** The files by path, each call written as the style says. */
export function textsOf(site: MadeSite, style: Style = WRITTEN): Readonly<Record<string, string>> {
  const texts: Record<string, string> = { ...site.plain }
  for (const { path, name, front, body, apart } of site.templates) {
    const text = printed(body, style)
    texts[path] = front + text
    if (style !== WRITTEN && apart && name !== null)
      texts[`app/lib/${textOf(name)}.liquid`] = `{% capture all_of_it %}${text}{% endcapture %}{% return all_of_it %}`
  }
  return texts
}

/** Paths of the pages. */
export function pagesOf(site: MadeSite): readonly string[] {
  return site.templates.flatMap(({ path }) => (path.startsWith('app/views/pages/') ? [path] : []))
}
