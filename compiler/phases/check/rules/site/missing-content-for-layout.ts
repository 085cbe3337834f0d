/** `missing-content-for-layout`: a layout that never prints the content of the page. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'

export const missingContentForLayout = message(
  'missing-content-for-layout',
  'error',
  'MissingContentForLayout',
  () => ({
    text: 'This layout never prints the content of the page.',
    hint: 'Write `{{ content_for_layout }}` where the content belongs.',
    change: { edits: [{ match: '(</body>|$)', text: '{{ content_for_layout }}$1' }] },
  }),
  {
    wrong: { 'app/views/pages/index.liquid': 'x', 'app/views/layouts/application.liquid': '<body></body>' },
    right: {
      'app/views/pages/index.liquid': 'x',
      'app/views/layouts/application.liquid': '<body>{{ content_for_layout }}</body>',
    },
  },
)
