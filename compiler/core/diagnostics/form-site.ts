/** A site with one table, one form and a page that shows the form, for the examples of codes about forms. */
import { BOOK_TABLE } from './book-site.ts'
import type { Example } from './diagnostic.ts'

/** Returns the files of the site. `fields` is the YAML below `fields:`, and `head` is the rest of the front matter. */
export function formSite(
  {
    fields = '  properties:\n    title:',
    head = 'resource: book',
    body = '{% form %}{{ form.errors.base }}{% endform %}',
    page = `{% include_form 'book' %}`,
  }: { readonly fields?: string; readonly head?: string; readonly body?: string; readonly page?: string },
  more: Readonly<Record<string, string>> = {},
): Example {
  return {
    'app/schema/book.yml': BOOK_TABLE,
    'app/forms/book.liquid': `---\nname: book\n${head}\nfields:\n${fields}\n---\n${body}\n`,
    'app/views/pages/index.liquid': page,
    ...more,
  }
}
