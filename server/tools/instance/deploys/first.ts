/** Creates the first release of a new server: a site without pages. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nextPointer, type Pointer, type Releases } from '../../../operate/releases/model.ts'
import { SiteCompiler } from './compiler.ts'

/** Stores a release of a site without pages, and sets it as the current one if there is none. */
export async function beginReleases(releases: Releases, bin: string): Promise<Pointer | null> {
  const compiler = new SiteCompiler(bin)
  const folder = await mkdtemp(join(tmpdir(), 'ingot-first-'))
  try {
    const [source, out] = [join(folder, 'source'), join(folder, 'build')]
    await mkdir(join(source, 'app'), { recursive: true })
    await compiler.build(source, out)
    const { id } = await releases.push(out)
    // Another server may have set a release meanwhile.
    return (await releases.replace(null, nextPointer(null, { release: id }))) ?? releases.current()
  } finally {
    compiler.close()
    await rm(folder, { recursive: true, force: true })
  }
}
