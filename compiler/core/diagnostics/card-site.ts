/** A page that calls a partial with a `doc` block, for the examples of codes about such blocks. */
import type { Example } from './diagnostic.ts'

/** Returns the files of the site. `doc` are the lines of the `doc` block, and `body` is the text below it. */
export function cardSite({ doc, body = '{{ title }}' }: { readonly doc: string; readonly body?: string }): Example {
  return {
    'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
    'app/views/partials/card.liquid': `{% doc %}\n${doc}\n{% enddoc %}${body}`,
  }
}
