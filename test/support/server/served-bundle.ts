/** A built site whose pages are given as source text, for tests of the processes that serve it. */
import { ABI } from '../../../runtime/page/site.ts'
import { folder, page, site } from './site.ts'

/** A bundle of pages: what they print, by slug. */
export function bundle(pages: Readonly<Record<string, string>>): string {
  const list = Object.entries(pages).map(([slug, render]) => `{ ...${JSON.stringify(page(slug))}, render: ${render} }`)
  return `export default ({ LiquidFault }) => ({ ...${JSON.stringify(site([]))}, pages: [${list.join(', ')}] })\n`
}

/** A folder with a built site of such pages. */
export function built(pages: Readonly<Record<string, string>>): string {
  return folder({
    '.ingot/manifest.json': JSON.stringify({ abi: ABI, builtBy: '0.1.0', createdAt: '' }),
    '.ingot/site.mjs': bundle(pages),
  })
}
