/** `absent-in-jobs`: a value of the request that is read without a request: in a job, a notification or a migration. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'

/** `callback`: an action that a form runs later. */
type Where = 'job' | 'callback' | 'notification' | 'migration'

export const absentInJobs = message(
  'absent-in-jobs',
  'warning',
  'WS30',
  (part: string | null, where: Where) => ({
    text: formatMessage(part, `a ${where === 'job' || where === 'callback' ? 'background job' : where}`),
    hint:
      where === 'job'
        ? 'Pass the value to `background` as an argument.'
        : where === 'callback'
          ? 'Start the job with `background` in `callback_actions`, and pass the value as an argument.'
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

/** Returns the message. `part`: the field of `context`; null for a tag that writes to the session. */
function formatMessage(part: string | null, place: string): string {
  if (part === null) return `This needs the session of a visitor, which ${place} does not have.`
  if (part === 'constants') return `${place[0]?.toUpperCase()}${place.slice(1)} does not have \`context.constants\`.`
  return `\`context.${part}\` belongs to the request of a visitor, which ${place} does not have.`
}
