/** `unstorable-argument`: an argument of a job that cannot be stored until the job runs. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

const PARTIAL = { 'app/views/partials/work.liquid': '{% log item %}' }

export const unstorableArgument = message(
  'unstorable-argument',
  'error',
  'WS30',
  (name: string, what: string) => ({
    text: `The argument ${quote(name)} is ${what}, which cannot be stored for a job.`,
    hint:
      what === 'a range'
        ? 'Pass the first and the last number of the range.'
        : 'Pass only the values that the job needs, each as a separate argument.',
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
