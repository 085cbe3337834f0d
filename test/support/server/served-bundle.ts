/** Creates built sites from JavaScript sources of pages, for tests of server processes. */
import { ABI } from '../../../runtime/page/site.ts'
import { folder, page, site } from './site.ts'

/** Returns the code of a bundle. @param pages source of each page's render function, by slug */
export function bundle(pages: Readonly<Record<string, string>>): string {
  const list = Object.entries(pages).map(([slug, render]) => `{ ...${JSON.stringify(page(slug))}, render: ${render} }`)
  return `export default ({ LiquidFault }) => ({ ...${JSON.stringify(site([]))}, pages: [${list.join(', ')}] })\n`
}

/** Creates a folder with a built site of these pages. */
export function builtFolder(pages: Readonly<Record<string, string>>): string {
  return folder({
    '.ingot/manifest.json': JSON.stringify({ abi: ABI, builtBy: '0.1.0', createdAt: '' }),
    '.ingot/site.mjs': bundle(pages),
  })
}
