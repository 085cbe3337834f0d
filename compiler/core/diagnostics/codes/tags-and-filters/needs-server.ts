/**
 * `needs-server`: a feature that an engine in a browser does not have. Reported by `applyFilter` (phases/check/types/filters.ts),
 * `refuseQuery` (phases/check/types/without-database.ts) and `refuseOperations` (phases/link/without-database.ts).
 */
import { message } from '../../diagnostic.ts'

export const needsServer = message(
  'needs-server',
  'error',
  'NeedsServer',
  (what: string) => ({
    text: `${what} runs only on a server and is not available in a browser.`,
    hint: 'Render this part on a server, or pass its result to the template.',
  }),
  {
    wrong: `{{ 'secret' | encrypt: 'aes-256-cbc', context.params.key }}`,
    right: `{{ 'secret' | digest: 'sha256' }}`,
  },
)
