/** Files are stored from forms, texts and URLs. Their type is detected from the content, not from the name. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FileRefused, type ImageVersion, type StorageOptions } from '../../../../server/web/files/model.ts'
import { ANY, filesIn, type FilesSetup, ground, picture } from './ground.ts'

let it: FilesSetup
beforeAll(async () => {
  it = await ground()
})
afterAll(() => it.close())

const refusal = (source: Parameters<FilesSetup['desk']['keep']>[0], options: StorageOptions = ANY): Promise<string> =>
  it.desk.keep(source, options).then(
    () => 'kept',
    (error: unknown) => {
      if (!(error instanceof FileRefused)) throw error
      return error.message
    },
  )

const THUMB: ImageVersion = { width: 10, height: 10, fit: 'cover', format: 'webp', quality: 50 }

describe('keeping', () => {
  test('a sent file is copied to a path that nobody guesses, and known', async () => {
    const file = await it.desk.keep(it.sent('Zdjęcie 1.PNG', await picture(4, 4)), ANY)
    expect(file).toEqual({
      path: expect.stringMatching(/^uploads\/\d{4}\/\d{2}\/[\da-f]{32}\/Zdjęcie-1\.png$/),
      file_name: 'Zdjęcie-1.png',
      extension: 'png',
      content_type: 'image/png',
      size: (await picture(4, 4)).length,
      acl: 'public',
      versions: {},
    })
    expect(readFileSync(join(it.kept, file.path))).toEqual(await picture(4, 4))
    const rows = await it.database
      .sql`select path, size::int, content_type, versions from ingot.files where path = ${file.path}`
    expect([...rows]).toEqual([{ path: file.path, size: file.size, content_type: 'image/png', versions: {} }])
    expect(it.desk.url(file, null)).toBe(`/${encodeURI(file.path)}`)
  })

  test('text of base64 and data URLs', async () => {
    const bytes = await picture(3, 3)
    const text = bytes.toString('base64')
    const plain = await it.desk.keep({ kind: 'base64', text, fileName: 'a.png' }, ANY)
    expect(readFileSync(join(it.kept, plain.path))).toEqual(bytes)
    const url = `data:image/png;base64,${text.replace(/(.{60})/g, '$1\n')}`
    expect((await it.desk.keep({ kind: 'base64', text: url, fileName: null }, ANY)).file_name).toBe('file.png')
    expect(await refusal({ kind: 'base64', text: 'not base64!', fileName: 'a.png' })).toBe('is not base64')
    expect(await refusal({ kind: 'base64', text: '', fileName: 'a.png' })).toBe('is empty')
    const large = { kind: 'base64', text: 'A'.repeat(20_000_000), fileName: 'a.txt' } as const
    expect(await refusal(large)).toBe('is too large (maximum is 5 MB)')
  })

  test('no other file of this machine is kept', async () => {
    const other = (path: string) => ({ kind: 'sent', path, fileName: 'x', contentType: 'text/plain' }) as const
    for (const path of ['/etc/passwd', join(it.incoming, '..', 'secret'), `${it.incoming}/../../etc/passwd`, 'x'])
      expect(await refusal(other(path))).toBe('was not uploaded as a file')
    expect(await refusal(other(join(it.incoming, 'gone')))).toBe('was not uploaded as a file')
  })

  test('limits', async () => {
    expect(await refusal(it.sent('a.txt', 'x'.repeat(1001)), { ...ANY, limit: 1000 })).toBe(
      'is too large (maximum is 1 KB)',
    )
    expect(await refusal(it.sent('a.txt', ''))).toBe('is empty')
    expect(await refusal(it.sent('a.txt', 'xx'), { ...ANY, least: 3 })).toBe('is too small (minimum is 3 bytes)')
    expect(await refusal(it.sent('a.txt', 'xx'), { ...ANY, types: ['image/*'] })).toBe(
      'is not of a type that is allowed (text/plain)',
    )
  })

  test('what goes by the name of something else is refused', async () => {
    const html = '<html><script>alert(document.cookie)</script></html>'
    for (const name of ['a.png', 'a.jpg', 'a.pdf', 'a.zip', 'a.mp4', 'a.docx'])
      expect(await refusal(it.sent(name, html, 'image/png'))).toBe(
        'has a file extension that does not match its content',
      )
    const page = await it.desk.keep(it.sent('page.txt', html, 'text/plain'), ANY)
    expect(page.content_type).toBe('text/html')
    expect(await refusal(it.sent('page.txt', html, 'image/png'), { ...ANY, types: ['image/*'] })).toContain('text/html')
    // An image with the extension of another image format is accepted, because cameras and programs often mix them up.
    const photo = await it.desk.keep(it.sent('photo.png', await picture(4, 4, 'jpeg')), ANY)
    expect(photo).toMatchObject({ file_name: 'photo.jpg', extension: 'jpg', content_type: 'image/jpeg' })
    expect((await it.desk.keep(it.sent('photo', await picture(4, 4)), ANY)).file_name).toBe('photo.png')
  })

  test('nothing of a refused file is left', async () => {
    const before = [filesIn(it.kept), await it.database.sql`select count(*)::int from ingot.files`]
    await refusal(it.sent('a.png', '<html>'))
    await refusal({ kind: 'base64', text: 'aGVsbG8=', fileName: 'a.png' })
    expect([filesIn(it.kept), await it.database.sql`select count(*)::int from ingot.files`]).toEqual(before)
  })

  test('a key is good for one file', async () => {
    const key = 'f'.repeat(32)
    const first = await it.desk.keepAs(key, it.sent('a.txt', 'one'), ANY)
    await expect(it.desk.keepAs(key, it.sent('a.txt', 'two'), ANY)).rejects.toMatchObject({ status: 409 })
    expect(readFileSync(join(it.kept, first.path), 'utf8')).toBe('one')
  })

  test('dropped files are gone with their versions and folders', async () => {
    const file = await it.desk.keep(it.sent('a.png', await picture(40, 40)), { ...ANY, versions: { thumb: THUMB } })
    const thumb = file.versions['thumb'] as string
    expect(thumb).toMatch(/\/thumb\/a\.webp$/)
    expect(existsSync(join(it.kept, thumb))).toBe(true)
    await it.desk.drop([file])
    expect(existsSync(join(it.kept, file.path, '..'))).toBe(false)
    expect((await it.database.sql`select 1 from ingot.files where path = ${file.path}`).count).toBe(0)
    await it.desk.drop([file])
  })
})

describe('images', () => {
  test('where a picture was taken is nobody’s business, and it stands upright', async () => {
    const exif = { IFD0: { Make: 'Secret camera' }, IFD3: { GPSLatitude: '50/1 3/1 0/1', GPSLatitudeRef: 'N' } }
    const lying = await sharp(await picture(40, 20, 'jpeg'))
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(lying.includes('Exif')).toBe(true)
    const file = await it.desk.keep(it.sent('a.jpg', lying), { ...ANY, versions: { thumb: THUMB } })
    for (const path of [file.path, file.versions['thumb'] as string]) {
      const bytes = readFileSync(join(it.kept, path))
      expect(bytes.includes('Exif') || bytes.includes('Secret')).toBe(false)
    }
    const facts = await sharp(join(it.kept, file.path)).metadata()
    expect([facts.width, facts.height, facts.exif]).toEqual([20, 40, undefined])
  })

  test('versions have the declared sizes and formats', async () => {
    const versions = {
      thumb: THUMB,
      wide: { width: 30, height: null, fit: 'inside', format: null, quality: null },
      small: { width: 500, height: 500, fit: 'inside', format: 'jpeg', quality: 60, withoutEnlargement: true },
      grey: {
        width: 8,
        height: 8,
        fit: 'contain',
        format: 'png',
        quality: null,
        greyscale: true,
        background: 'rgba(255, 0, 0, 0.5)',
      },
      odd: { width: 8, height: 8, fit: 'contain', format: 'png', quality: null, background: 'bluish' },
    } as const
    const file = await it.desk.keep(it.sent('a.png', await picture(60, 30)), { ...ANY, versions })
    const sizes: Record<string, unknown> = {}
    for (const [name, path] of Object.entries(file.versions)) {
      const { width, height, format } = await sharp(join(it.kept, path)).metadata()
      sizes[name] = [width, height, format]
    }
    expect(sizes).toEqual({
      thumb: [10, 10, 'webp'],
      wide: [30, 15, 'png'],
      small: [60, 30, 'jpeg'],
      grey: [8, 8, 'png'],
      odd: [8, 8, 'png'],
    })
    const text = await it.desk.keep(it.sent('a.txt', 'text'), { ...ANY, versions })
    expect(text.versions).toEqual({})
  })

  test('images that are broken, or would fill the memory, are refused', async () => {
    const broken = (await picture(50, 50)).subarray(0, 40)
    expect(await refusal(it.sent('a.png', Buffer.concat([broken, Buffer.from('junk')])))).toBe(
      'is not a readable image',
    )
    const bomb = await sharp({ create: { width: 8_100, height: 8_100, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(500_000)
    expect(await refusal(it.sent('a.png', bomb))).toBe('has too many pixels (maximum is 64 million)')
  })
})
