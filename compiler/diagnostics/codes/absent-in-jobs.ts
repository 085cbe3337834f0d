/** `absent-in-jobs`: something of the visitor's request is asked for where none is: in a job, a notification or a migration. */
import { message } from '../diagnostic.ts'

export const absentInJobs = message(
  'absent-in-jobs',
  'warning',
  'WS30',
  (what: string, where: 'job' | 'notification' | 'migration') => ({
    text:
      what === ''
        ? `This needs the session of a visitor, which a ${words(where)} does not have.`
        : `\`${what}\` belongs to the request of a visitor, so it is nil in a ${words(where)}.`,
    hint: where === 'job' ? 'Pass the value to `background` as an argument.' : undefined,
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

function words(where: string): string {
  return where === 'job' ? 'background job' : where
}
