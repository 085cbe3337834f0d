/** The reference's page about the topics of the platform's documentation, and whether Ingot has them. */
import type { Entry } from './entry.ts'
import { paragraph } from './page.ts'
import { parsePage } from './parse-page.ts'
import topics from './production/topics.md'

/** Returns the page. Its tables have the state of each topic in the second column: `yes`, `partly` or `not needed`. */
export function topicsEntry(): Entry {
  const page = parsePage('production', 'topics', topics)
  const states = page.blocks.flatMap((block) => (block.kind === 'rows' ? block.rows.map(({ type }) => type) : []))
  const count = (state: string): number => states.filter((each) => each === state).length
  const numbers = paragraph(
    `Of ${states.length} topics, Ingot has ${count('yes')}, and ${count('partly')} in part. ${count('not needed')} are about the hosting of the service. [Coming from platformOS](guides/coming-from.html) begins with an existing site.`,
  )
  return { ...page, blocks: page.blocks.toSpliced(1, 0, numbers) }
}
