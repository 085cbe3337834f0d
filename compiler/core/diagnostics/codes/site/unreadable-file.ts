/** `unreadable-file`: a file that cannot be read as text. */
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
