/** Files that an agent writes between two requests are noticed, even in folders that had not changed for long. */
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DiskChanges } from '../../../../../compiler/tools/service/mcp/disk-changes.ts'
import { folderOf, write } from '../site.ts'

/** A modification time in the distant past, in seconds. */
const OLD = 1_000_000_000

function standing(root: string, ...folders: readonly string[]): void {
  for (const folder of folders) utimesSync(join(root, folder), OLD, OLD)
}

test('files that are written, new, renamed and gone, in old folders and new ones', () => {
  const root = folderOf({ 'app/a.liquid': 'a', 'app/deep/b.liquid': 'b', 'app/deep/c.liquid': 'c', 'pos.json': '{}' })
  standing(root, 'app', 'app/deep')
  const disk = new DiskChanges(root)
  const look = () => disk.scan(['app', 'modules', 'pos.json']).toSorted()
  expect(look()).toEqual(['app/a.liquid', 'app/deep/b.liquid', 'app/deep/c.liquid', 'pos.json'])
  expect(look()).toEqual([])

  write(root, 'app/deep/b.liquid', 'longer')
  expect(statSync(join(root, 'app/deep')).mtimeMs).toBe(OLD * 1000)
  expect(look()).toEqual(['app/deep/b.liquid'])

  write(root, 'app/deep/new.liquid', 'n')
  expect(look()).toEqual(['app/deep/new.liquid'])
  // This write has the same time as the previous one within the resolution of the file system's clock.
  write(root, 'app/deep/newer.liquid', 'n')
  expect(look()).toEqual(['app/deep/newer.liquid'])

  standing(root, 'app', 'app/deep')
  expect(look()).toEqual([])
  renameSync(join(root, 'app/deep/c.liquid'), join(root, 'app/deep/d.liquid'))
  rmSync(join(root, 'app/a.liquid'))
  expect(look()).toEqual(['app/a.liquid', 'app/deep/c.liquid', 'app/deep/d.liquid'])

  mkdirSync(join(root, 'modules/shop/public'), { recursive: true })
  expect(look()).toEqual([])
  write(root, 'modules/shop/public/e.liquid', 'e')
  symlinkSync('nowhere', join(root, 'modules/shop/gone.liquid'))
  expect(look()).toEqual(['modules/shop/public/e.liquid'])
  rmSync(join(root, 'app/deep'), { recursive: true })
  expect(look()).toHaveLength(4)
})
