/** `needs-server`: something that an engine in a browser does not have. */
import { message } from '../../diagnostic.ts'

export const needsServer = message(
  'needs-server',
  'error',
  'NeedsServer',
  (what: string) => ({
    text: `${what} runs on servers only: an engine in a browser does not have it.`,
    hint: 'Render this part on a server, or hand its result to the template.',
  }),
  {
    wrong: `{{ 'secret' | encrypt: 'aes-256-cbc', context.params.key }}`,
    right: `{{ 'secret' | digest: 'sha256' }}`,
  },
)
