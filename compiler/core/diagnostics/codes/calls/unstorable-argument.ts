/** `unstorable-argument`: a job is given something that cannot be kept until it runs. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

const PARTIAL = { 'app/views/partials/work.liquid': '{% log item %}' }

export const unstorableArgument = message(
  'unstorable-argument',
  'error',
  'WS30',
  (name: string, what: string) => ({
    text: `The argument ${quoted(name)} is ${what}, which cannot be stored for a job.`,
    hint:
      what === 'a range'
        ? 'Pass its first and its last number.'
        : 'Pass the values that the job needs of it, each under a name of its own.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% background job = 'work', item: context %}{{ job }}`,
      ...PARTIAL,
    },
    right: {
      'app/views/pages/index.liquid': `{% background job = 'work', item: context.params %}{{ job }}`,
      ...PARTIAL,
    },
  },
)
