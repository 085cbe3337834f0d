/** `absent-in-jobs`: what only requests have, asked for where none is: in a job, a notification or a migration. */
import { message } from '../../diagnostic.ts'

/** `callback`: what a form does later. */
type Where = 'job' | 'callback' | 'notification' | 'migration'

export const absentInJobs = message(
  'absent-in-jobs',
  'warning',
  'WS30',
  (part: string | null, where: Where) => ({
    text: textOf(part, `a ${where === 'job' || where === 'callback' ? 'background job' : where}`),
    hint:
      where === 'job'
        ? 'Pass the value to `background` as an argument.'
        : where === 'callback'
          ? 'Let `callback_actions` start the job by `background`, which can be passed the value.'
          : undefined,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% background job = 'work' %}{{ job }}`,
      'app/views/partials/work.liquid': '{% log context.page.slug %}',
    },
    right: {
      'app/views/pages/index.liquid': `{% background job = 'work', slug: context.page.slug %}{{ job }}`,
      'app/views/partials/work.liquid': '{% log slug %}',
    },
  },
)

/** `part`: of `context`; null for the session that a tag writes. */
function textOf(part: string | null, place: string): string {
  if (part === null) return `This needs the session of a visitor, which ${place} does not have.`
  if (part === 'constants') return `${place[0]?.toUpperCase()}${place.slice(1)} does not have \`context.constants\`.`
  return `\`context.${part}\` belongs to the request of a visitor, which ${place} does not have.`
}
