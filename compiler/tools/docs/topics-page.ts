/** The reference's page about the topics of the platform's documentation. */
import type { Entry } from './entry.ts'
import { paragraph, productionPage, table } from './page.ts'
import { TOPICS } from './topics.ts'

export function topicsEntry(): Entry {
  const all = TOPICS.flatMap(({ topics }) => topics)
  const count = (state: string): number => all.filter((topic) => topic.state === state).length
  const page = productionPage(
    'topics',
    'Topics of platformOS',
    'What its documentation describes, and where Ingot has it.',
    [
      paragraph(
        `Of ${all.length} topics, Ingot has ${count('yes')}, and ${count('partly')} in part. ${count('not needed')} are about the hosting of the service. [Coming from platformOS](guides/coming-from.html) begins with an existing site.`,
      ),
      ...TOPICS.map(({ title, topics }) =>
        table(
          title,
          topics.map(({ name, state, note }) => ({ name, type: state, description: note })),
          ['Topic', 'Here', 'Where, what is missing, or why'],
        ),
      ),
    ],
  )
  return { ...page, words: 'platformos documentation compare parity missing supported topics coverage' }
}
