/** `custom-check`: a finding of a check that the author of the site wrote. Reported by `toDiagnostics` (tools/custom-checks/findings.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const customCheck = message(
  'custom-check',
  'warning',
  'CustomCheck',
  /** `check`: the code of the check. `suggestion`: how the check would fix it, if that needs a review. */
  (check: string, found: string, suggestion: string | null) => ({
    subject: { kind: 'other', name: found, of: check },
    text: `${quote(check)}: ${found}`,
    ...(suggestion === null ? {} : { hint: suggestion }),
  }),
  {
    wrong: '',
    right: 'x',
  },
)
