/** `unconverted-partial`: a Markdown partial that is printed by a page that is not Markdown. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'

const TEXT = `---
converter: markdown
---
# Terms`

export const unconvertedPartial = message(
  'unconverted-partial',
  'info',
  'ValidFrontmatter',
  () => ({
    text: 'This Markdown is not converted to HTML, because a page that prints it is not a Markdown page.',
    hint: 'Set `converter: markdown` in that page, or remove the setting here and use the filter `markdown`.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{% render 'terms' %}`, 'app/views/partials/terms.liquid': TEXT },
    right: {
      'app/views/pages/index.liquid': `---
converter: markdown
---
{% render 'terms' %}`,
      'app/views/partials/terms.liquid': TEXT,
    },
  },
)
