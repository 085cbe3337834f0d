/** Adds the links of generated pages to the navigation of the site's layout. */
import type { Files } from './model.ts'

const LAYOUT = 'app/views/layouts/application.liquid'

/** Returns the link to the list of a table. It is marked on the page of the list. @param plural its plural: `books` */
export function listLink(plural: string): string {
  const current = `{% if context.location.pathname == '/${plural}' %} aria-current="page"{% endif %}`
  return `<a href="/${plural}"${current}>{{ '${plural}.title' | t }}</a>`
}

/** The link to the account of a user, or to the page where a visitor logs in. */
export const ACCOUNT_LINK = `{% if context.current_user %}<a href="/account">{{ 'accounts.account' | t }}</a>{% else %}<a href="/log-in">{{ 'accounts.log_in' | t }}</a>{% endif %}`

/**
 * Returns the layout with a link in its first `nav`. Empty when the layout has no navigation, or has the link already.
 * @param read returns the text of a file of the site, or null
 */
export function linkInLayout(link: string, read: (path: string) => string | null): Files {
  const text = read(LAYOUT)
  const nav = text === null ? null : /<nav\b[^]*?<\/nav>/.exec(text)
  if (text === null || nav === null || text.includes(link)) return {}
  const [whole] = nav
  const end = whole.includes('</ul>') ? '</ul>' : '</nav>'
  const at = nav.index + whole.lastIndexOf(end)
  const indent = /[ \t]*$/.exec(text.slice(0, at))?.[0] ?? ''
  const line = end === '</ul>' ? `  <li>${link}</li>` : `  ${link}`
  return { [LAYOUT]: `${text.slice(0, at)}${line}\n${indent}${text.slice(at)}` }
}
