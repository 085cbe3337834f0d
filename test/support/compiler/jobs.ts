/** Sites with jobs, forms and what is sent for them, and what is wrong with them. */
import { expect, it } from 'vitest'
import { type Files, problems as allProblems } from './check.ts'

/** What is wrong with a site, whose session is written elsewhere. */
export const problems = (files: Files | string): readonly string[] =>
  allProblems(files).filter((each) => !/^un(?:written|read)-value /.test(each))

type Row = readonly [name: string, files: Files, expected: readonly string[]]

/** A test for each row. */
export function table(rows: readonly Row[]): void {
  it.each(rows)('%s', (_name, files, expected) => expect(besidesChanges(files)).toEqual(expected))
}

/** What is found, but for pages that change something when they are looked at: others do, too. */
export function besidesChanges(files: Files): readonly string[] {
  return problems(files).filter((each) => !each.startsWith('change-on-get '))
}

const SCHEMA: Files = { 'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n  - name: author\n' }

/** A form of the table `book` with the field `title`, and what else its front matter says. */
export function form(name: string, head: string, field = 'title'): Files {
  return {
    ...SCHEMA,
    [`app/forms/${name}.liquid`]: `---\nname: ${name}\nresource: book\nresource_owner: creator\n${head}\nfields:\n  properties:\n    ${field}:\n---\n`,
  }
}
