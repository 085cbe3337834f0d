/** The scripts of the reference's pages. They are written in `scripts.html`. */
import scripts from './scripts.html'

/** Declares `prepareItem` and `rankItems`. @internal Exported for tests. */
export const RANKING = scriptOf('ranking')

/** The script of the start page. It is a function, so that its names are not global. */
export const SEARCH = `(() => {\n${RANKING}${scriptOf('search')}})()`

export const PLAYGROUND_SCRIPT = `(() => {\n${scriptOf('playground')}})()\n`

function scriptOf(id: string): string {
  return new RegExp(`<script id="${id}">\\n(.*?)</script>`, 's').exec(scripts)?.[1] ?? ''
}
