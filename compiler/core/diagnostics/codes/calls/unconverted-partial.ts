/** `unconverted-partial`: Markdown of a partial that something else than a Markdown page prints. */
import { message } from '../../diagnostic.ts'

const TEXT = `---
converter: markdown
---
# Terms`

export const unconvertedPartial = message(
  'unconverted-partial',
  'info',
  'ValidFrontmatter',
  () => ({
    text: 'The Markdown of a partial becomes HTML with the page that prints it, and one that prints this is no Markdown page.',
    hint: 'Give that page `converter: markdown`, or leave the setting out and print the text through the filter `markdown`.',
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
