/**
 * `unreadable-file`: a file that cannot be read as text. Reported by `parseConfig` (phases/parse/parse.ts) and `unreadableUnit`
 * (phases/parse/parse.ts).
 */
import { message } from '../../diagnostic.ts'

export const unreadableFile = message(
  'unreadable-file',
  'error',
  'UnreadableFile',
  (reason: string) => ({
    text: `This file cannot be read: ${reason}.`,
  }),
  {
    wrong: '',
    right: 'x',
  },
)
