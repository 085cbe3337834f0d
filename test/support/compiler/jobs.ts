/** Checks small sites with jobs, forms and notifications. */
import { expect, it } from 'vitest'
import { type Files, problems as allProblems } from './check.ts'

/** Returns the problems of a site. The session counts as written by another file. */
export const problems = (files: Files | string): readonly string[] =>
  allProblems(files).filter((each) => !/^un(?:written|read)-value /.test(each))

type Row = readonly [name: string, files: Files, expected: readonly string[]]

/** Declares a test for each row. */
export function table(rows: readonly Row[]): void {
  it.each(rows)('%s', (_name, files, expected) => expect(problemsWithoutChanges(files)).toEqual(expected))
}

/** Returns the problems, except warnings about pages that change data on GET. */
export function problemsWithoutChanges(files: Files): readonly string[] {
  return problems(files).filter((each) => !each.startsWith('change-on-get '))
}

const SCHEMA: Files = { 'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n  - name: author\n' }

/** Returns a form of the table `book` with one field, and additional front matter. */
export function form(name: string, head: string, field = 'title'): Files {
  return {
    ...SCHEMA,
    [`app/forms/${name}.liquid`]: `---\nname: ${name}\nresource: book\nresource_owner: creator\n${head}\nfields:\n  properties:\n    ${field}:\n---\n`,
  }
}
