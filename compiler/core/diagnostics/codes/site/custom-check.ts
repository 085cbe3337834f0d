/** `custom-check`: a finding of a check that the author of the site wrote. Reported by `toDiagnostics` (tools/custom-checks/findings.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

const FILES = {
  'app/views/pages/index.liquid': 'a<br>b',
  'checks/no-break.js': `exports.checks = [
  {
    meta: { code: 'NoBreak', type: 'LiquidHtml', severity: 1, schema: {} },
    create: (context) => ({
      async HtmlVoidElement({ name, position: { start, end } }) {
        if (name === 'br') context.report({ message: 'Use a paragraph.', startIndex: start, endIndex: end })
      },
    }),
  },
]
`,
}

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
    wrong: { '.platformos-check.yml': 'require: ./checks/no-break.js\nNoBreak: { enabled: true }\n', ...FILES },
    right: { '.platformos-check.yml': 'require: ./checks/no-break.js\nNoBreak: { enabled: false }\n', ...FILES },
  },
)
