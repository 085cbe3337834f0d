/** Code and tables that the guides show. */
import type { Row } from '../../compiler/tools/docs/entry.ts'
import { GUIDES } from '../../compiler/tools/docs/guides/index.ts'

const blocksOf = (guide: string) => GUIDES.find(({ path }) => path === `guides/${guide}.html`)?.blocks ?? []

/** Returns the first command or file of a guide that matches. @throws Error if there is none */
export function guideCode(guide: string, pattern: RegExp): string {
  const texts = blocksOf(guide).flatMap((block) =>
    block.kind === 'code' ? block.lines : block.kind === 'example' ? block.files.map(({ text }) => text) : [],
  )
  const found = texts.find((text) => pattern.test(text))
  if (found === undefined) throw new Error(`The guide ${guide} shows no code that matches ${pattern}`)
  return found
}

/** Returns the rows of a guide's table. @throws Error if there is no such table */
export function guideRows(guide: string, title: string): readonly Row[] {
  const found = blocksOf(guide).find((block) => block.kind === 'rows' && block.title === title)
  if (found?.kind !== 'rows') throw new Error(`The guide ${guide} has no table "${title}"`)
  return found.rows
}
