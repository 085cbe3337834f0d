/** What the service compiles before it is asked for anything: the first site that it gets then finds the compiler loaded, and much of it optimized. */
import { type Compiled, compile } from '../compile.ts'
import { filesFromTexts } from '../source/from-texts.ts'
import { NEW_SITE } from '../source/new-site.ts'

/** How often the templates stand in the site, by other names. */
const COPIES = 6

/** Compiles a small site. */
export function compileSample(): Compiled {
  const texts: Record<string, string> = { ...NEW_SITE }
  for (const [path, text] of Object.entries(NEW_SITE))
    for (let copy = 1; copy < COPIES; copy++)
      if (path.startsWith('app/views/')) texts[path.replace('app/views/', `modules/copy${copy}/public/views/`)] = text
  return compile(filesFromTexts(texts, false), {
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: true,
    openEntries: false,
    printAs: 'javascript',
  })
}
